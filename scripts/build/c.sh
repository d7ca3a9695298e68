#!/usr/bin/env bash
# Build the C library libslidingtilepdb from a clean clone: the shared library with its soname, the
# static one, the header, files for pkg-config and CMake, and licences, installed under a prefix.
# The first build takes 6 minutes of one core, mostly for cargo-c, later ones 2.
#
# scripts/build/c.sh [--prefix DIRECTORY]    the prefix is target/c if none is given
# scripts/build/c.sh --header                writes the header again, after a change of crates/capi
#
# Needs Rust, a C compiler, binutils and Python 3; installs cargo-c under target/tools.
set -euo pipefail

say() { printf 'build/c: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

prefix=
case "$# ${1:-}" in
    "2 --prefix")
        mkdir -p "$2"
        prefix=$(cd "$2" && pwd)
        ;;
    "1 --header")
        cd "$(dirname "${BASH_SOURCE[0]}")/../.."
        STP_WRITE_HEADER=1 exec cargo test --locked -p sliding-tile-pdb-capi --features header --test header
        ;;
    "0 ") ;;
    *) die "usage: ${0##*/} [--prefix DIRECTORY | --header]" ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
target=${CARGO_TARGET_DIR:-$PWD/target}
[ -n "$prefix" ] || prefix=$target/c

# Later versions of cargo-c need a later Rust.
version=0.10.24
tools=$target/tools
export PATH=$tools/bin:$PATH
# cargo-c prints its version, followed by that of cargo.
if ! cargo capi --version 2>/dev/null | grep -q " $version"; then
    say "cargo install cargo-c $version"
    # It runs only briefly, so optimising it would cost more time than it saves. One of its four
    # programs is enough.
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --locked --quiet --debug --root "$tools" \
        --bin cargo-capi "cargo-c@$version"
fi

# Function names are kept for valgrind and debuggers; they add a tenth to the size.
CARGO_PROFILE_RELEASE_STRIP=debuginfo cargo capi install --locked --release \
    -p sliding-tile-pdb-capi --prefix "$prefix" --libdir "$prefix/lib"
# The static library is linked into one object whose only global symbols are those of the header, so
# its zstd and its Rust standard library do not conflict with those of the program. LLVM bitcode,
# which only link-time optimisation needs, is removed.
archive=$prefix/lib/libslidingtilepdb.a
if [[ "$(rustc -vV)" == *"host: "*-linux-* ]]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    echo 'SECTIONS { /DISCARD/ : { *(.llvmbc) *(.llvmcmd) } }' >"$work/script"
    ld -r --whole-archive "$archive" -T "$work/script" -o "$work/all.o"
    objcopy --wildcard --keep-global-symbol='stp_*' "$work/all.o" "$work/slidingtilepdb.o"
    rm "$archive"
    ar rcsD "$archive" "$work/slidingtilepdb.o"
fi
# For find_package of CMake.
package=$prefix/lib/cmake/slidingtilepdb
mkdir -p "$package"
cp crates/capi/cmake/slidingtilepdb-config.cmake "$package"
# cargo-c has written the version, and the libraries that the static library needs.
field() { sed -n "s/^$1: *//p" "$prefix/lib/pkgconfig/slidingtilepdb.pc"; }
sed "s/@VERSION@/$(field Version)/" crates/capi/cmake/slidingtilepdb-config-version.cmake.in \
    >"$package/slidingtilepdb-config-version.cmake"
read -ra private <<<"$(field Libs.private)"
(IFS=';' && echo "set(slidingtilepdb_static_libraries \"${private[*]}\")") \
    >"$package/slidingtilepdb-static.cmake"
licences=$prefix/share/licenses/slidingtilepdb
mkdir -p "$licences"
cp crates/capi/LICENSE-* "$licences"
python3 scripts/release/third-party.py --package sliding-tile-pdb-capi --out "$licences/THIRD-PARTY" \
    --target "$(rustc -vV | sed -n 's/^host: //p')"
say "in $prefix: export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib"
