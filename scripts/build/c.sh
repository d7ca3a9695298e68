#!/usr/bin/env bash
# Builds and installs the C library libslidingtilepdb: shared library with soname, static library,
# header, files for pkg-config and CMake, and licences. The first build takes 6 minutes on one core,
# mostly for cargo-c; later builds take 2 minutes.
#
#   scripts/build/c.sh [--prefix DIRECTORY]    installs under DIRECTORY [default: target/c]
#   scripts/build/c.sh --header                rewrites the header after a change of crates/capi
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
# cargo-c prints its version followed by cargo's.
if ! cargo capi --version 2>/dev/null | grep -q " $version"; then
    say "cargo install cargo-c $version"
    # Compiles without optimisation: cargo-c runs only briefly, so optimisation would add several
    # times the time that it saves. Only one of the four programs of cargo-c is needed.
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --locked --quiet --debug --root "$tools" \
        --bin cargo-capi "cargo-c@$version"
fi

# Function names are kept for valgrind and debuggers; they add a tenth to the size.
CARGO_PROFILE_RELEASE_STRIP=debuginfo cargo capi install --locked --release \
    -p sliding-tile-pdb-capi --prefix "$prefix" --libdir "$prefix/lib"
# The static library becomes one object whose only global symbols are those of the header. The
# copies of zstd and of Rust's standard library in it therefore cannot conflict with copies in the
# program. LLVM bitcode, needed only for link-time optimisation, is removed.
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
# Files for CMake's find_package.
package=$prefix/lib/cmake/slidingtilepdb
mkdir -p "$package"
cp crates/capi/cmake/slidingtilepdb-config.cmake "$package"
# Version and libraries for static linking, from the pkg-config file that cargo-c wrote.
field() { sed -n "s/^$1: *//p" "$prefix/lib/pkgconfig/slidingtilepdb.pc"; }
sed "s/@VERSION@/$(field Version)/" crates/capi/cmake/slidingtilepdb-config-version.cmake.in \
    >"$package/slidingtilepdb-config-version.cmake"
read -ra private <<<"$(field Libs.private)"
(IFS=';' && echo "set(slidingtilepdb_static_libraries \"${private[*]}\")") \
    >"$package/slidingtilepdb-static.cmake"
licences=$prefix/share/licenses/slidingtilepdb
mkdir -p "$licences"
cp LICENSE-* "$licences"
python3 scripts/release/third-party.py --package sliding-tile-pdb-capi --out "$licences/THIRD-PARTY" \
    --target "$(rustc -vV | sed -n 's/^host: //p')"
say "installed in $prefix: export PKG_CONFIG_PATH=$prefix/lib/pkgconfig LD_LIBRARY_PATH=$prefix/lib"
