#!/usr/bin/env bash
# Writes the Python package's module of results and options, which is made of the contract in
# crates/session.
#
#   scripts/build/python-contract.sh [FILE]
#
# FILE is by default the module in the package's source folder, which git ignores. The program that
# writes it is compiled with the features of `cargo test`, so compiled crates are reused.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
file=${1:-crates/python/python/sliding_tile_pdb/_contract.py}
cargo build --quiet --locked --features sliding-tile-pdb-session/schema --bin contract
"${CARGO_TARGET_DIR:-target}/debug/contract" python >"$file.new"
mv "$file.new" "$file"
