#!/usr/bin/env bash
# Writes the Python package's module of results and options, which is made of the contract in
# crates/session.
#
#   scripts/build/python-contract.sh [FILE]
#
# FILE is by default the module in the package's source folder, which git ignores. The crates are
# compiled with descriptions, in the subfolder contract/ of cargo's target folder.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
file=${1:-crates/python/python/sliding_tile_pdb/_contract.py}
cargo run --quiet --locked --package sliding-tile-pdb-session --features schema --bin contract \
    --target-dir "${CARGO_TARGET_DIR:-target}/contract" -- python >"$file.new"
mv "$file.new" "$file"
