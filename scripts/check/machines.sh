#!/usr/bin/env bash
# Tests the libraries and commands for other machines, on this one.
#
#   scripts/check/machines.sh [--quick] [MACHINE...]    all but count if none is named
#
#   aarch64   aarch64-unknown-linux-gnu, run by qemu-user: 64 bits, another instruction set
#   armv7     armv7-unknown-linux-gnueabihf, run by qemu-user: 32 bits
#   i686      i686-unknown-linux-gnu: 32 bits, run by the kernel where it can, else by qemu-user
#   windows   x86_64-pc-windows-gnu: tests of files, and the commands' work, under Wine
#   check     checks the types for macOS, FreeBSD and musl; nothing is linked or run
#   count     counts the instructions that the same work takes on aarch64 and on x86-64
#
# --quick leaves out all but the bytes of tables and packed files, and what depends most on the
# machine. Tests that say nothing under qemu-user are skipped; each has its reason below.
#
# The ordinary way is rustup's target, added if missing. Where that download is not to be had,
# Debian's rustc-web, cargo-web and rust-web-src are used, and the standard library is built from
# source. Compilers and emulators that are missing are installed from Debian.
#
#   CARGO_TARGET_DIR           as for cargo; what Debian's compiler makes goes to its subfolder
#                              debian/
#   MACHINES_RUSTUP_TIMEOUT    seconds allowed to rustup's downloads (default 120)
#   MACHINES_TOOLCHAIN=debian  skip the ordinary way (to test the other one)
#
# Documentation's examples are not run: they are those of this machine.
set -euo pipefail

say() { printf 'test-machines: %s (%s s)\n' "$*" "$SECONDS" >&2; }
die() { printf 'test-machines: error: %s\n' "$*" >&2; exit 1; }

quick=no
machines=()
for argument in "$@"; do
    case $argument in
        --quick) quick=yes ;;
        aarch64 | armv7 | i686 | windows | check | count) machines+=("$argument") ;;
        *) die "usage: ${0##*/} [--quick] [aarch64] [armv7] [i686] [windows] [check] [count]" ;;
    esac
done
[ ${#machines[@]} -gt 0 ] || machines=(aarch64 armv7 i686 windows check)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
# Programs that cargo runs on this machine, such as macros, are those of the ordinary builds.
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
# Compiled once and run once: for the quick way more optimisation takes longer than it saves.
[ $quick = no ] || export CARGO_PROFILE_DEV_OPT_LEVEL=${CARGO_PROFILE_DEV_OPT_LEVEL:-1}

# --- Tools ------------------------------------------------------------------

# debian PATH PACKAGE... installs packages if there is no such command or file.
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
        say "apt-get update failed; going on with the lists at hand"
    "${privileged[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
        install -y --no-install-recommends "$@" >&2 || die "apt-get could not install $*"
}

has_target() {
    local sysroot
    sysroot=$("$(rustup which rustc)" --print sysroot)
    # Looks for the library itself: an interrupted download may leave the folder.
    compgen -G "$sysroot/lib/rustlib/$1/lib/libstd-*.rlib" >/dev/null
}

# A failed download is remembered for a day, since failing may take the whole time allowed.
download() {
    local failed=$target_dir/.rustup-failed-$1
    if [ -n "$(find "$failed" -mmin -1440 2>/dev/null)" ]; then
        say "rustup's download failed less than a day ago, not tried again ($failed)"
        return 1
    fi
    say "rustup target add $1"
    if timeout --kill-after=10 "${MACHINES_RUSTUP_TIMEOUT:-120}" rustup target add "$1" >&2 &&
        has_target "$1"; then
        rm -f "$failed"
    else
        touch "$failed"
        return 1
    fi
}

# The C compilers of other machines are found by their usual names, such as aarch64-linux-gnu-gcc.
#
# use_target TARGET chooses compilers: sets `cargo`, the target's flags in `flags`, and `place`,
# apart for each compiler, and what goes by the environment.
use_target() {
    local target=$1
    unset RUSTC RUSTC_BOOTSTRAP
    flags=(--locked --target "$target")
    if [ "${MACHINES_TOOLCHAIN:-}" != debian ] && command -v rustup >/dev/null &&
        { has_target "$target" || download "$target"; }; then
        cargo=$(rustup which cargo)
        RUSTC=$(rustup which rustc)
        place=$target_dir
    else
        command -v dpkg-query >/dev/null ||
            die "no standard library for $target: run 'rustup target add $target'"
        # Named by path: others so named may come first in PATH.
        debian /usr/bin/cargo rustc-web cargo-web
        debian "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src/rust/library/std" rust-web-src
        cargo=/usr/bin/cargo
        RUSTC=/usr/bin/rustc
        export RUSTC_BOOTSTRAP=1 # -Zbuild-std is unstable; needed in this case only
        flags+=(-Zbuild-std=std,panic_unwind,test)
        place=$target_dir/debian
    fi
    export RUSTC CARGO_TARGET_DIR=$place
    say "$target by $("$RUSTC" --version)"
}

# --- Under qemu-user --------------------------------------------------------

# test_programs PACKAGE... compiles tests; prints the folder and the program of each. Commands that
# tests start are compiled as well, and have tests in another program: only that one's profile is one.
test_programs() {
    "$cargo" test --no-run "${flags[@]}" --message-format=json-render-diagnostics "$@" |
        sed -n '/"profile":{[^}]*"test":true/s/.*"manifest_path":"\([^"]*\)\/Cargo\.toml".*"executable":"\([^"]*\)".*/\1\t\2/p'
}

# run_programs runs those, as they are read, with what is in `runner` before and `skipped` behind.
# Tests find files from their package's folder, where cargo would start them.
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
    [ $count -gt 0 ] || die "no test program was made"
}

