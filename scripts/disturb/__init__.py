"""What scripts/faults.py does to the commands, and how it judges them."""
