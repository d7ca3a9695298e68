# Keeps paths of the build machine out of programs, whose panic messages name source files. Source
# this file in the root of the clone; it adds to RUSTFLAGS.
for from_to in "$PWD=sliding-tile-pdb" "${CARGO_HOME:-$HOME/.cargo}/registry/src=registry" \
    "$(rustc --print sysroot)=rust"; do
    RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$from_to"
done
# Sources of the standard library get the same name with and without the component rust-src.
commit=$(rustc -vV | sed -n 's/^commit-hash: \([0-9a-f]*\)$/\1/p')
if [ -n "$commit" ]; then
    sources=$(rustc --print sysroot)/lib/rustlib/src/rust
    RUSTFLAGS+=" --remap-path-prefix=$sources=/rustc/$commit"
fi
export RUSTFLAGS
