"""Parts of scripts/bench.py, and one script per frontend that measures it."""
