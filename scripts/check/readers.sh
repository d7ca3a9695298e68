#!/usr/bin/env bash
# Tests the JavaScript readers with tables of pdb-gen and estimates of solver. PDB_GEN and SOLVER
# name these commands; by default, cargo runs the commands of this repository.
#
#   scripts/check/readers.sh
set -euo pipefail

die() { printf 'test-js: error: %s\n' "$*" >&2; exit 1; }

command -v node >/dev/null || die "node is missing: install Node.js 18 or later"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
node scripts/readers/js-test.mjs "$scratch"
