"""The parts of scripts/bench.py: bench runs commands and writes data, groups lists them, tables makes
Markdown of the data, and document puts it into docs/results.md; against compares two builds of the
programs. The scripts python_package, c_library and http_service measure a frontend each, and share
figures."""
