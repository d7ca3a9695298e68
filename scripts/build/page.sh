#!/usr/bin/env bash
# Build the page, crates/wasm/web, from a clean clone.
#
#   scripts/build/page.sh [--quick] [--no-threads]
#
# Writes static files for any host to crates/wasm/web/dist. Parts that were built from the same
# inputs are reused. Options and needed programs are those of npm.sh, which builds the package that
# the page uses.
set -euo pipefail

say() { printf 'build/page: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }

for option; do
    case $option in
        --quick | --no-threads) ;;
        *) die "usage: ${0##*/} [--quick] [--no-threads]" ;;
    esac
done
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scripts/build/npm.sh "$@"
source scripts/build/reuse.sh
web=crates/wasm/web

install_packages $web
# (The page lists the crates in the modules with their licences.)
key=$(sum $web/{index.html,package.json,package-lock.json,tsconfig.json,svelte.config.js} \
    $web/{vite.config.ts,public,scripts,src,sw} Cargo.lock LICENSE-MIT LICENSE-APACHE \
    crates/wasm/npm/{package.json,dist,wasm,wasm-rules,wasm-threads})
if is_current page "$key" $web/dist; then
    say "the page is up to date"
else
    say "the page"
    (cd $web && npm run --silent build -- --logLevel warn >&2)
    note page "$key" $web/dist
fi
