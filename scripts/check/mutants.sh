#!/usr/bin/env bash
# Measures whether a crate's own tests can fail: cargo-mutants changes its code in one place at a
# time and runs its tests of the short set. Fails if fewer than 95 % of the changes that compile are
# caught.
#
#   scripts/check/mutants.sh CRATE [SAMPLE] [OPTION...]
#
# CRATE is a folder of crates/; SAMPLE changes (60 if not given) are spread evenly over its code;
# OPTIONs are those of cargo-mutants, such as --re FUNCTION. .cargo/mutants.toml lists the changes
# that no test can notice. Works on a copy of the tree; target/mutants/CRATE/mutants.out has a log
# of each change. Installs cargo-mutants into target/tools where the pinned version is not on the
# PATH.
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

# Tests need these features, but not that of the long set.
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
# A change that loops and allocates reaches this limit. Files of killed tests are removed with the
# folder.
ulimit -v $((12 * 1024 * 1024)) -c 0
status=0
TMPDIR=$PWD/$output/temporary CARGO_PROFILE_DEV_DEBUG=0 cargo mutants "${options[@]}" \
    --shard "0/$shards" --sharding round-robin --output "$output" --colors never || status=$?
# 2: a change was missed, 3: a change did not end. Both are counted below.
case $status in 0 | 2 | 3) ;; *) exit "$status" ;; esac

count() { cat "${@/#/$output/mutants.out/}" | wc -l; }
caught=$(count caught.txt timeout.txt)
viable=$((caught + $(count missed.txt)))
printf 'mutants: %s: %d of %d changes caught\n' "$crate" "$caught" "$viable"
[ $((100 * caught)) -ge $((95 * viable)) ] || die "fewer than 95 % caught"
