"""The seat pods' firmware (MicroPython) and the wire that it and the host share.

`wire.py` and `core.py` run unchanged under CPython, MicroPython's ports and on the Pico; `main.py`
is the only file that knows pins. The host's side is `appliance/pods.py`.
"""
