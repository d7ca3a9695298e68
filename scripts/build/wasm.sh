#!/usr/bin/env bash
# Builds crates/wasm for wasm32-unknown-unknown (profile wasm).
#
#   scripts/build/wasm.sh [--rules | --threads | --laboratory]
#
# Prints only the path of the resulting .wasm file on stdout, and its size in bytes on stderr. The
# file is the input of wasm-bindgen; scripts/build/npm.sh generates a module from it.
#
# Contents of the module:
#   without an option   the rules and the solver for one thread
#   --rules             only the rules
#   --laboratory        the rules and the laboratory
#   --threads           the rules and the solver for several workers that share the module's memory
#
# For --threads the standard library must be compiled too. cargo compiles it only with
# RUSTC_BOOTSTRAP=1 -Zbuild-std.
#
# By default rustup's target wasm32-unknown-unknown is used, and added if missing. If that download
# fails, Debian's rustc-web, cargo-web and rust-web-src are used instead, and the standard library
# is built from source.
#
#   CARGO_TARGET_DIR       as for cargo; build files are in its subfolders wasm/ and wasm-threads/
#   WASM_RUSTUP_TIMEOUT    time limit of rustup's downloads in seconds [default: 120]
#   WASM_TOOLCHAIN=debian  uses Debian's packages even if rustup works, for tests
set -euo pipefail

target=wasm32-unknown-unknown
say() { printf 'build/wasm: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

threads=no
case "${1:-}" in
    "") features=solver ;;
    --rules) features= ;;
    --laboratory) features=${WASM_LABORATORY_FEATURES:-laboratory} ;;
    --threads)
        threads=yes
        features=threads
        ;;
    *) die "usage: ${0##*/} [--rules | --threads | --laboratory]" ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# 128-bit SIMD makes the unpacking of tables 1.7 times as fast and searches 1.1 times as fast. It
# adds 1 kB, and all browsers since 2023 support it. With LLVM's default inline threshold of 225 the
# module is 3 % larger and no faster.
rustflags="-Ctarget-feature=+simd128 -Cllvm-args=-inline-threshold=60"
variant=wasm
if [ $threads = yes ]; then
    variant=wasm-threads
    rustflags="-Ctarget-feature=+atomics,+bulk-memory,+simd128 -Cllvm-args=-inline-threshold=60"
    # All instances share one memory. Each has its own thread-local storage, which wasm-bindgen
    # finds through these exports.
    for arg in --shared-memory --import-memory --max-memory=4294967296 \
        --export={__wasm_init_tls,__tls_size,__tls_align,__tls_base}; do
        rustflags+=" -Clink-arg=$arg"
    done
fi

# Native builds use another target folder, because their compiler and flags differ.
target_dir=${CARGO_TARGET_DIR:-$PWD/target}/$variant
mkdir -p "$target_dir"

# Finds the full paths of the tools behind rustup's shims, so that a distribution's cargo or rustc
# that comes first in PATH is never used by mistake.
if command -v rustup >/dev/null; then
    rustc=$(rustup which rustc)
    cargo=$(rustup which cargo)
else
    rustc=$(command -v rustc) || die "no rustc found; install Rust with rustup"
    cargo=$(command -v cargo) || die "no cargo found; install Rust with rustup"
fi
sysroot=$("$rustc" --print sysroot)
host=$("$rustc" -vV | sed -n 's/^host: //p')

# --- rustup -----------------------------------------------------------------

# Whether the standard library is installed, for --threads its source. An interrupted download may
# leave a folder without it.
is_ready() {
    if [ $threads = yes ]; then
        [ -d "$sysroot/lib/rustlib/src/rust/library/std" ]
    else
        compgen -G "$sysroot/lib/rustlib/$target/lib/libstd-*.rlib" >/dev/null
    fi
}

# A failed download is recorded and not repeated for a day, because a failure may take the whole
# time limit. `cargo clean` removes the record.
failed=$target_dir/.rustup-failed
download() {
    command -v rustup >/dev/null || return 1
    if [ -n "$(find "$failed" -mmin -1440 2>/dev/null)" ]; then
        say "rustup's download failed less than a day ago and is not repeated ($failed)"
        return 1
    fi
    local limit=(timeout --kill-after=10 "${WASM_RUSTUP_TIMEOUT:-120}")
    command -v timeout >/dev/null || limit=(env) # macOS has no timeout
    local what=(target add "$target")
    [ $threads = no ] || what=(component add rust-src)
    say "rustup ${what[*]}"
    if "${limit[@]}" rustup "${what[@]}" >&2 && is_ready; then
        rm -f "$failed"
    else
        touch "$failed"
        return 1
    fi
}

# --- Debian's packages ------------------------------------------------------

use_debian() {
    local packages=(rustc-web cargo-web rust-web-src) root=() installed
    command -v dpkg-query >/dev/null ||
        die "missing target: run 'rustup target add $target' and 'rustup component add rust-src'"
    installed=$(dpkg-query -W -f='${db:Status-Status}\n' "${packages[@]}" 2>/dev/null) || true
    if [ "$(grep -cx installed <<<"$installed")" != ${#packages[@]} ]; then
        if [ "$(id -u)" != 0 ]; then
            sudo -n true 2>/dev/null ||
                die "no $target target, and installing ${packages[*]} needs root"
            root=(sudo -n)
        fi
        say "apt-get install ${packages[*]}"
        "${root[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 update >&2 ||
            say "apt-get update failed; continuing with the existing lists"
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
            install -y --no-install-recommends "${packages[@]}" >&2 ||
            die "apt-get could not install ${packages[*]}"
    fi

    # Debian has no matching wasm linker; rustup's toolchain includes one.
    local lld=$sysroot/lib/rustlib/$host/bin/rust-lld
    [ -x "$lld" ] || die "no rust-lld at $lld (rustup's toolchain includes it)"

    # Both packages also contain other files named rustc or cargo, so only /usr/bin is searched.
    rustc=$(dpkg -L rustc-web | grep -x '/usr/bin/rustc') || die "rustc-web has no rustc"
    cargo=$(dpkg -L cargo-web | grep -x '/usr/bin/cargo') || die "cargo-web has no cargo"
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$lld
    builds_std=yes
}

# --- Choose, build, report --------------------------------------------------

builds_std=$threads
if [ "${WASM_TOOLCHAIN:-}" = debian ] || ! { is_ready || download; }; then
    use_debian
fi
flags=()
if [ $builds_std = yes ]; then
    export RUSTC_BOOTSTRAP=1 # -Zbuild-std is unstable; needed in these cases only
    flags=("-Zbuild-std=std,panic_abort")
fi
say "$("$rustc" --version), $rustc"

# Selects cargo and rustc for build scripts and other programs that call them by name.
export RUSTC=$rustc PATH="${rustc%/*}:$PATH" RUSTFLAGS=$rustflags
unset CARGO_ENCODED_RUSTFLAGS
source scripts/build/path-flags.sh

messages=$("$cargo" build --profile wasm --locked --target "$target" --target-dir "$target_dir" \
    ${flags[@]+"${flags[@]}"} --no-default-features --features "$features" \
    --message-format=json-render-diagnostics -p wasm)
wasm=$(grep -o '"[^"]*/wasm\.wasm"' <<<"$messages" | tail -n 1 | tr -d '"') || die "no .wasm file was built"
say "$(wc -c <"$wasm") bytes"
printf '%s\n' "$wasm"
