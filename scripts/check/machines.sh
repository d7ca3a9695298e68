#!/usr/bin/env bash
# Tests the libraries and commands for other machines on this machine.
#
#   scripts/check/machines.sh [--quick] [MACHINE...]    [default: all]
#
# MACHINE is one of
#   aarch64, armv7   run by qemu-user
#   i686             run directly if this machine's kernel supports it, otherwise by qemu-user
#   windows          run by Wine
#   check            type checks for macOS, FreeBSD and musl, without linking or running
#
# docs/reliability.md, "Other machines", lists the tests of each machine.
#
# --quick runs only the tests that depend most on the machine, and the tests of the checksums of
# table files and packed files. Tests that are meaningless under qemu-user are skipped; the reasons
# are below.
#
# The script installs missing targets with rustup, and missing compilers and emulators from Debian.
# The program `cross` can run the same tests in containers, but needs Docker or Podman.
#
# Documentation examples run only on this machine, in `cargo test`.
set -euo pipefail

say() { printf 'check/machines: %s (%s s)\n' "$*" "$SECONDS" >&2; }
die() { printf 'check/machines: error: %s\n' "$*" >&2; exit 1; }

quick=no
machines=()
for argument in "$@"; do
    case $argument in
        --quick) quick=yes ;;
        aarch64 | armv7 | i686 | windows | check) machines+=("$argument") ;;
        *) die "usage: ${0##*/} [--quick] [aarch64] [armv7] [i686] [windows] [check]" ;;
    esac
