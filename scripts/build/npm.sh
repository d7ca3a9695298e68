#!/usr/bin/env bash
# Builds the npm package sliding-tile-pdb: crates/wasm as four WebAssembly modules, and the
# TypeScript around them.
#
# - wasm-rules: only the rules of the puzzle, for the page's main thread;
# - wasm: the rules and the solver, single-threaded;
# - wasm-threads: the rules and the solver, for several workers that share the module's memory;
# - wasm-laboratory: the rules and the laboratory, single-threaded.
#
#   scripts/build/npm.sh [--pack DIRECTORY] [--quick] [--no-threads]
#
# Afterwards other packages can depend on crates/npm by its path. Existing results of the same
# inputs are reused (reuse.sh).
#
#   --pack DIRECTORY   also writes the tarball for publication to the directory
#   --quick            for tests: compiles with less optimisation and skips wasm-opt. The modules
#                      are then 1.5 times as large and search at the same speed. Existing full
#                      modules are reused
#   --no-threads       skips wasm-threads, so solvers have one thread. This halves the build time,
#                      because that module needs its own standard library. An existing module of
#                      the same inputs is reused
#
# Needs Rust and Node 20 with npm, for --pack also Python 3; installs everything else under target/
# and crates/npm/node_modules. scripts/build/wasm.sh documents the environment variables.
set -euo pipefail

say() { printf 'build/npm: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }
usage() { die "usage: ${0##*/} [--pack DIRECTORY] [--quick] [--no-threads]"; }

place=
quick=no
threads=yes
while [ $# -gt 0 ]; do
    case $1 in
        --pack)
            [ $# -ge 2 ] || usage
            mkdir -p "$2"
            place=$(cd "$2" && pwd)
            shift
            ;;
        --quick) quick=yes ;;
        --no-threads) threads=no ;;
        *) usage ;;
    esac
    shift
done
[ -z "$place" ] || [ $quick$threads = noyes ] ||
    die "--pack excludes --quick and --no-threads: it writes the package for publication"
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source scripts/build/reuse.sh
need_programs
package=crates/npm

# --- Inputs of the modules --------------------------------------------------

# Folders of the workspace crates that the modules contain.
inputs=(Cargo.toml Cargo.lock .cargo/config.toml crates/wasm
    scripts/build/{npm,wasm,path-flags}.sh $package/package-lock.json)
tree=$(cargo tree --locked --quiet --package wasm --all-features --target wasm32-unknown-unknown \
    --edges no-dev --prefix none --format '{p}') || die "cargo tree failed"
while read -r folder; do
    [ "$folder" = "$PWD/crates/wasm" ] || inputs+=("${folder#"$PWD/"}")
done < <(sed -n 's,.* (\(/[^)]*\))$,\1,p' <<<"$tree" | sort -u)
settings=$(env | grep -E '^(CARGO_PROFILE_WASM|WASM_TOOLCHAIN)' | LC_ALL=C sort) || true
rust=$(sum "${inputs[@]}" -- "$(rustc -vV)" "$settings")

# --- Modules ----------------------------------------------------------------

tools=${CARGO_TARGET_DIR:-$PWD/target}/tools
optimise=(--strip-debug --strip-producers)
for feature in simd bulk-memory mutable-globals sign-ext nontrapping-float-to-int \
    reference-types multivalue; do
    optimise+=("--enable-$feature")
done

# Whether the module NAME is up to date. --quick also accepts a module of a full build.
has_module() { # NAME
    is_current "$1" "$rust full" "$package/$1" && return
    [ $quick = yes ] && is_current "$1" "$rust quick" "$package/$1"
}

begun=no
# Builds the tool that all modules need. Only the first call has an effect.
begin() {
    [ $begun = no ] || return 0
    begun=yes
    say "the program that generates modules for browsers (crates/wasm/bindgen)"
    cargo build --locked --manifest-path crates/wasm/bindgen/Cargo.toml --target-dir "$tools"
}

make() { # NAME [WASM.SH-OPTION [WASM-OPT-OPTION...]]
    local out=$package/$1 wasm mode=full
    if has_module "$1"; then
        say "$1 is up to date"
        return
    fi
    begin
    say "$1: compiling"
    if [ $quick = yes ]; then
        mode=quick
        # With the feature of the other module, cargo compiles the crates that both need once.
        wasm=$(WASM_LABORATORY_FEATURES=laboratory,solver \
            CARGO_PROFILE_WASM_LTO=off CARGO_PROFILE_WASM_CODEGEN_UNITS=16 \
            CARGO_PROFILE_WASM_OPT_LEVEL=1 scripts/build/wasm.sh ${2:+"$2"})
    else
        wasm=$(scripts/build/wasm.sh ${2:+"$2"})
    fi
    rm -rf "$out"
    "$tools/debug/bindgen" "$wasm" "$out"
    if [ $mode = full ]; then
        say "$1: wasm-opt"
        "$package/node_modules/.bin/wasm-opt" -O3 "${optimise[@]}" "${@:3}" \
            "$out/sliding_tile_pdb_bg.wasm" -o "$out/small.wasm"
        mv "$out/small.wasm" "$out/sliding_tile_pdb_bg.wasm"
    fi
    note "$1" "$rust $mode" "$out"
    say "$1: $(wc -c <"$out/sliding_tile_pdb_bg.wasm") bytes"
}

install_packages $package
make wasm-rules --rules
make wasm
make wasm-laboratory --laboratory
if [ $threads = yes ] || has_module wasm-threads; then
    make wasm-threads --threads --enable-threads
else
    say "wasm-threads is skipped: solvers have one thread"
    rm -rf $package/wasm-threads
    mkdir $package/wasm-threads
    cp $package/scripts/no-threads/* $package/wasm-threads
    # The smallest valid module: magic number and version.
    printf '\0asm\1\0\0\0' >$package/wasm-threads/sliding_tile_pdb_bg.wasm
fi

# --- TypeScript -------------------------------------------------------------

scripts/build/contract.sh typescript
key=$(sum $package/{src,tsconfig.json,package.json,package-lock.json} \
    $package/wasm{,-rules,-threads,-laboratory}/sliding_tile_pdb.d.ts)
if is_current npm "$key" $package/dist; then
    say "the package's TypeScript is up to date"
else
    say "TypeScript"
    (cd $package && npm run --silent build >&2)
    note npm "$key" $package/dist
fi
if [ -n "$place" ]; then
    (cd $package && npm pack --silent --pack-destination "$place")
fi