# Tests of the commands that say nothing under an emulator. Under `ulimit -v` it has no room for
# itself and for all addresses of the program; and it opens no pseudo-terminals (qemu 7.2).
skipped=(
    --skip on_a_terminal
    --skip a_file_that_only_begins_like_a_packed_one_takes_no_memory
    --skip a_checkpoint_that_claims_gigabytes_takes_none
)

# Whether the kernel runs programs of a compiler's target without an emulator.
runs_here() {
    "$1-gcc" -static -x c -o "$work/here" - <<<'int main(void) { return 0; }' &&
        "$work/here" 2>/dev/null
}

# emulated TARGET PREFIX PACKAGE EMULATOR
emulated() {
    local target=$1 prefix=$2 emulator=$4 name upper
    debian "$prefix-gcc" "gcc-$prefix"
    debian "/usr/$prefix/include/stdio.h" "$3"
    use_target "$target"
    upper=$(tr 'a-z-' 'A-Z_' <<<"$target")
    export "CARGO_TARGET_${upper}_LINKER=$prefix-gcc"
    if [ "$target" = i686-unknown-linux-gnu ] && runs_here "$prefix"; then
        # In one piece: the loader of such programs need not be installed.
        export "CARGO_TARGET_${upper}_RUSTFLAGS=-Ctarget-feature=+crt-static"
        runner=()
    else
        debian "$emulator" qemu-user-static
        runner=("$emulator" -L "/usr/$prefix")
    fi

    if [ $quick = yes ]; then
        # In one go: other sets of packages have other features, and would be compiled again.
        test_programs -p pdb-table -p pdb-gen --lib --test golden --test pack >"$work/programs"
        run_programs < <(grep -v '/pack-' "$work/programs")
        run_programs the_bytes_are_pinned < <(grep '/pack-' "$work/programs")
        return
    fi
    # In one go: packages have more features together than alone, and some tests want them.
    test_programs -p sliding-tile-pdb-puzzle -p pdb-table -p pdb-gen -p sliding-tile-pdb-solver \
        -p sliding-tile-pdb-lab -p sliding-tile-pdb-command -p sliding-tile-pdb >"$work/programs"
    if [ ${#runner[@]} = 0 ]; then
        run_programs <"$work/programs"
        return
    fi
    run_programs < <(grep -v $'/cli\t' "$work/programs")
    # The tests of the commands start them by their paths: a script there starts the emulator.
    for name in pdb-gen solver; do
        name=$place/$target/debug/$name
        mv "$name" "$name.emulated"
        printf '#!/bin/sh\nexec %s -L %s -0 "$0" "$0.emulated" "$@"\n' \
            "$(command -v "$emulator")" "/usr/$prefix" >"$name"
        chmod +x "$name"
    done
    run_programs "${skipped[@]}" < <(grep $'/cli\t' "$work/programs")
}

# --- Under Wine -------------------------------------------------------------

# Wine 8, of Debian 12, lacks the function that Rust's standard library has its random numbers from.
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

# runs STATUS COMMAND ARGUMENT... runs a command; it must end with this status. What it says is in
# $work/said.
runs() {
    local expected=$1 status=0
    shift
    "$wine" "$bin/$1.exe" "${@:2}" </dev/null >"$work/said" 2>&1 || status=$?
    [ $status = "$expected" ] || {
        cat "$work/said" >&2
        die "$* ended with $status, not with $expected"
    }
}
said() { grep -q "$1" "$work/said" || { cat "$work/said" >&2; die "not said: $1"; }; }

windows() {
    local target=x86_64-pc-windows-gnu
    debian x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64
    debian $wine wine64
    use_target $target
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    "$cargo" build "${flags[@]}" -p sliding-tile-pdb --bins
    local bin=$place/$target/debug
    random_numbers "$bin"
    if [ $quick = no ]; then
        test_programs -p pdb-table -p pdb-gen --lib --test golden --test pack >"$work/programs"
        random_numbers "$bin/deps"
    fi

    say "Wine"
    export WINEPREFIX=$work/wine WINEDEBUG=-all
    export WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe="
    mkdir "$WINEPREFIX"
    "${wine%/*}/wineserver64" -p
    "$wine" cmd /c ver >/dev/null 2>&1 || die "Wine does not start"

    say "tables: built, proved, the same as elsewhere"
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
        die "a table that was built under Wine is another one"
    [ -z "$(find "$tables" -type f ! -name '*.pdb')" ] || {
        ls -a "$tables" >&2
        die "something is left behind"
    }

    say "tables: packed, unpacked, found damaged"
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

    say "boards that have no solution, and none"
    runs 1 solver "${at[@]}" "1 2 3/4 5 6/8 7 0"
    runs 2 solver "${at[@]}" "1 2 3/4 5 6/7 8 99"
    [ $quick = yes ] || run_programs <"$work/programs"
}

# --- Compiled only ----------------------------------------------------------

check() {
    # Code in C is not compiled: nothing is linked, so that empty objects do.
    printf '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || : >"$2"; shift; done\n' >"$work/cc"
    chmod +x "$work/cc"
    local target
    for target in aarch64-apple-darwin x86_64-unknown-freebsd aarch64-unknown-linux-musl; do
        use_target $target
        CC=$work/cc AR=true "$cargo" check "${flags[@]}" -p sliding-tile-pdb -p sliding-tile-pdb-capi \
            -p sliding-tile-pdb-server
    done
}

# --- Instructions counted -----------------------------------------------------

# A plugin of qemu that counts what a program executes: all instructions, requests for memory ahead,
# and instructions with vector registers.
counter() {
    gcc -shared -fPIC -O1 -o "$work/counter.so" -x c - <<'C'
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is used of the interface of qemu's plugins, whose header Debian does not ship. */
typedef uint64_t plugin;
size_t qemu_plugin_tb_n_insns(const void *block);
void *qemu_plugin_tb_get_insn(const void *block, size_t index);
char *qemu_plugin_insn_disas(const void *instruction);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin, void (*)(plugin, void *));
void qemu_plugin_register_vcpu_tb_exec_inline(void *block, int add, void *counter, uint64_t number);
void qemu_plugin_register_atexit_cb(plugin, void (*)(plugin, void *), void *);
int qemu_plugin_version = 1;

static uint64_t counts[3];

/* Registers q0, v0.16b and such of aarch64, xmm0 and ymm0 of x86-64. */
static int is_vector(const char *text) {
    for (const char *at = text; *at; at++) {
        if (at > text && (isalnum(at[-1]) || at[-1] == '_')) continue;
        if (!strncmp(at, "xmm", 3) || !strncmp(at, "ymm", 3)) return 1;
        if ((*at == 'q' || *at == 'v') && isdigit(at[1])) return 1;
    }
    return 0;
}

static void translated(plugin self, void *block) {
    size_t all = qemu_plugin_tb_n_insns(block), numbers[3] = {all, 0, 0};
    for (size_t i = 0; i < all; i++) {
        char *text = qemu_plugin_insn_disas(qemu_plugin_tb_get_insn(block, i));
        numbers[1] += !strncmp(text, "prfm", 4) || !strncmp(text, "prefetch", 8);
        numbers[2] += is_vector(text);
        free(text);
    }
    for (int kind = 0; kind < 3; kind++)
        if (numbers[kind])
            qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &counts[kind], numbers[kind]);
}

static void ended(plugin self, void *nothing) {
    FILE *file = fopen(getenv("COUNTS"), "w");
    if (!file) return;
    fprintf(file, "%llu %llu %llu\n", (unsigned long long)counts[0], (unsigned long long)counts[1],
            (unsigned long long)counts[2]);
    fclose(file);
}

int qemu_plugin_install(plugin self, const void *info, int number, char **arguments) {
    qemu_plugin_register_vcpu_tb_trans_cb(self, translated);
    qemu_plugin_register_atexit_cb(self, ended, NULL);
    return 0;
}
C
}