done
[ ${#machines[@]} -gt 0 ] || machines=(aarch64 armv7 i686 windows check)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
# Uses the target folder of ordinary builds, so that build scripts and macros compiled for the host
# are reused.
target_dir=${CARGO_TARGET_DIR:-$root/target}
mkdir -p "$target_dir"
work=$(mktemp -d)
wine=/usr/lib/wine/wine64
stop() {
    [ ! -d "$work/wine" ] || WINEPREFIX=$work/wine "${wine%/*}/wineserver64" -k 2>/dev/null || true
    rm -rf "$work"
}
trap stop EXIT

export CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0
# --quick compiles with optimisation level 1. Each test then runs only once, so level 2 would add
# more compile time than it saves.
[ $quick = no ] || export CARGO_PROFILE_DEV_OPT_LEVEL=${CARGO_PROFILE_DEV_OPT_LEVEL:-1}

# --- Tools ------------------------------------------------------------------

# debian PATH PACKAGE...: installs packages if the command or file PATH is missing.
debian() {
    local path=$1 privileged=()
    shift
    ! { [ -e "$path" ] || command -v "$path"; } >/dev/null || return 0
    command -v apt-get >/dev/null || die "$path is missing (Debian has it in $1)"
    if [ "$(id -u)" != 0 ]; then
        sudo -n true 2>/dev/null || die "$path is missing, and installing $1 needs root"
        privileged=(sudo -n)
    fi
    say "apt-get install $*"
    "${privileged[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 update >&2 ||
        say "apt-get update failed; continuing with the existing lists"
    "${privileged[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends "$@" >&2 || die "apt-get could not install $*"
}

# use_target TARGET: adds a target and sets `flags` of cargo. Build scripts find the C compiler of
# the target by its usual name, such as aarch64-linux-gnu-gcc.
use_target() {
    rustup target add "$1" >&2 || die "no standard library for $1"
    flags=(--locked --target "$1")
}

# --- Under qemu-user --------------------------------------------------------

# Tests that compare the bytes of table files and packed files with fixed checksums.
table_tests=(-p pdb-table -p pdb-gen --lib --test golden --test pack)

# test_programs PACKAGE...: compiles tests and prints the folder and the path of each test program.
# cargo also lists the commands that tests start, but only test programs have "test":true.
test_programs() {
    cargo test --no-run "${flags[@]}" --message-format=json-render-diagnostics "$@" |
        sed -n '/"profile":{[^}]*"test":true/s/.*"manifest_path":"\([^"]*\)\/Cargo\.toml".*"executable":"\([^"]*\)".*/\1\t\2/p'
}

# run_programs ARGUMENT...: runs the programs listed on standard input, with `runner` as a prefix.
# Each program runs in the folder of its package, as with cargo, because tests open files there.
run_programs() {
    local folder program name count=0
    while IFS=$'\t' read -r folder program; do
        name=$(basename "$folder") name+=" $(basename "$program" | sed 's/-[0-9a-f]*\(\.exe\)\?$//')"
        (cd "$folder" && "${runner[@]}" "$program" -q "$@" </dev/null) >"$work/out" 2>&1 || {
            cat "$work/out" >&2
            die "$name failed"
        }
        say "$name: $(sed -n 's/^test result: ok\. //p' "$work/out" | cut -d ';' -f 1,3,5)"
        count=$((count + 1))
    done
    [ $count -gt 0 ] || die "no test program was compiled"
}

# Command tests that cannot pass under qemu. With `ulimit -v` there is too little address space for
# both qemu and the program. qemu 7.2 cannot open pseudo-terminals.
skipped=(
    --skip on_a_terminal
    --skip files_that_only_begin_like_packed_tables_need_no_memory
    --skip a_checkpoint_that_claims_gigabytes_allocates_none
)

# emulated TARGET PREFIX DEBIAN QEMU: tests an architecture. DEBIAN and QEMU are its names in Debian
# and in qemu.
emulated() {
    local target=$1 prefix=$2 emulator=qemu-$4-static name upper
    debian "$prefix-gcc" "gcc-$prefix"
    debian "/usr/$prefix/include/stdio.h" "libc6-dev-$3-cross"
    use_target "$target"
    upper=$(tr 'a-z-' 'A-Z_' <<<"$target")
    export "CARGO_TARGET_${upper}_LINKER=$prefix-gcc"
    # The kernel may run these programs without an emulator.
    if [ "$target" = i686-unknown-linux-gnu ] &&
        "$prefix-gcc" -static -x c -o "$work/here" - <<<'int main(void) { return 0; }' &&
        "$work/here" 2>/dev/null; then
        # The programs are linked statically, so they need no dynamic loader for i686.
        export "CARGO_TARGET_${upper}_RUSTFLAGS=-Ctarget-feature=+crt-static"
        runner=()
    else
        debian "$emulator" qemu-user-static
        runner=("$emulator" -L "/usr/$prefix")
    fi

    if [ $quick = yes ]; then
        # Calls cargo only once: for another set of packages, cargo would enable other features and
        # compile the crates again.
        test_programs "${table_tests[@]}" >"$work/programs"
        run_programs < <(grep -v '/pack-' "$work/programs")
        run_programs the_bytes_are_pinned < <(grep '/pack-' "$work/programs")
        return
    fi
    # Calls cargo once for all packages, because some tests need features that are enabled only if
    # all these packages are compiled together.
    test_programs -p sliding-tile-pdb-puzzle -p pdb-table -p pdb-gen -p sliding-tile-pdb-solver \
        -p sliding-tile-pdb-lab -p sliding-tile-pdb-plot -p sliding-tile-pdb-command -p sliding-tile-pdb >"$work/programs"
    if [ ${#runner[@]} = 0 ]; then
        run_programs <"$work/programs"
        return
    fi
    run_programs < <(grep -v $'/cli\t' "$work/programs")
    # Tests start the commands by path, so each command is replaced by a script that starts it in
    # the emulator.
    for name in pdb-gen solver; do
        name=$target_dir/$target/debug/$name
        mv "$name" "$name.emulated"
        printf '#!/bin/sh\nexec %s -L %s -0 "$0" "$0.emulated" "$@"\n' \
            "$(command -v "$emulator")" "/usr/$prefix" >"$name"
        chmod +x "$name"
    done
    run_programs "${skipped[@]}" < <(grep $'/cli\t' "$work/programs")
}

# --- Under Wine -------------------------------------------------------------

# random_numbers FOLDER: provides ProcessPrng, from which Rust's standard library reads random
# numbers. Wine 8 (Debian 12) lacks it.
random_numbers() {
    local folder
    for folder in /usr/lib/*/wine/x86_64-windows; do
        [ ! -e "$folder/bcryptprimitives.dll" ] || return 0
    done
    x86_64-w64-mingw32-gcc -shared -x c - -ladvapi32 -o "$1/bcryptprimitives.dll" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
    return SystemFunction036(bytes, (ULONG)length);
}
C
}

# runs STATUS COMMAND ARGUMENT...: runs a command that must end with STATUS. Its output is in
# $work/said.
runs() {
    local expected=$1 status=0
    shift
    "$wine" "$bin/$1.exe" "${@:2}" </dev/null >"$work/said" 2>&1 || status=$?
    [ $status = "$expected" ] || {
        cat "$work/said" >&2
        die "$* ended with $status, expected $expected"
    }
}
said() { grep -q "$1" "$work/said" || { cat "$work/said" >&2; die "missing in the output: $1"; }; }

windows() {
    local target=x86_64-pc-windows-gnu
    debian x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    debian $wine wine64
    use_target $target
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    cargo build "${flags[@]}" -p sliding-tile-pdb --bins
    local bin=$target_dir/$target/debug
    random_numbers "$bin"
    if [ $quick = no ]; then
        test_programs "${table_tests[@]}" >"$work/programs"
        random_numbers "$bin/deps"
    fi

    say "Wine"
    export WINEPREFIX=$work/wine WINEDEBUG=-all
    export WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe="
    mkdir "$WINEPREFIX"
    "${wine%/*}/wineserver64" -p
    "$wine" cmd /c ver >/dev/null 2>&1 || die "Wine does not start"

    say "tables: built, proved, and compared with data/tables.sha256"
    local tables=$work/tables table
    local at=(--tables "$tables") small=(--size 3x3 --partition 8)
    runs 0 pdb-gen --quiet "${at[@]}" "${small[@]}"
    runs 0 pdb-gen --quiet "${at[@]}" --size 3x3 --partition 5-3
    runs 0 pdb-gen verify "${at[@]}" "${small[@]}"
    if [ $quick = no ]; then
        runs 0 pdb-gen --quiet "${at[@]}" --size 4x4 --partition 6-6-3
        runs 0 pdb-gen verify "${at[@]}" --size 4x4 --partition 6-6-3
        runs 0 solver "${at[@]}" "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"
        said "^55 moves: "
    fi
    (cd "$tables" && sha256sum --check --ignore-missing --quiet "$root/data/tables.sha256") ||
        die "a table that was built under Wine has other bytes"
    [ -z "$(find "$tables" -type f ! -name '*.pdb')" ] || {
        ls -a "$tables" >&2
        die "unfinished files remain"
    }

    say "tables: packed, unpacked, and rejected when damaged"
    runs 0 pdb-gen pack "${at[@]}" "${small[@]}" --out "$work/packed"
    runs 0 pdb-gen unpack "$work/packed" --tables "$work/unpacked"
    for table in "$work"/unpacked/*.pdb; do
        cmp "$table" "$tables/${table##*/}"
    done
    runs 0 solver "${at[@]}" "${small[@]}" "8 6 7/2 5 4/3 0 1"
    said "^31 moves: "
    printf x >>"$tables/3x3-zero-aware-0.1.2.3.4.5.6.7-blank8.pdb"
    runs 3 pdb-gen verify "${at[@]}" "${small[@]}"
    runs 3 solver "${at[@]}" "${small[@]}" "8 6 7/2 5 4/3 0 1"

    say "an unsolvable board, and an invalid one"
    runs 1 solver "${at[@]}" "1 2 3/4 5 6/8 7 0"
    runs 2 solver "${at[@]}" "1 2 3/4 5 6/7 8 99"
    [ $quick = yes ] || run_programs <"$work/programs"
}

# --- Type checks ------------------------------------------------------------

check() {
    # C code is not compiled: nothing is linked, so empty object files suffice.
    printf '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || : >"$2"; shift; done\n' >"$work/cc"
    chmod +x "$work/cc"
    local target
    for target in aarch64-apple-darwin x86_64-unknown-freebsd aarch64-unknown-linux-musl; do
        use_target $target
        CC=$work/cc AR=true cargo check "${flags[@]}" -p sliding-tile-pdb -p sliding-tile-pdb-capi \
            -p sliding-tile-pdb-server
    done
}

for machine in "${machines[@]}"; do
    case $machine in
        aarch64) emulated aarch64-unknown-linux-gnu aarch64-linux-gnu arm64 aarch64 ;;
        armv7) emulated armv7-unknown-linux-gnueabihf arm-linux-gnueabihf armhf arm ;;
        i686) emulated i686-unknown-linux-gnu i686-linux-gnu i386 i386 ;;
        *) "$machine" ;;
    esac
done
say "all passed: ${machines[*]}"
