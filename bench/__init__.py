"""Benchmarks: programs that print figures. `make bench`, or `python -m bench engine vision`."""
