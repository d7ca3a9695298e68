#!/usr/bin/env bash
# Tests scripts/release/release.sh, or the release that it built.
#
#   scripts/release/test.sh        tests that invalid calls and forbidden licences are rejected, and
#                                  that installing rust-src does not change a program; takes a few
#                                  seconds
#   scripts/release/test.sh OUT    tests a release built on this machine: checksums, contents of
#                                  each file, programs, tables
#
# Needs git, Rust and Python 3. Installs nothing.
set -euo pipefail

say() { printf 'test-release: %s (%s s)\n' "$*" "$SECONDS" >&2; }
die() { printf 'test-release: error: %s\n' "$*" >&2; exit 1; }

[ $# -le 1 ] || die "usage: ${0##*/} [OUT]"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# = 0 ]; then
    git clone --quiet "$root" "$work/clone"
    # refuses WORDS ARGUMENTS...: release.sh must fail, and its last line must contain WORDS.
    refuses() {
        local words=$1
        shift
        ! "$work/clone/scripts/release/release.sh" "$@" >"$work/said" 2>&1 || die "not rejected: $*"
        tail -n 1 "$work/said" | grep -qF -- "release: error: $words" ||
            die "expected '$words', found '$(tail -n 1 "$work/said")'"
    }
    say "rejected calls"
    refuses "usage: "
    refuses "usage: " --unknown "$version"
    refuses "the workspace has version $version, not 9.9.9" 9.9.9
    refuses "unknown step all" --only all "$version"
    refuses "unknown target nowhere" --only binaries --targets nowhere "$version"
    touch "$work/clone/new"
    refuses "uncommitted changes: ?? new" "$version"
    rm "$work/clone/new"
    sed -i "s/^## $version/## 9.9.9/" "$work/clone/docs/changelog.md"
    refuses "docs/changelog.md has no section '## $version'" "$version"
    git -C "$work/clone" checkout --quiet docs/changelog.md
    [ ! -e "$work/clone/target/release-$version/SHA256SUMS" ] || die "a rejected call wrote files"

    say "licences"
    (cd "$work/clone" && scripts/release/third-party.py --check >&2)
    sed -i '/^    "BSD-3-Clause",$/d' "$work/clone/deny.toml"
    ! (cd "$work/clone" && scripts/release/third-party.py --check) >"$work/said" 2>&1 || die "zstd was accepted"
    grep -q "deny.toml does not allow the licence of .*: .*BSD-3-Clause" "$work/said" ||
        die "found '$(tail -n 1 "$work/said")'"

    # Panics in generic code of the standard library put source paths into a program. Without the
    # flags of path-flags.sh these paths depend on whether rust-src is installed.
    real=$(rustc --print sysroot)
    if [ -d "$real/lib/rustlib/src/rust/library" ]; then
        say "paths in programs, with and without rust-src"
        mkdir -p "$work/without/lib/rustlib"
        ln -s "$real"/lib/* "$work/without/lib" 2>/dev/null || true # all except lib/rustlib
        ln -s "$real"/lib/rustlib/* "$work/without/lib/rustlib"
        rm "$work/without/lib/rustlib/src"
        echo 'fn main() {
            let mut words: std::collections::VecDeque<String> = std::env::args().collect();
            words.swap(words.len() / 2, 0);
            words.insert(1, String::new());
            let bytes = words[0].as_bytes();
            println!("{words:?} {:?}", bytes.split_at(words.len()).0.to_vec());
        }' >"$work/paths.rs"
        for sysroot in "$real" "$work/without"; do
            (
                rustc() { command rustc --sysroot "$sysroot" "$@"; }
                cd "$root"
                unset RUSTFLAGS
                source scripts/build/path-flags.sh
                rustc $RUSTFLAGS -O -Cstrip=symbols -o "$work/paths-${sysroot##*/}" "$work/paths.rs"
            )
        done
        cmp "$work/paths-${real##*/}" "$work/paths-without" || die "rust-src changes a program"
        grep -q "/rustc/.*/library/" "$work/paths-without" || die "the program contains no source path"
    else
        say "skipped: paths in programs, no rust-src here"
    fi
    say "all passed"
    exit
fi

out=$(cd "$1" && pwd)
say "sums"
(cd "$out" && sha256sum --check --quiet --strict SHA256SUMS) || die "sums differ"
[ "$(ls "$out" | grep -cv '^SHA256SUMS$')" = "$(wc -l <"$out/SHA256SUMS")" ] ||
    die "SHA256SUMS does not list all files"
