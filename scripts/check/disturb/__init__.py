"""Faults that scripts/check/faults.py injects into the commands, and the checks after them."""
