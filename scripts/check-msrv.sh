#!/usr/bin/env bash
# Checks that the workspace compiles with the oldest Rust that Cargo.toml promises (rust-version).
#
#   scripts/check-msrv.sh
#
# pdb-dist is left out: timely needs a newer Rust, which the crate's own Cargo.toml says. Takes
# rustup's toolchain of that version where it is installed or can be had, else Debian's compiler of
# the same version, unpacked into target/msrv without installing anything. The target directory is
# target/msrv, so that nothing of the ordinary builds is compiled again.
set -euo pipefail

say() { printf 'check-msrv: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
[ -n "$version" ] || die "Cargo.toml has no rust-version"
place=${CARGO_TARGET_DIR:-$PWD/target}/msrv
mkdir -p "$place"

rustup_compiler() {
    command -v rustup >/dev/null || return 1
    rustup toolchain list | grep -q "^$version" ||
        timeout 60 rustup toolchain install "$version" --profile minimal >&2 || return 1
    rustup which rustc --toolchain "$version"
}

# Debian's compilers for web browsers come in several versions at once.
debian_compiler() {
    command -v apt-get >/dev/null || return 1
    local root=$place/debian package
    if [ ! -x "$root/usr/bin/rustc" ]; then
        apt-get -qq update >&2 || true
        local full
        full=$(apt-cache madison rustc-web | awk '{ print $3 }' | grep -m 1 "^$version\.") || return 1
        say "unpacking Debian's rustc $full"
        mkdir -p "$root/packages"
        (cd "$root/packages" && apt-get -qq download \
            "rustc-web=$full" "libstd-rust-web-dev=$full" "libstd-rust-web-$version=$full" \
            libllvm19 libz3-4 libedit2 libxml2 >&2) || return 1
        for package in "$root"/packages/*.deb; do
            dpkg -x "$package" "$root"
        done
        rm -r "$root/packages"
    fi
    # Its libraries are found by a wrapper, so that cargo and build scripts keep their own.
    printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' \
        "$root/usr/lib/x86_64-linux-gnu" "$root/usr/bin/rustc" >"$place/rustc"
    chmod +x "$place/rustc"
    printf '%s\n' "$place/rustc"
}

compiler=$(rustup_compiler || debian_compiler) ||
    die "no rustc $version: run 'rustup toolchain install $version'"
"$compiler" --version | grep -q "^rustc $version\." || die "$compiler is not version $version"
say "$("$compiler" --version)"
# Macros and build scripts are the only programs that are made here: they run for a moment.
RUSTC=$compiler CARGO_TARGET_DIR=$place cargo check --locked --workspace --exclude pdb-dist --lib --bins \
    --config 'profile.dev.package."*".opt-level=0'
