"""The commands of `kortstalis`, one file each."""
