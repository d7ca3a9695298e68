#!/usr/bin/env bash
# Mutation testing of a crate: cargo-mutants changes the code in one place at a time and runs the
# crate's tests of the short set. Fails if the tests catch fewer than 95 % of the changes that
# compile.
#
#   scripts/check/mutants.sh CRATE [SAMPLE] [OPTION...]
#
# CRATE is a folder of crates/. SAMPLE is the number of changes [default: 60]; these are spread
# evenly over the crate's code. OPTIONs are those of cargo-mutants, such as --re FUNCTION.
# .cargo/mutants.toml lists the changes that no test can detect. Works on a copy of the tree;
# target/mutants/CRATE/mutants.out contains a log per change. Installs cargo-mutants into
# target/tools unless PATH has the pinned version.
set -euo pipefail

die() { printf 'mutants: error: %s\n' "$*" >&2; exit 1; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

version=27.1.0
crate=${1:-}
[ -f "crates/$crate/src/lib.rs" ] || die "usage: scripts/check/mutants.sh CRATE [SAMPLE] [OPTION...]"
sample=${2:-60}
shift $(($# < 2 ? $# : 2))
export PATH=$PWD/target/tools/bin:$PATH
[ "$(cargo mutants --version 2>/dev/null)" = "cargo-mutants $version" ] ||
    cargo install cargo-mutants --version "$version" --locked --quiet --root target/tools

# Features that the tests need, except `long-tests`.
case $crate in
    puzzle) options=(--features serde) ;;
    pdb-table) options=(--features bundle) ;;
    *) options=() ;;
esac
options+=(--package "$(sed -n 's/^name = "\(.*\)"$/\1/p' "crates/$crate/Cargo.toml" | head -n 1)" "$@")
all=$(cargo mutants --list "${options[@]}" | wc -l)
[ "$all" -gt 0 ] || die "no changes: $*"
shards=$(((all + sample - 1) / sample))
output=target/mutants/$crate
mkdir -p "$output/temporary"
trap 'rm -rf "$output/temporary"' EXIT
# The memory limit stops mutants that allocate in an endless loop. The files of killed tests are
# removed with their temporary folder.
ulimit -v $((12 * 1024 * 1024)) -c 0
status=0
TMPDIR=$PWD/$output/temporary CARGO_PROFILE_DEV_DEBUG=0 cargo mutants "${options[@]}" \
    --shard "0/$shards" --sharding round-robin --output "$output" --colors never || status=$?
# Exit code 2: a mutant was missed; 3: a mutant timed out. Both kinds are counted below.
case $status in 0 | 2 | 3) ;; *) exit "$status" ;; esac

count() { cat "${@/#/$output/mutants.out/}" | wc -l; }
caught=$(count caught.txt timeout.txt)
viable=$((caught + $(count missed.txt)))
printf 'mutants: %s: %d of %d changes caught\n' "$crate" "$caught" "$viable"
[ $((100 * caught)) -ge $((95 * viable)) ] || die "fewer than 95 % caught"
