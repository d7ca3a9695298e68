#!/usr/bin/env bash
# Measures whether a crate's own tests can fail: changes its code in one place at a time
# (cargo-mutants), runs its tests, and counts the changes that they notice.
#
#   scripts/mutants.sh CRATE SHARD [--sample N] [--seed N] [--again] [--only TEXT] [--alone]
#       [--longest SECONDS] [--short]
#
# CRATE is a folder of crates/. The sample is 60 changes that compile (--sample), drawn in an order
# that the seed (--seed, 1) and the changed lines decide, so that it stays when other code moves.
# SHARD is K/N: each N-th change of that order, from the K-th, and so 1/1 is the whole sample.
# --again keeps what the last run of this shard caught, or the last one with --short, and runs the
# rest: after new tests, or after an interruption. --only runs all changes whose names contain TEXT,
# such as board.rs: or a function, instead of a sample. --alone compiles each change alone, and not
# all in one program. --short runs the tests of the short set alone (CONTRIBUTING.md). --longest
# leaves out tests that take more seconds of the processor, which it names: what is caught is then a
# lower bound.
#
# crates/CRATE/tests/mutants.txt lists changes that no test can notice, and those that none is to
# notice, with reasons; scripts/mutants.py says how. The exit code is 1 if fewer than 95 % of the
# sample are caught, or if a test notices what is said to be equal.
#
# Works in target/mutants, on a copy of the tree: what is being edited is not touched. Needs Python
# 3; installs cargo-mutants into target/tools where the pinned version is not on the PATH.
set -euo pipefail

say() { printf 'mutants: %s (%s s)\n' "$*" "$SECONDS" >&2; }
die() { printf 'mutants: error: %s\n' "$*" >&2; exit 1; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=27.1.0
usage="usage: scripts/mutants.sh CRATE SHARD [--sample N] [--seed N] [--again] [--only TEXT]"
usage+=" [--alone] [--longest SECONDS] [--short]"
[ $# -ge 2 ] || die "$usage"
[ -f "crates/$1/Cargo.toml" ] || die "there is no crate crates/$1"
[[ $2 =~ ^[1-9][0-9]*/[1-9][0-9]*$ ]] || die "$2 is no shard: $usage"
command -v python3 >/dev/null || die "python3 is missing"

export PATH=$PWD/target/tools/bin:$PATH
[ "$(cargo mutants --version 2>/dev/null)" = "cargo-mutants $version" ] || {
    say "installing cargo-mutants $version into target/tools"
    cargo install cargo-mutants --version "$version" --locked --quiet --root target/tools
}

mkdir -p target/mutants/temporary
exec 9>target/mutants/lock
flock --nonblock 9 || die "another run is at work in target/mutants"
trap 'rm -rf target/mutants/temporary' EXIT

# One crate is compiled some times, and its tests run for seconds. What loops and asks for memory
# ends here, and temporary files of tests that were killed go with the folder.
export CARGO_PROFILE_DEV_OPT_LEVEL=${MUTANTS_OPT_LEVEL:-2} CARGO_PROFILE_DEV_DEBUG=0
export CARGO_INCREMENTAL=1 TMPDIR=$PWD/target/mutants/temporary
unset CARGO_TARGET_DIR CARGO_BUILD_TARGET_DIR
ulimit -v $((12 * 1024 * 1024)) -c 0

python3 scripts/mutants.py "$@"
