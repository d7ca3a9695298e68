# Compiler flags that keep paths of this machine out of programs: panic messages contain source
# paths. Source this file in the root of the clone; it extends RUSTFLAGS.
for from_to in "$PWD=sliding-tile-pdb" "${CARGO_HOME:-$HOME/.cargo}/registry/src=registry" \
    "$(rustc --print sysroot)=rust"; do
    RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$from_to"
done
# Makes source paths of the standard library the same with and without the component rust-src.
commit=$(rustc -vV | sed -n 's/^commit-hash: \([0-9a-f]*\)$/\1/p')
if [ -n "$commit" ]; then
    sources=$(rustc --print sysroot)/lib/rustlib/src/rust
    RUSTFLAGS+=" --remap-path-prefix=$sources=/rustc/$commit"
fi
export RUSTFLAGS
