#!/usr/bin/env bash
# Writes the types of questions and answers for another language, made of the contract in
# crates/session.
#
#   scripts/build/contract.sh python|typescript [FILE]
#
# FILE is by default the module in the package's source folder, which git ignores. The program that
# writes it is compiled with the features of `cargo test`, so compiled crates are reused.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
case $1 in
    python) file=crates/python/python/sliding_tile_pdb/_contract.py ;;
    typescript) file=crates/npm/src/contract.ts ;;
esac
file=${2:-$file}
cargo build --quiet --locked --features sliding-tile-pdb-session/schema --bin contract
"${CARGO_TARGET_DIR:-target}/debug/contract" "$1" >"$file.new"
mv "$file.new" "$file"
