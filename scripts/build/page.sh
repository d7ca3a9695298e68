#!/usr/bin/env bash
# Builds the page, crates/page.
#
#   scripts/build/page.sh [--quick] [--no-threads]
#
# Writes plain files for any static host to crates/page/dist. Existing results of the same
# inputs are reused. Options and requirements are those of npm.sh, which builds the npm package that
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
page=crates/page

install_packages $page
# Cargo.lock is an input: the page lists the crates of the modules with their licences.
key=$(sum $page/{index.html,package.json,package-lock.json,tsconfig.json,svelte.config.js} \
    $page/{vite.config.ts,public,scripts,src,sw} Cargo.lock scripts/release/third-party.py \
    crates/npm/{package.json,dist,wasm,wasm-rules,wasm-threads,wasm-laboratory})
if is_current page "$key" $page/dist; then
    say "the page is up to date"
else
    say "the page"
    (cd $page && npm run --silent build -- --logLevel warn >&2)
    note page "$key" $page/dist
fi
