#!/usr/bin/env bash
# Builds a release: all files that are published for a version, from a clone of the current commit.
#
#   scripts/release/release.sh [OPTIONS] VERSION [OUT]
#
# Writes the files that docs/releases.md lists to OUT [default: target/release-VERSION], with the
# guarantees stated there.
#
#   --only STEP[,STEP]     steps: binaries, tables, wheel, npm, page, c [default: all]
#   --targets T[,T]        targets of the binaries [default: x86-64 Linux, aarch64 Linux and
#                          Windows, if compilers exist]; programs for this machine's Linux are
#                          always built
#   --work DIRECTORY       build folder [default: target/release-work]; results of an earlier
#                          release in this folder are reused
#   --check                builds everything again in target/release-again and compares the two
#                          builds
#
# The project does not use cargo-dist 0.34: that tool builds only an archive per program, without
# manual pages, licences of dependencies, wheel, npm package, C library and tables, and it does not
# compare a second build.
#
# Needs a committed tree, Rust, Python 3.10 with venv, Node 20 with npm, a C compiler, binutils, and
# musl-gcc (musl-tools) or else glibc's static library; aarch64-linux-gnu-gcc for aarch64 Linux, and
# x86_64-w64-mingw32-gcc for Windows. Downloads packages from registries, and compilation targets
# through rustup.
set -euo pipefail

say() { printf 'release: %s (%s s)\n' "$*" "$SECONDS" >&2; }
die() { printf 'release: error: %s\n' "$*" >&2; exit 1; }
usage() {
    die "usage: ${0##*/} [--only STEPS] [--targets TARGETS] [--work DIRECTORY] [--check] VERSION [OUT]"
}

steps="binaries tables wheel npm page c"
only=${steps// /,}
targets=
work=
check=no
while [[ "${1:-}" == --* ]]; do
    case $1 in
        --only | --targets | --work)
            [ $# -ge 2 ] || usage
            declare "${1#--}=$2"
            shift
            ;;
        --check) check=yes ;;
        *) usage ;;
    esac
    shift
done
[ $# = 1 ] || [ $# = 2 ] || usage
version=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=${2:-$root/target/release-$version}
work=${work:-$root/target/release-work}
for step in ${only//,/ }; do
    [[ " $steps " == *" $step "* ]] || die "unknown step $step: ${steps// /, }"
done
for target in ${targets//,/ }; do
    case $target in
        x86_64-unknown-linux-* | aarch64-unknown-linux-* | x86_64-pc-windows-gnu) ;;
        *) die "unknown target $target" ;;
    esac
done
has_step() { [[ ",$only," == *",$1,"* ]]; }

# --- Version, notes and commit ----------------------------------------------

is=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
[ "$version" = "$is" ] || die "the workspace has version $is, not $version"
grep -q "\"version\": \"$version\"" "$root/crates/npm/package.json" ||
    die "crates/npm/package.json does not have version $version"
notes=$(awk -v version="$version" '
    /^## / { on = ($2 == version); if (on) print; next }
    on
' "$root/docs/changelog.md")
[ -n "$notes" ] || die "docs/changelog.md has no section '## $version'"
! head -n 1 <<<"$notes" | grep -q unreleased ||
    say "warning: docs/changelog.md marks $version as unreleased"
changed=$(git -C "$root" status --porcelain) || die "not a git repository: $root"
[ -z "$changed" ] || die "uncommitted changes: $(head -n 1 <<<"$changed")"
commit=$(git -C "$root" rev-parse HEAD)

# --- Reproducible environment -----------------------------------------------

umask 022
export LC_ALL=C TZ=UTC CARGO_INCREMENTAL=0 PYTHONHASHSEED=0
SOURCE_DATE_EPOCH=$(git -C "$root" show -s --format=%ct HEAD)
export SOURCE_DATE_EPOCH
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_TARGET_DIR CFLAGS PDB_TABLES
for name in $(compgen -e CARGO_PROFILE_); do unset "$name"; done
# Link-time optimisation makes programs smaller, but no faster.
export CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1

mkdir -p "$work" "$out"
work=$(cd "$work" && pwd)
out=$(cd "$out" && pwd)
source=$work/source
if [ -d "$source/.git" ]; then
    git -C "$source" fetch --quiet "$root" HEAD
else
    git clone --quiet --no-checkout "$root" "$source"
fi
git -C "$source" checkout --quiet --force --detach "$commit"
# Compiled files are kept: cargo detects outdated ones.
git -C "$source" clean -ffdxq -e /target
cd "$source"
stage=$work/stage
rm -rf "$stage"
mkdir -p "$stage"
rm -f "$out"/sliding[-_]tile[-_]{pdb,page}-* "$out"/{RELEASE-NOTES.md,BUILD.txt,SHA256SUMS}

host=$(rustc -vV | sed -n 's/^host: //p')
[[ "$host" == *-linux-gnu ]] || die "releases are built on Linux with glibc, not on $host"
machine=${host%%-*}
built_by=("commit $commit" "$(rustc --version)" "$(cc --version | head -n 1)")

# Archives a folder: files sorted by name, without owner, with the time of the commit.
pack() { # FOLDER ARCHIVE
    tar --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        -C "$stage" -cf "$work/archive.tar" "$1"
    case $2 in
        *.gz) gzip -9n <"$work/archive.tar" >"$out/$2" ;;
        *) cp "$work/archive.tar" "$out/$2" ;;
    esac
    rm "$work/archive.tar"
    say "$2: $(wc -c <"$out/$2") bytes"
}

