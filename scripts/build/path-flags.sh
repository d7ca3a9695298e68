# Folders of the machine that compiles are not in what it makes: messages of panics say where in the
# sources they come from. To be sourced in the root of the clone; adds to RUSTFLAGS.
for from_to in "$PWD=sliding-tile-pdb" "${CARGO_HOME:-$HOME/.cargo}/registry/src=registry" \
    "$(rustc --print sysroot)=rust"; do
    RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$from_to"
done
# Sources of the standard library have the same name whether or not the component rust-src is there.
commit=$(rustc -vV | sed -n 's/^commit-hash: \([0-9a-f]*\)$/\1/p')
if [ -n "$commit" ]; then
    sources=$(rustc --print sysroot)/lib/rustlib/src/rust
    RUSTFLAGS+=" --remap-path-prefix=$sources=/rustc/$commit"
fi
export RUSTFLAGS
