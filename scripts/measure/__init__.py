"""What scripts/bench.py is made of: bench runs commands and writes data, groups says which,
tables makes Markdown of the data, document puts it into docs/results.md. For --against, against
compares two builds of the programs."""
