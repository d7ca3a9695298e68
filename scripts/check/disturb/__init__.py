"""What scripts/check/faults.py does to the commands, and how it judges them."""
