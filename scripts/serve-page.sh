#!/usr/bin/env bash
# Builds the page and serves it on this machine.
#
#   scripts/serve-page.sh [--threads | --release] [--port N] [--host NAME] [--no-isolation]
#
#   --threads        enables searches with several threads; doubles the time of the first build
#   --release        builds the page for deployment, with threads and smaller modules
#   --port N         port [default: 8080]
#   --host NAME      address to listen on [default: this machine only]
#   --no-isolation   omits the headers that browsers require for threads
#
# Needs Rust and Node 20 with npm. The first build takes about two minutes on two cores; later ones
# build only what has changed. The page is in crates/page/dist: plain files for any static host.
set -euo pipefail

say() { printf 'serve-page: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

build=(--quick --no-threads)
serve=()
while [ $# -gt 0 ]; do
    case $1 in
        --threads) build=(--quick) ;;
        --release) build=() ;;
        --help | -h)
            sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//; p;}' "${BASH_SOURCE[0]}"
            exit
            ;;
        --no-isolation) export PAGE_ISOLATION=no ;;
        --port | --host)
            [ $# -ge 2 ] || die "$1 needs a value"
            serve+=("$1" "$2")
            shift
            ;;
        *) die "unknown option: $1; try: scripts/serve-page.sh --help" ;;
    esac
    shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source scripts/build/reuse.sh
need_programs
if [ -e crates/page/dist/index.html ]; then
    say "building what has changed since the last build"
else
    say "the first build: solver modules, npm package and page, about two minutes on two cores" \
        "(--threads, --release: four), and 0.6 GB under target/ and node_modules"
    [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] ||
        say "rustup adds the target wasm32-unknown-unknown"
fi
scripts/build/page.sh ${build[@]+"${build[@]}"}
say "ready after $SECONDS s"
cd crates/page
exec npx vite preview ${serve[@]+"${serve[@]}"}