documents() { # FOLDER TARGET CRATE...
    local folder=$1 target=$2 packages=() crate
    shift 2
    for crate; do packages+=(--package "$crate"); done
    cp LICENSE-MIT LICENSE-APACHE "$folder"
    printf '%s\n' "$notes" >"$folder/RELEASE-NOTES.md"
    python3 scripts/release/third-party.py "${packages[@]}" --target "$target" \
        --out "$folder/THIRD-PARTY-LICENSES"
}

# --- Programs ---------------------------------------------------------------

has_std() { compgen -G "$(rustc --print sysroot)/lib/rustlib/$1/lib/libstd-*.rlib" >/dev/null; }
get_std() {
    has_std "$1" && return
    command -v rustup >/dev/null && timeout 120 rustup --quiet target add "$1" >&2 && has_std "$1"
}

# Whether a target can be built; otherwise `missing` contains the reason.
can_build() {
    missing=
    local compiler=
    case $1 in
        "$machine-unknown-linux-musl") compiler=musl-gcc ;;
        "$host") return ;;
        aarch64-unknown-linux-*) compiler=aarch64-linux-gnu-gcc ;;
        x86_64-pc-windows-gnu) compiler=x86_64-w64-mingw32-gcc ;;
        *) missing="unknown target"; return 1 ;;
    esac
    command -v "$compiler" >/dev/null || { missing="no $compiler"; return 1; }
    get_std "$1" || { missing="no Rust standard library for it"; return 1; }
}

# Programs linked with musl need no system library, and musl's licence requires only that they
# include its copyright notice. If the musl target is not available, glibc is linked statically.
native=$machine-unknown-linux-musl
can_build "$native" || { say "$native: $missing; linked with glibc instead"; native=$host; }

