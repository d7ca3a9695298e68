"""The parts of scripts/bench.py, and the scripts that measure a frontend each."""
