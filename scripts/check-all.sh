#!/usr/bin/env bash
# Runs all checks, of both sets, before a release: hours. Run again after an interruption, it
# continues with the checks that have not passed on this commit; --again repeats all of them.
#
#   scripts/check-all.sh [--again]
#
# target/checks/report.md states which check ran when, on which commit, and how it ended.
exec python3 "$(dirname "${BASH_SOURCE[0]}")/check.py" all "$@"