# Targets of --targets are required; the default targets are skipped if compilers are missing.
chosen=("$native")
others=${targets//,/ }
[ -n "$others" ] || ! has_step binaries || others="aarch64-unknown-linux-musl x86_64-pc-windows-gnu"
for target in $others; do
    if [ "$target" = "$native" ]; then
        continue
    elif can_build "$target"; then
        chosen+=("$target")
    elif [ -n "$targets" ]; then
        die "$target: $missing"
    else
        say "skipped: $target, $missing"
    fi
done

compile() { # TARGET
    local small='profile.release.package.clap_builder.opt-level="s"'
    local target=$1 packages=(-p sliding-tile-pdb --config "$small") name=${1//-/_}
    (
        source scripts/build/path-flags.sh
        RUSTFLAGS+=" -Ctarget-feature=+crt-static"
        case $target in
            "$machine-unknown-linux-musl") export "CC_$name=musl-gcc" ;;
            aarch64-unknown-linux-musl)
                # zstd is compiled with glibc's headers but linked with Rust's musl. It uses only C
                # functions that are compatible in glibc and musl.
                export CC_aarch64_unknown_linux_musl=aarch64-linux-gnu-gcc
                export CFLAGS_aarch64_unknown_linux_musl="-U_FORTIFY_SOURCE -fno-stack-protector"
                export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=aarch64-linux-gnu-gcc ;;
            aarch64-unknown-linux-gnu)
                export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc ;;
            *-windows-gnu) RUSTFLAGS+=" -Clink-arg=-Wl,--no-insert-timestamp" ;;
        esac
        [[ "$target" == *-windows-* ]] || packages+=(-p sliding-tile-pdb-server)
        cargo build --locked --release --bins --target "$target" "${packages[@]}" >&2
    )
}

programs=$source/target/$native/release

# Size limit per program, in bytes. The server contains the schemas of the contract.
declare -A most=([pdb-gen]=6000000 [solver]=6000000 [solver-server]=7000000)
binaries() { # TARGET
    local target=$1 name folder=sliding-tile-pdb-$version-$1 made=target/$1/release file size
    local share=$stage/$folder/share crates=(sliding-tile-pdb) names=(pdb-gen solver)
    [[ "$target" == *-windows-* ]] || { crates+=(sliding-tile-pdb-server); names+=(solver-server); }
    mkdir -p "$stage/$folder/bin"
    for name in "${names[@]}"; do
        file=$name
        [[ "$target" != *-windows-* ]] || file=$name.exe
        cp "$made/$file" "$stage/$folder/bin/"
        size=$(wc -c <"$made/$file")
        say "$target: $file has $size bytes"
        [ "$size" -le "${most[$name]}" ] ||
            die "$file for $target is larger than ${most[$name]} bytes"
        if [[ "$target" == *-linux-* ]]; then
            ! readelf -lW "$made/$file" | grep -q INTERP || die "$file is not linked statically"
            ! readelf -SW "$made/$file" | grep -qF .symtab || die "$file is not stripped"
        fi
    done
    # Manual pages and completions, written by the programs for this machine.
    mkdir -p "$share/man/man1"
    for name in pdb-gen solver; do
        "$programs/$name" man "$share/man/man1" >/dev/null
        for file in bash-completion/completions/$name zsh/site-functions/_$name \
            fish/vendor_completions.d/$name.fish powershell/$name.ps1 elvish/$name.elv; do
            mkdir -p "$share/${file%/*}"
            "$programs/$name" completions "${file%%[-/]*}" >"$share/$file"
        done
    done
    cp README.md "$stage/$folder"
    documents "$stage/$folder" "$target" "${crates[@]}"
    pack "$folder" "$folder.tar.gz"
}

if has_step binaries || has_step tables; then
    say "programs for $native"
    compile "$native"
    PDB_TABLES=$stage/tables "$programs/solver" --json "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13" |
        grep -q '"length":55' || die "the solver does not solve the board of the README"
fi
if has_step binaries; then
    for target in "${chosen[@]}"; do
        if [ "$target" != "$native" ]; then
            say "programs for $target"
            compile "$target"
        fi
        binaries "$target"
    done
    built_by+=("binaries: ${chosen[*]}")
fi

# --- Tables -----------------------------------------------------------------

if has_step tables; then
    folder=sliding-tile-pdb-tables-$version
    say "tables: building, packing, unpacking and proving"
    while read -r name options; do
        read -ra options <<<"$options"
        PDB_TABLES=$stage/tables "$programs/pdb-gen" pack --quiet "${options[@]}" \
            --out "$stage/$folder/$name"
        PDB_TABLES=$stage/unpacked "$programs/pdb-gen" unpack --quiet "$stage/$folder/$name"
    done <<<'3x3 --size 3x3
