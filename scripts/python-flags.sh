# Where the Python package's crates are compiled, and how; for scripts/build-python.sh and
# scripts/test-python.sh, in the root of the clone.
#
# Messages of panics say where in the sources they come from, which must not be folders of the
# machine that made the package.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/python/cargo
for from_to in "$PWD=sliding-tile-pdb" "${CARGO_HOME:-$HOME/.cargo}/registry/src=registry" \
    "$(rustc --print sysroot)=rust"; do
    RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$from_to"
done
export RUSTFLAGS
