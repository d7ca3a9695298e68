#!/usr/bin/env bash
# Builds the standard tables and compares them with data/tables.sha256.
#
#   scripts/check/tables.sh [--write] [DIR]
#
# Tables are written to DIR [default: a temporary directory]. --write replaces data/tables.sha256,
# for changes of the presets.
set -euo pipefail
cd "$(dirname "$0")/../.."

write=no
if [ "${1:-}" = --write ]; then
    write=yes
    shift
fi
tables=${1:-}
if [ -z "$tables" ]; then
    tables=$(mktemp -d)
    trap 'rm -rf "$tables"' EXIT
fi

cargo build --quiet --locked --release --bin pdb-gen
build() { target/release/pdb-gen --quiet --tables "$tables" "$@"; }
build --size 2x2 --partition 3
for partition in 8 5-3 fringe; do
    build --size 3x3 --partition "$partition"
done
# Includes the tables for other goal cells of the blank: an edge cell and a centre cell.
build --size 4x4 --partition 6-6-3
build --size 4x4 --partition 7-8

list=$PWD/data/tables.sha256
cd "$tables"
if [ $write = yes ]; then
    sha256sum -- *.pdb >"$list"
else
    sha256sum --check --strict -- "$list"
fi