# counted NAME COMMAND ARGUMENT... runs a command and prints its counts. By one thread: counters are
# shared, and not atomic.
counted() {
    local name=$1 all hints vectors
    shift
    COUNTS=$work/counts "${runner[@]}" -plugin "file=$work/counter.so" "$bin/$1" --quiet --threads 1 \
        "${@:2}" >"$work/said" 2>&1 || { cat "$work/said" >&2; die "$* failed"; }
    read -r all hints vectors <"$work/counts"
    printf '%-8s  %-24s  %14d  %10d  %12d\n' "$machine" "$name" "$all" "$hints" "$vectors"
}

count() {
    local machine bin tables
    # Debian's static emulators load no plugins.
    debian qemu-aarch64 qemu-user
    debian aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
    debian /usr/aarch64-linux-gnu/include/stdio.h libc6-dev-arm64-cross
    debian gcc gcc libc6-dev
    counter
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    printf '%-8s  %-24s  %14s  %10s  %12s\n' machine work instructions prefetches 'with vectors'
    for machine in aarch64 x86_64; do
        use_target $machine-unknown-linux-gnu
        "$cargo" build --profile profiling "${flags[@]}" -p sliding-tile-pdb --bins
        bin=$place/$machine-unknown-linux-gnu/profiling
        # All instructions that this qemu knows; version 7.2 has no SHA-256 of x86-64.
        runner=("qemu-$machine" -cpu max)
        [ $machine = x86_64 ] || runner+=(-L /usr/$machine-linux-gnu)
        tables=$work/tables-$machine
        counted "3x3 8 built" pdb-gen --size 3x3 --partition 8 --tables "$tables"
        counted "4x4 6-6-3 built" pdb-gen --size 4x4 --partition 6-6-3 --tables "$tables"
        # What every answer costs: the sums of all tables that are opened.
        counted "4x4, 1 move" solver --tables "$tables" "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"
        counted "4x4, 55 moves" solver --tables "$tables" "6 1 10 13/0 7 5 14/9 15 3 2/8 11 4 12"
    done
    diff -r "$work/tables-aarch64" "$work/tables-x86_64" || die "the tables are not the same"
}

for machine in "${machines[@]}"; do
    case $machine in
        aarch64)
            emulated aarch64-unknown-linux-gnu aarch64-linux-gnu libc6-dev-arm64-cross \
                qemu-aarch64-static
            ;;
        armv7)
            emulated armv7-unknown-linux-gnueabihf arm-linux-gnueabihf libc6-dev-armhf-cross \
                qemu-arm-static
            ;;
        i686)
            emulated i686-unknown-linux-gnu i686-linux-gnu libc6-dev-i386-cross qemu-i386-static
            ;;
        windows) windows ;;
        check) check ;;
        count) count ;;
    esac
done
say "all of it: ${machines[*]}"
