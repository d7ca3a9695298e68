# Target folder and flags for compiling the crates of the Python package. Sourced by
# scripts/build/python.sh and scripts/check/python.sh in the root of the clone.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/python/cargo
source scripts/build/path-flags.sh
