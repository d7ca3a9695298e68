#!/usr/bin/env bash
# Checks for undefined behaviour: runs the unsafe code, the C library and the Python package under
# valgrind, sanitizers and Miri.
#
#   scripts/check/memory.sh [--quick] [miri] [valgrind] [asan] [tsan] [python]
#
# docs/unsafe.md lists the code that each tool runs and the errors that it finds.
#
# Without names all tools run. --quick runs only valgrind, on the programs that `cargo test` has
# compiled. A tool that is not available is skipped and listed at the end; if it was named in the
# call, the exit code is 1.
#
# Needs a C compiler, valgrind and Python 3 with venv. The script uses rustup to install missing
# components: the newest nightly toolchain with Miri, and the source of the standard library for
# tsan. Every Rust toolchain of rustup includes the sanitizers.
#
#   CARGO_TARGET_DIR    as for cargo; build files of these tools are in its subfolder memory/
set -euo pipefail

say() { printf 'check/memory: %s (%s s)\n' "$*" "$SECONDS" >&2; }
die() { printf 'check/memory: error: %s\n' "$*" >&2; exit 1; }
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tools=()
named=no
for argument; do
    case $argument in
        --quick) tools+=(valgrind) ;;
        miri | valgrind | asan | tsan | python) tools+=("$argument"); named=yes ;;
        *) die "usage: ${0##*/} [--quick] [miri] [valgrind] [asan] [tsan] [python]" ;;
    esac
