#!/usr/bin/env bash
# Tests the Python packages in fresh virtual environments. For the wheel it runs a type checker and
# all tests, including those of the documentation and the notebook. For the sdist it runs the quick
# tests.
#
#   scripts/check/python.sh [--dist DIRECTORY]
#   scripts/check/python.sh --quick    the quick tests, with a module of profile dev, in a minute
#
# Run scripts/build/python.sh first; DIRECTORY contains its output [default: target/python/dist].
# The first environment remains as target/python/venv, with the package installed.
#
#   CARGO_TARGET_DIR, PYTHON    as for scripts/build/python.sh. If both scripts use the same target
#                               folder, pip reuses the compiled crates when it installs the sdist;
#                               otherwise pip compiles them again, which takes a minute
#   PDB_GEN_BIN                 pdb-gen, whose tables are compared [default: that in
#                               target/release]; if it is missing, these comparisons are skipped
set -euo pipefail

say() { printf 'check/python: %s (%s s)\n' "$*" "$SECONDS" >&2; }
die() { printf 'check/python: error: %s\n' "$*" >&2; exit 1; }

dist=
quick=no
case "${1:-}" in
    --quick) quick=yes ;;
    --dist)
        [ $# = 2 ] || die "usage: ${0##*/} [--dist DIRECTORY]"
        dist=$(cd "$2" && pwd)
        ;;
    "") ;;
    *) die "usage: ${0##*/} [--dist DIRECTORY | --quick]" ;;
esac
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
place=$PWD/target/python
crate=crates/python
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1

# tests VENV [OPTION...]: runs pytest
tests() { "$1/bin/python" -m pytest -q -p no:cacheprovider "${@:2}" "$crate/tests"; }

if [ $quick = yes ]; then
    # Compiles the same packages as `cargo test`, so that features are equal and compiled crates are
    # reused.
    say "the module"
    members=(-p python)
    while read -r member; do
        members+=(-p "$(sed -n 's/^name = "\(.*\)"$/\1/p' "$member/Cargo.toml" | head -n 1)")
    done < <(sed -n '/^default-members/,/^]/s/^ *"\(.*\)",$/\1/p' Cargo.toml)
    PYO3_BUILD_EXTENSION_MODULE=1 cargo build --locked --lib "${members[@]}"
    built=${CARGO_TARGET_DIR:-$PWD/target}/debug
    rm -rf "$place/quick"
    mkdir -p "$place/quick"
    cp -r $crate/python/sliding_tile_pdb "$place/quick"
    cp "$built/libsliding_tile_pdb.so" "$place/quick/sliding_tile_pdb/_native.abi3.so"
    scripts/build/contract.sh python "$place/quick/sliding_tile_pdb/_contract.py"
    venv=$place/venv-quick
    [ -x "$venv/bin/pytest" ] || {
        "${PYTHON:-python3}" -m venv "$venv"
        "$venv/bin/pip" install --quiet pytest numpy
    }
    say "quick tests"
    export PDB_GEN_BIN=${PDB_GEN_BIN:-$built/pdb-gen}
    PYTHONPATH=$place/quick tests "$venv" -m "not slow"
    exit
fi

dist=${dist:-$place/dist}
wheel=$(ls "$dist"/sliding_tile_pdb-*.whl 2>/dev/null) &&
    sdist=$(ls "$dist"/sliding_tile_pdb-*.tar.gz 2>/dev/null) ||
    die "no wheel and sdist in $dist: run scripts/build/python.sh"
export PYTHON_DIST=$dist

# fresh VENV PACKAGE...: creates a virtual environment with packages
fresh() {
    rm -rf "$1"
    "${PYTHON:-python3}" -m venv "$1"
    "$1/bin/pip" install --quiet "${@:2}"
}

say "a fresh environment with the wheel"
fresh "$place/venv" "$wheel[test]"
say "tests, documentation, notebook"
tests "$place/venv" --durations=5
say "types: the examples, and stub against module"
"$place/venv/bin/mypy" --strict --cache-dir "$place/mypy" "$crate"/examples/*.py
"$place/venv/bin/python" -m mypy.stubtest sliding_tile_pdb --concise \
    --allowlist "$crate/tests/stubtest-allowlist.txt"
say "the examples run"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for example in "$PWD/$crate"/examples/*.py; do
    (cd "$scratch" && PDB_TABLES=$scratch "$place/venv/bin/python" "$example" >/dev/null 2>&1) ||
        die "$example fails"
done

say "a fresh environment with the sdist"
source scripts/build/python-flags.sh
fresh "$place/venv-sdist" "$sdist" pytest
say "quick tests"
tests "$place/venv-sdist" -m "not slow"
say "done"