4x4-6-6-3 --partition 6-6-3
4x4-7-8 --partition 7-8'
    PDB_TABLES=$stage/unpacked "$programs/pdb-gen" verify --quiet
    cp LICENSE-MIT LICENSE-APACHE "$stage/$folder"
    pack "$folder" "$folder.tar"
fi

# --- Packages ---------------------------------------------------------------

if has_step wheel; then
    say "the wheel and the sdist"
    # The wheel is for systems with glibc 2.17 or later, unless MANYLINUX is set.
    MANYLINUX=${MANYLINUX-2014} scripts/build/python.sh --out "$out" >&2
    built_by+=("$(target/python/tools/bin/maturin --version)")
    built_by+=("zig $(target/python/tools/bin/python -m ziglang version 2>/dev/null || echo none)")
fi
if has_step npm; then
    say "the npm package"
    scripts/build/npm.sh --pack "$out" >&2
    built_by+=("node $(node --version), npm $(npm --version)")
fi
if has_step page; then
    say "the page"
    folder=sliding-tile-page-$version
    scripts/build/page.sh >&2
    mkdir -p "$stage/$folder"
    cp -r crates/page/dist "$stage/$folder/dist"
    cp crates/page/hosting.md "$stage/$folder/README.md"
    documents "$stage/$folder" wasm32-unknown-unknown wasm
    pack "$folder" "$folder.tar.gz"
    has_step npm || built_by+=("node $(node --version), npm $(npm --version)")
fi
if has_step c; then
    say "the C library"
    folder=sliding-tile-pdb-c-$version-$machine-linux-gnu
    (
        source scripts/build/path-flags.sh
        scripts/build/c.sh --prefix "$stage/$folder"
    ) >&2
    # Makes paths relative, so that the archive can be unpacked anywhere.
    sed -i 's,^prefix=.*,prefix=${pcfiledir}/../..,; s,'"$stage/$folder"',${prefix},g' \
        "$stage/$folder/lib/pkgconfig/slidingtilepdb.pc"
    cp docs/c.md "$stage/$folder"
    cp -r crates/capi/examples "$stage/$folder/examples"
    documents "$stage/$folder" "$host" sliding-tile-pdb-capi
    pack "$folder" "$folder.tar.gz"
fi

# --- Checks and sums --------------------------------------------------------

# No file of the release may contain a path of this machine.
say "folders of this machine"
rm -rf "$work/look"
mkdir "$work/look"
for file in "$out"/sliding[-_]tile[-_]*; do
    inside=$work/look/${file##*/}
    mkdir "$inside"
    case $file in
        *.whl) python3 -m zipfile -e "$file" "$inside" ;;
        *) tar -xf "$file" -C "$inside" ;;
    esac
done
for folder in "$work" "${CARGO_HOME:-$HOME/.cargo}" "$(rustc --print sysroot)"; do
    found=$(grep -rlF -- "$folder" "$work/look" | head -n 1) || true
    [ -z "$found" ] || die "${found#"$work/look/"} contains the path $folder"
done
rm -rf "$work/look"

printf '%s\n' "$notes" >"$out/RELEASE-NOTES.md"
printf '%s\n' "${built_by[@]}" >"$out/BUILD.txt"
(cd "$out" && sha256sum -- $(ls | grep -v '^SHA256SUMS$') >"$work/sums")
mv "$work/sums" "$out/SHA256SUMS"
say "$(wc -l <"$out/SHA256SUMS") files in $out"

if [ $check = yes ]; then
    say "building again in another folder"
    again=$root/target/release-again
    rm -rf "$again"
    options=(--only "$only" --work "$again/elsewhere")
    [ -z "$targets" ] || options+=(--targets "$targets")
    # Tools of the first build are reused: they are not compared, and take minutes to compile.
    PATH=$source/target/tools/bin:$PATH "$root/scripts/release/release.sh" "${options[@]}" "$version" \
        "$again/out"
    diff "$out/SHA256SUMS" "$again/out/SHA256SUMS" >&2 || die "the second build has other bytes"
    rm -rf "$again"
    say "both builds have the same bytes"
fi