done
[ ${#tools[@]} -gt 0 ] || tools=(miri valgrind asan tsan python)

place=${CARGO_TARGET_DIR:-$PWD/target}/memory
host=$(rustc -vV | sed -n 's/^host: //p')
export LSAN_OPTIONS=suppressions=$PWD/crates/capi/lsan.supp:print_suppressions=0
crates=(-p pdb-table -p pdb-gen -p sliding-tile-pdb-solver -p sliding-tile-pdb-capi)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missing=()
# without TOOL REASON: reports and records that a tool is not available.
without() {
    missing+=("$1: $2")
    say "$1 is not run: $2"
}

run_miri() {
    # The newest nightly toolchain may lack Miri.
    if ! cargo +nightly miri --version >/dev/null 2>&1; then
        command -v rustup >/dev/null || { without miri "rustup is not installed"; return; }
        timeout 300 rustup toolchain install nightly --profile minimal -c miri -c rust-src >&2 ||
            { without miri "rustup cannot install a nightly toolchain with Miri"; return; }
    fi
    cargo +nightly miri setup >"$work/setup" 2>&1 ||
        timeout 120 rustup component add --toolchain nightly rust-src >&2 ||
        { cat "$work/setup" >&2; without miri "rustup cannot add rust-src"; return; }
    say "miri: $(cargo +nightly miri --version)"
    # -disable-isolation: tests read the clock and the number of cores of the machine.
    # -tree-borrows: rayon's queues violate the older model, stacked borrows; this project does not.
    # -ignore-leaks: rayon never frees its collector, by design.
    # popcnt, bmi1, bmi2: Miri detects no instructions at run time, so they are compiled in.
    local flags="-Zmiri-disable-isolation -Zmiri-tree-borrows -Zmiri-ignore-leaks"
    flags+=" -Zmiri-permissive-provenance"
    # tiny_tables is skipped: it builds and searches tables in safe Rust, which is slow under Miri.
    # -O0: the C code is compiled but never run.
    CFLAGS="-O0 -g0" MIRIFLAGS=$flags RUSTFLAGS="-Ctarget-feature=+popcnt,+bmi1,+bmi2" \
        cargo +nightly miri test --locked --target-dir "$place/miri" -p sliding-tile-pdb-capi \
        --test tiny -- --skip tiny_tables || die "miri: a test failed"
}

run_valgrind() {
    command -v valgrind >/dev/null || { without valgrind "it is not installed"; return; }
    local program messages tests=0
    # Compiles the same packages as `cargo test`, so that features are equal and compiled crates are
    # reused.
    messages=$(cargo test --locked --no-run --lib --test tiny \
        --message-format=json-render-diagnostics) || die "valgrind: the tests do not compile"
    for program in $(sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' <<<"$messages"); do
        # A program without tests named tiny would pass without testing anything.
        "$program" --list tiny 2>/dev/null | grep ': test$' >/dev/null || continue
        say "valgrind: ${program##*/}"
        # Only lost memory is an error. Unlike in scripts/check/c.sh, reachable memory is allowed:
        # threads of Rust's test harness may still be ending when the program ends.
        valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
            --errors-for-leak-kinds=definite --suppressions=crates/capi/valgrind.supp \
            "$program" --test-threads 1 tiny || die "valgrind: $program"
        tests=$((tests + 1))
    done
    [ $tests -ge 4 ] || die "valgrind: $tests programs have tests named tiny, expected 4"
}

# sanitized KIND SUBCOMMAND ARGUMENT...: runs cargo with a sanitizer. --target keeps the sanitizer
# out of build scripts and macros. The code is optimised, because unoptimised searches would take
# minutes.
sanitized() {
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=$1" CARGO_PROFILE_DEV_OPT_LEVEL=1 \
        cargo "$2" --locked --target "$host" --target-dir "$place/$1" "${@:3}"
}

run_asan() {
    say "asan: tests"
    # row_index is skipped: its tests spend two minutes on the arithmetic of all rows of a tray.
    sanitized address test "${crates[@]}" --lib --test tiny --test calls --test damage -- \
        --skip row_index || die "asan: a test failed"
    command -v cc >/dev/null && command -v c++ >/dev/null ||
        { without "asan of the C examples" "no C compiler"; return; }
    say "asan: the C library"
    sanitized address rustc -p sliding-tile-pdb-capi --lib --crate-type staticlib --quiet ||
        die "asan: the C library does not compile"
    local source name compile flags=(-fsanitize=address,undefined -fno-omit-frame-pointer -O1 -g)
    for source in crates/capi/examples/*.c crates/capi/examples/*.cpp; do
        name=$(basename "$source")
        compile=(cc -std=c11)
        [[ $name != *.cpp ]] || compile=(c++ -std=c++17)
        "${compile[@]}" "${flags[@]}" -I crates/capi/include "$source" \
            "$place/address/$host/debug/libslidingtilepdb.a" -pthread -ldl -lm -o "$work/$name.asan" ||
            die "asan: $name cannot be linked"
        say "asan: $name"
        STP_PARTITION=4-4-4-3 UBSAN_OPTIONS=halt_on_error=1 "$work/$name.asan" >"$work/out" ||
            { cat "$work/out" >&2; die "asan: $name failed"; }
    done
}

run_tsan() {
    local source
    source=$(rustc --print sysroot)/lib/rustlib/src/rust/library/std
    [ -d "$source" ] || timeout 120 rustup component add rust-src >&2 ||
        { without tsan "rustup cannot add rust-src"; return; }
    # -Zbuild-std: tsan recognises the locks of the standard library only if that library is
    # compiled with tsan.
    say "tsan: tests"
    sanitized thread test -Zbuild-std "${crates[@]:2}" --lib --test tiny --test builds -- \
        tiny threads permits builders tables_of_the_3x3 || die "tsan: a test failed"
}

# package NAME COMMAND...: compiles the module with COMMAND, copies the Python package and the
# module to a new folder, and prints the path of the folder.
package() {
    local at=$place/python-$1 module
    module=$("${@:2}" --message-format=json-render-diagnostics -p python --lib |
        sed -n 's/.*"filenames":\["\([^"]*libsliding_tile_pdb\.so\)".*/\1/p') &&
        [ -e "$module" ] || return 1
    mkdir -p "$at"
    cp -r crates/python/python/sliding_tile_pdb "$at"
    cp "$module" "$at/sliding_tile_pdb/_native.abi3.so"
    scripts/build/contract.sh python "$at/sliding_tile_pdb/_contract.py"
    printf '%s\n' "$at"
}

run_python() {
    local venv=$place/venv asan at
    # Tests of the unsafe code: look-ups that use the caller's arrays, and arrays that share the
    # memory of a table.
    local tests=(-m pytest -q -x -p no:cacheprovider -m "not slow" -k "test_lookup or values"
        crates/python/tests/test_lookup.py crates/python/tests/test_tables.py)
    export PYTHONDONTWRITEBYTECODE=1 PYTHONMALLOC=malloc PYO3_BUILD_EXTENSION_MODULE=1

    [ -x "$venv/bin/pip" ] || python3 -m venv "$venv" ||
        { without python "no Python 3 with venv"; return; }
    "$venv/bin/pip" install --quiet --disable-pip-version-check pytest numpy >&2 ||
        { without python "pip cannot install pytest and numpy"; return; }

    asan=$(cc -print-file-name=libasan.so 2>/dev/null) || asan=
    if [ -e "$asan" ]; then
        say "python: with AddressSanitizer"
        at=$(package asan sanitized address build) || die "python: the module does not compile"
        # Leaks are not detected, because the interpreter is compiled without asan and keeps memory
        # until exit.
        LD_PRELOAD=$(readlink -f "$asan") ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$at \
            "$venv/bin/python" "${tests[@]}" || die "python: with AddressSanitizer"
    else
        without "python with AddressSanitizer" "the C compiler has no libasan"
    fi

    command -v valgrind >/dev/null ||
        { without "python under valgrind" "valgrind is not installed"; return; }
    say "python: under valgrind"
    at=$(package plain env CARGO_PROFILE_DEV_OPT_LEVEL=1 \
        cargo build --locked --target-dir "$place/plain") || die "python: the module does not compile"
    # Leaks are not checked, because Python and numpy keep memory until exit. Uninitialised values
    # are not checked either: interpreters read some of them on purpose, and valgrind also reports
    # values that are computed from them.
    PYTHONPATH=$at valgrind --quiet --error-exitcode=99 --leak-check=no --undef-value-errors=no \
        --suppressions="$PWD/crates/python/valgrind.supp" \
        "$venv/bin/python" "${tests[@]}" || die "python: under valgrind"
}

for tool in "${tools[@]}"; do
    "run_$tool"
done
for line in ${missing[@]+"${missing[@]}"}; do
    say "skipped: $line"
done
[ ${#missing[@]} = 0 ] || [ $named = no ] || die "a requested tool is not available here"
say "done: ${tools[*]}"
