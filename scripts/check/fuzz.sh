#!/usr/bin/env bash
# Fuzzes all targets of crates/fuzz, or the named targets, with libFuzzer and AddressSanitizer. The
# targets share SECONDS equally.
#
#   scripts/check/fuzz.sh SECONDS [TARGET...]
#
# cargo-fuzz 0.13.2 compiles and fuzzes the same targets, but only one per call; it has no total
# time limit and no table.
#
# Prints a table: executions, executions per second, edges that the corpus covers, inputs in the
# corpus, and crashes. A crash ends its target. The exit code is then 1, and the script prints a
# command that repeats the crash with any toolchain. After fixing the bug, add the input to
# crates/fuzz/seeds/TARGET.txt.
#
# The corpus remains in target/fuzz-corpus for later runs. Inputs that crash a target are stored in
# target/fuzz-crashes. Each target unpacks the seeds of crates/fuzz/seeds to target/fuzz-seeds.
#
# Needs a C++ compiler for libFuzzer, and a rustup toolchain for x86-64 or aarch64 Linux. Toolchains
# of rustup include the run-time library of AddressSanitizer; Debian's toolchains do not, so they
# need FUZZ_SANITIZER=none. The flags of the sanitizer and of edge counting are unstable;
# RUSTC_BOOTSTRAP=1 enables them on any toolchain, not only nightly.
#
#   CARGO_TARGET_DIR   as for cargo; build files are in its subfolder fuzz
#   FUZZ_SANITIZER     address (the default) or none
set -euo pipefail

say() { printf 'fuzz: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 2; }

[[ "${1:-}" =~ ^[1-9][0-9]*$ ]] || die "usage: ${0##*/} SECONDS [TARGET...]"
seconds=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
known=(crates/fuzz/seeds/*.txt)
known=("${known[@]##*/}")
known=("${known[@]%.txt}")
targets=("$@")
[ $# -gt 0 ] || targets=("${known[@]}")
for target in "${targets[@]}"; do
    [ -f "crates/fuzz/seeds/$target.txt" ] || die "unknown target $target: ${known[*]}"
done
each=$((seconds / ${#targets[@]}))
[ $each -gt 0 ] || die "${#targets[@]} targets need at least one second each, not $seconds s in all"

place=${CARGO_TARGET_DIR:-target}
mkdir -p "$place"
# Makes the path absolute, because the fuzzers run in another folder.
place=$(cd "$place" && pwd)
host=$(rustc -vV | sed -n 's/^host: //p')
flags="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
flags+=" -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Ccodegen-units=16"
flags+=" -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares"
case ${FUZZ_SANITIZER:-address} in
    address) flags+=" -Zsanitizer=address" ;;
    none) ;;
    *) die "FUZZ_SANITIZER is $FUZZ_SANITIZER: expected address or none" ;;
esac
features=()
for target in "${targets[@]}"; do
    # Only this target needs the service and its hundred crates.
    [ "$target" != http ] || features=(--features http)
done
# With --target, build scripts and macros are compiled without these flags.
say "compiling ${#targets[@]} targets"
RUSTC_BOOTSTRAP=1 RUSTFLAGS=$flags cargo build --quiet --locked \
    -p fuzz --target "$host" --target-dir "$place/fuzz" \
    --config 'profile.dev.package.sliding-tile-pdb-solver.opt-level=1' \
    ${features[@]+"${features[@]}"} ||
    die "the targets cannot be compiled (see above)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# One thread builds tables: several would spend most of the time waiting for each other.
export RAYON_NUM_THREADS=1 TMPDIR=$work
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_odr_violation=0:allocator_may_return_null=1}
failed=0
row='%-12s %12s %9s %9s %8s %8s\n'
printf "$row" target executions a_second edges inputs crashes
for target in "${targets[@]}"; do
    corpus=$place/fuzz-corpus/$target crashes=$place/fuzz-crashes/$target log=$work/$target.log
    export FUZZ_SEED_FOLDER=$place/fuzz-seeds/$target
    rm -rf "$FUZZ_SEED_FOLDER"
    mkdir -p "$corpus" "$crashes" "$FUZZ_SEED_FOLDER"
    status=0
    # -fork and -jobs are not used, because the figures of several processes would have to be
    # combined.
    (cd "$work" && FUZZ_TARGET=$target "$place/fuzz/$host/debug/target" "$corpus" "$FUZZ_SEED_FOLDER" \
        -max_total_time="$each" -max_len=6000 -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 \
        -verbosity=1 -artifact_prefix="$crashes/") >"$log" 2>&1 || status=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    rate=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
    # Empty if an input of the corpus or of the seeds crashes.
    edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d ' ' -f 2) || true
    inputs=$(find "$corpus" -type f | wc -l)
    crashed=$((status != 0))
    printf "$row" "$target" "${executions:-?}" "${rate:-?}" "${edges:-?}" "$inputs" $crashed
    if [ $crashed = 1 ]; then
        failed=1
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        grep -vE '^#[0-9]+	|^stat::|^INFO: ' "$log" | head -n 40 >&2 || true
        say "$target failed (exit code $status). To repeat:" \
            "FUZZ_TARGET=$target cargo run -p fuzz -- ${input:-?}"
    fi
done
exit $failed
