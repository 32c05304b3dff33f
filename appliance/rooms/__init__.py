"""The states of the console: each room has a page to show and takes the five buttons."""
