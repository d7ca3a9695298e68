#!/usr/bin/env bash
# Build one package of the workspace for wasm32-unknown-unknown (profile wasm).
#
#   scripts/build-wasm.sh PACKAGE [extra cargo args...]
#
# Prints the path of the resulting .wasm file on stdout, and nothing else there;
# its size in bytes goes to stderr. The file has no debug sections, which would
# be nine tenths of it; functions keep their names.
#
# The ordinary way is rustup's wasm32-unknown-unknown target, added if missing.
# Where that download is not to be had, Debian's rustc-web, cargo-web and
# rust-web-src are used instead, and the standard library is built from source.
#
#   CARGO_TARGET_DIR       as for cargo; the build goes to its subfolder wasm/
#   CARGO_PROFILE_WASM_STRIP
#                          as for cargo; none keeps the debug sections
#   WASM_RUSTUP_TIMEOUT    seconds allowed to `rustup target add` (default 120)
#   WASM_TOOLCHAIN=debian  skip the ordinary way (to test the other one)
set -euo pipefail

target=wasm32-unknown-unknown
say() { printf 'build-wasm: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

[ $# -ge 1 ] || die "usage: ${0##*/} PACKAGE [extra cargo args...]"
package=$1
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Apart from the native builds in target/: other compiler, other flags.
target_dir=${CARGO_TARGET_DIR:-$PWD/target}/wasm
mkdir -p "$target_dir"

# The tools behind rustup's shims, by full path, so that a distribution's cargo
# or rustc that happens to come first in PATH is never mixed in.
if command -v rustup >/dev/null; then
    rustc=$(rustup which rustc)
    cargo=$(rustup which cargo)
else
    rustc=$(command -v rustc) || die "no rustc found; install Rust with rustup"
    cargo=$(command -v cargo) || die "no cargo found; install Rust with rustup"
fi
sysroot=$("$rustc" --print sysroot)
host=$("$rustc" -vV | sed -n 's/^host: //p')

# --- The ordinary way -------------------------------------------------------

# Looks for the library itself: an interrupted download may leave the folder.
has_target() { compgen -G "$sysroot/lib/rustlib/$target/lib/libstd-*.rlib" >/dev/null; }

# A failed `rustup target add` is remembered for a day, since failing may take
# the whole time allowed. `cargo clean` forgets it.
failed=$target_dir/.rustup-target-add-failed
add_target() {
    command -v rustup >/dev/null || return 1
    if [ -n "$(find "$failed" -mmin -1440 2>/dev/null)" ]; then
        say "rustup target add failed less than a day ago, not tried again ($failed)"
        return 1
    fi
    local limit=(timeout --kill-after=10 "${WASM_RUSTUP_TIMEOUT:-120}")
    command -v timeout >/dev/null || limit=(env) # macOS has no timeout
    say "rustup target add $target"
    if "${limit[@]}" rustup target add "$target" >&2 && has_target; then
        rm -f "$failed"
    else
        touch "$failed"
        return 1
    fi
}

# --- Debian's packages ------------------------------------------------------

use_debian() {
    local packages=(rustc-web cargo-web rust-web-src) root=() p missing=0
    command -v dpkg-query >/dev/null || die "no $target target: run 'rustup target add $target'"
    for p in "${packages[@]}"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing=1
    done
    if [ $missing = 1 ]; then
        if [ "$(id -u)" != 0 ]; then
            sudo -n true 2>/dev/null ||
                die "no $target target, and installing ${packages[*]} needs root"
            root=(sudo -n)
        fi
        say "apt-get install ${packages[*]}"
        "${root[@]}" apt-get -qq -o DPkg::Lock::Timeout=300 update >&2 ||
            say "apt-get update failed; going on with the lists at hand"
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
            install -y --no-install-recommends "${packages[@]}" >&2 ||
            die "apt-get could not install ${packages[*]}"
    fi

    # Debian has no wasm linker to match, rustup's toolchain brings one.
    local lld=$sysroot/lib/rustlib/$host/bin/rust-lld
    [ -x "$lld" ] || die "no rust-lld at $lld (it comes with rustup's toolchain)"

    # (Both packages also hold other files so named, outside of /usr/bin.)
    rustc=$(dpkg -L rustc-web | grep -x '/usr/bin/rustc') || die "rustc-web has no rustc"
    cargo=$(dpkg -L cargo-web | grep -x '/usr/bin/cargo') || die "cargo-web has no cargo"
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$lld
    export RUSTC_BOOTSTRAP=1 # -Zbuild-std is unstable; needed in this case only
    flags=("-Zbuild-std=std,panic_abort")
}

# --- Choose, build, report --------------------------------------------------

flags=()
if [ "${WASM_TOOLCHAIN:-}" = debian ] || ! { has_target || add_target; }; then
    use_debian
fi
say "$("$rustc" --version), $rustc"

# For build scripts and whatever else calls cargo or rustc by name.
export RUSTC=$rustc PATH="${rustc%/*}:$PATH"

# The package's id tells its own .wasm file from those of its dependencies.
id=$("$cargo" pkgid --locked -p "$package") ||
    die "no package $package in Cargo.lock (a new one? then run cargo metadata once)"
messages=$("$cargo" build --profile wasm --locked --target "$target" --target-dir "$target_dir" \
    ${flags[@]+"${flags[@]}"} --message-format=json-render-diagnostics -p "$package" "$@")
wasm=$(grep -F "\"package_id\":\"$id\"" <<<"$messages" | grep -o '"[^"]*\.wasm"' | tail -n 1 | tr -d '"') ||
    die "package $package makes no .wasm file (crate-type = [\"cdylib\"] missing?)"
say "$(wc -c <"$wasm") bytes"
printf '%s\n' "$wasm"
