#!/usr/bin/env bash
# Builds the Python package sliding-tile-pdb: a wheel for CPython 3.10 and later (abi3), and an
# sdist with all files needed to build it elsewhere.
#
#   scripts/build/python.sh [--out DIRECTORY]
#
# Writes both files to DIRECTORY [default: target/python/dist] and prints only their paths on
# stdout. Needs Rust and Python 3.10 or later with venv; installs maturin under target/python.
#
#   CARGO_TARGET_DIR   as for cargo; the wheel's crates are compiled in its subfolder python/
#   PYTHON             the interpreter [default: python3]
#   MANYLINUX          manylinux standard of a wheel for older systems, such as 2014; the script
#                      then installs zig and links with it. By default the wheel needs a C library
#                      at least as new as that of this machine; the wheel's tag states this version.
set -euo pipefail

say() { printf 'build/python: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

out=
case "$# ${1:-}" in
    "2 --out")
        mkdir -p "$2"
        out=$(cd "$2" && pwd)
        ;;
    "0 ") ;;
    *) die "usage: ${0##*/} [--out DIRECTORY]" ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=${PYTHON:-python3}
"$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null ||
    die "Python 3.10 or later with venv is missing: install python3 and python3-venv, or set PYTHON"
place=$PWD/target/python
out=${out:-$place/dist}

tools=$place/tools
packages=('maturin>=1.7,<2')
options=()
if [ -n "${MANYLINUX:-}" ]; then
    packages+=(ziglang)
    options=(--zig --compatibility "manylinux${MANYLINUX#manylinux}")
fi
[ -x "$tools/bin/pip" ] || "$python" -m venv "$tools"
PATH=$tools/bin:$PATH
pip install --quiet --disable-pip-version-check "${packages[@]}" >&2

source scripts/build/python-flags.sh
mkdir -p "$out"
cp LICENSE-* crates/python
"$python" scripts/release/third-party.py --package python --out crates/python/THIRD-PARTY-LICENSES \
    --target "$(rustc -vV | sed -n 's/^host: //p')"
scripts/build/contract.sh python
rm -f "$out"/sliding_tile_pdb-*.whl "$out"/sliding_tile_pdb-*.tar.gz
maturin sdist --manifest-path crates/python/Cargo.toml --out "$out" >&2

# The wheel is built from the sdist, so a file missing in the sdist is an error. tar -m gives the
# unpacked files the current time. The sdist stores one old time for all files; with that time cargo
# would not detect changed files. --locked is not possible, because the sdist omits some crates and
# cargo must remove these from the lock file. The other crates keep their locked versions.
rm -rf "$place/sdist"
mkdir -p "$place/sdist"
tar -xzmf "$out"/sliding_tile_pdb-*.tar.gz -C "$place/sdist" --strip-components 1
(cd "$place/sdist" && maturin build --quiet --release --out "$out" \
    ${options[@]+"${options[@]}"} >&2)
ls "$out"/sliding_tile_pdb-*.whl "$out"/sliding_tile_pdb-*.tar.gz
