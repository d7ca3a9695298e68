#!/usr/bin/env bash
# Tests the JavaScript readers: compares tables with pdb-gen's, and estimates of boards with
# solver's. PDB_GEN and SOLVER name the commands; by default, cargo runs the commands of this
# repository.
#
#   scripts/check/readers.sh
set -euo pipefail

die() { printf 'test-js: error: %s\n' "$*" >&2; exit 1; }

command -v node >/dev/null || die "node is missing: install Node.js 18 or later"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
node scripts/readers/js-test.mjs "$scratch"
