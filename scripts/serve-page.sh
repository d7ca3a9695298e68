#!/usr/bin/env bash
# Build the page and serve it on this machine.
#
#   scripts/serve-page.sh [--port N]
#
# Needs Rust and Node 20 with npm. The page is crates/wasm/web/dist afterwards: plain files for any
# static host.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scripts/build/npm.sh
cd crates/wasm/web
npm ci --no-audit --no-fund --loglevel=error
npm run --silent build
exec node scripts/serve.mjs "$@"