head -n 1 "$out/RELEASE-NOTES.md" | grep -q "^## $version" || die "RELEASE-NOTES.md is not for $version"
grep -q "^commit [0-9a-f]\{40\}$" "$out/BUILD.txt" || die "BUILD.txt has no commit"

# Each file contains the licences, and no absolute path or path with "..".
for file in "$out"/sliding[-_]tile[-_]*; do
    name=${file##*/}
    say "$name"
    case $name in
        *.whl) python3 -m zipfile -l "$file" | awk 'NR > 1 { print $1 }' >"$work/list" ;;
        *) tar -tf "$file" >"$work/list" ;;
    esac
    ! grep -qE '^/|(^|/)\.\.(/|$)' "$work/list" || die "$name has a path outside its folder"
    wanted=(LICENSE-MIT LICENSE-APACHE)
    [[ "$name" == *-tables-* ]] || wanted+=(THIRD-PARTY-LICENSES)
    for one in "${wanted[@]}"; do
        grep -qE "(^|/)$one$" "$work/list" || die "$name has no $one"
    done
done

programs=
for archive in "$out"/sliding-tile-pdb-"$version"-*.tar.gz; do
    [ -e "$archive" ] || continue
    folder=$(basename "$archive" .tar.gz)
    tar -xf "$archive" -C "$work"
    for one in man/man1/solver.1 man/man1/pdb-gen-verify.1 bash-completion/completions/solver \
        zsh/site-functions/_pdb-gen fish/vendor_completions.d/solver.fish \
        powershell/pdb-gen.ps1 elvish/solver.elv; do
        [ -s "$work/$folder/share/$one" ] || die "$folder has no $one"
    done
    for program in "$work/$folder"/bin/*; do
        [ -x "$program" ] || die "${program##*/} of $folder is not executable"
    done
    [[ "$folder" != *"-$(uname -m)-unknown-linux-"* ]] || programs=$work/$folder/bin
done
if [ -n "$programs" ]; then
    say "the programs, in an empty environment"
    for name in pdb-gen solver solver-server; do
        [ "$(env -i "$programs/$name" --version)" = "$name $version" ] || die "$name does not have version $version"
    done
    env -i PDB_TABLES="$work/own" "$programs/solver" "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13" |
        grep -q "^55 moves: " || die "the solver does not solve the board of the README"
    bash -n "${programs%/bin}/share/bash-completion/completions/solver"
fi
archive=$out/sliding-tile-page-$version.tar.gz
if [ -e "$archive" ]; then
    say "the page"
    tar -xf "$archive" -C "$work"
    folder=$work/sliding-tile-page-$version
    for one in README.md dist/index.html dist/sw.js dist/licences.txt; do
        [ -s "$folder/$one" ] || die "the page has no $one"
    done
    # All files that the service worker stores exist.
    while read -r one; do
        [ -e "$folder/dist/$one" ] || die "the page has no $one"
    done < <(sed -nE 's,^  "(assets/[^"]+|[a-z0-9-]+\.[a-z]+)"\,?$,\1,p' "$folder/dist/sw.js")
    for one in wasm{,-rules,-threads,-laboratory}; do
        file=$(compgen -G "$folder/dist/assets/$one-????????.wasm") || die "the page has no $one"
        [ "$(head -c 4 "$file" | tail -c 3)" = asm ] && [ "$(wc -c <"$file")" -gt 100000 ] ||
            die "$one of the page is not a WebAssembly module"
    done
    ! grep -q "crates are not listed" "$folder/dist/licences.txt" || die "the page lacks licences of crates"
fi
archive=$out/sliding-tile-pdb-tables-$version.tar
if [ -n "$programs" ] && [ -e "$archive" ]; then
    say "the tables"
    tar -xf "$archive" -C "$work"
    for folder in "$work/sliding-tile-pdb-tables-$version"/*/; do
        "$programs/pdb-gen" unpack --quiet --tables "$work/tables" "$folder"
    done
    "$programs/pdb-gen" verify --quiet --tables "$work/tables"
    "$programs/solver" --tables "$work/tables" --partition 7-8 \
        "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13" | grep -q "^55 moves: " ||
        die "the tables of the release do not solve the board of the README"
fi
say "all passed"
