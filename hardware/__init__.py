"""The numbers of the hardware, and the tables and drawings made from them (`python -m hardware.drawings`)."""
