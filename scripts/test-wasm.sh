#!/usr/bin/env bash
# The libraries in WebAssembly: built without default features, checked in Node against native
# tables.
#
#   scripts/test-wasm.sh
#
# Package `wasm` takes all four libraries without default features, so building it builds them. The
# tables of the module must have the same bytes as those of pdb-gen, whose own must not depend on
# the number of threads. scripts/build-wasm.sh chooses the toolchain and heeds CARGO_TARGET_DIR.
set -euo pipefail

say() { printf 'test-wasm: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

command -v node >/dev/null || die "node is missing: install Node.js 18 or later"
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# No C compiler, file system or threads: neither the crates for that nor the features that bring
# them.
tree=$(cargo tree --locked -p wasm --target wasm32-unknown-unknown -e normal,build,features --prefix none)
for crate in sliding-tile-pdb-puzzle pdb-table pdb-gen sliding-tile-pdb-solver; do
    grep -q "^$crate v" <<<"$tree" || die "package wasm does not depend on $crate"
    ! grep -Eq "^$crate feature \"(bundle|file|parallel|zstd)\"" <<<"$tree" ||
        die "package wasm takes $crate with default features"
done
for crate in zstd zstd-sys cc rayon memmap2 tempfile clap; do
    ! grep -q "^$crate v" <<<"$tree" || die "package wasm depends on $crate"
done
say "no C compiler, file system or threads among the dependencies"

wasm=$(scripts/build-wasm.sh wasm)
if grep -q '\.debug_info' "$wasm"; then die "$wasm has debug sections"; fi
[ "$(wc -c <"$wasm")" -lt 2000000 ] || die "$wasm has more than 2 MB"
say "$wasm has no debug sections"

tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT
for threads in 1 2 5; do
    cargo run --quiet --locked --release --bin pdb-gen -- \
        --partition 6-6-3 --threads "$threads" --tables "$tables/$threads" --quiet
done
for threads in 2 5; do
    diff -r "$tables/1" "$tables/$threads" >&2 || die "other tables with $threads threads than with one"
done
say "the same tables with 1, 2 and 5 threads"

node scripts/wasm-test.mjs "$wasm" "$tables/1"
