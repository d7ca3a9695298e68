#!/usr/bin/env bash
# Build the npm package sliding-tile-pdb from a clean clone: crates/wasm as three WebAssembly
# modules, and the TypeScript around them. wasm-rules has the rules of the puzzle alone, for the
# page's own thread; wasm has everything, for one thread; wasm-threads has no laboratory, and its
# memory is shared by several workers.
#
#   scripts/build/npm.sh [--pack DIRECTORY | --quick]
#
# Leaves crates/wasm/npm ready for use by a path; with --pack also writes the tarball that npm would
# publish to the directory. --quick compiles in half the time, for modules that are larger and
# slower: enough for tests of the page. Needs Rust and Node 20 with npm, for --pack also Python 3; installs
# what else it needs under target/ and crates/wasm/npm/node_modules. scripts/build/wasm.sh has the
# rest of the environment.
set -euo pipefail

say() { printf 'build/npm: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

place=
quick=no
case "$# ${1:-}" in
    "1 --quick")
        quick=yes
        export CARGO_PROFILE_WASM_LTO=off CARGO_PROFILE_WASM_CODEGEN_UNITS=16
        export CARGO_PROFILE_WASM_OPT_LEVEL=1
        ;;
    "2 --pack")
        mkdir -p "$2"
        place=$(cd "$2" && pwd)
        ;;
    "0 ") ;;
    *) die "usage: ${0##*/} [--pack DIRECTORY | --quick]" ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v npm >/dev/null || die "npm is missing: install Node.js 20 or later"
package=$PWD/crates/wasm/npm

tools=${CARGO_TARGET_DIR:-$PWD/target}/tools
cargo build --locked --manifest-path crates/wasm/bindgen/Cargo.toml --target-dir "$tools"

(cd "$package" && npm ci --no-audit --no-fund --loglevel=error >&2)
optimise=("$package/node_modules/.bin/wasm-opt" -O3 --strip-debug --strip-producers)
for feature in simd bulk-memory mutable-globals sign-ext nontrapping-float-to-int \
    reference-types multivalue; do
    optimise+=("--enable-$feature")
done

# make DIRECTORY [option of wasm.sh [options of wasm-opt]]
make() {
    local out=$package/$1 wasm
    wasm=$(scripts/build/wasm.sh ${2:+"$2"})
    rm -rf "$out"
    "$tools/debug/bindgen" "$wasm" "$out"
    if [ $quick = no ]; then
        "${optimise[@]}" "${@:3}" "$out/sliding_tile_pdb_bg.wasm" -o "$out/small.wasm"
        mv "$out/small.wasm" "$out/sliding_tile_pdb_bg.wasm"
    fi
    say "${out##*/}: $(wc -c <"$out/sliding_tile_pdb_bg.wasm") bytes"
}
make wasm-rules --rules
make wasm
make wasm-threads --threads --enable-threads

(cd "$package" && npm run --silent build >&2)
if [ -n "$place" ]; then
    (cd "$package" && npm pack --silent --pack-destination "$place")
fi
