# Functions that the page's builds share: they check for required programs and skip unchanged steps.
# Source this file in the root of the clone.
#
# A step has outputs and a key, the checksum of everything that its outputs depend on. When the step
# is complete, the key and a checksum of the outputs are recorded. The step is current while the key
# and the outputs' checksum are unchanged; file times are ignored.
notes=${CARGO_TARGET_DIR:-$PWD/target}/built

need_programs() {
    local program
    for program in node npm; do
        command -v $program >/dev/null || die "$program is missing: install Node.js 20 or later"
    done
    for program in cargo rustc; do
        command -v $program >/dev/null || die "$program is missing: install Rust with rustup"
    done
}

sum() { node scripts/build/sum.mjs "$@"; } # PATH... [-- WORD...]

is_current() { # STEP KEY OUTPUT...
    local noted
    [ -f "$notes/$1" ] || return
    noted=$(cat "$notes/$1")
    [ "${noted% *}" = "$2" ] && [ "${noted##* }" = "$(sum "${@:3}")" ]
}

note() { # STEP KEY OUTPUT...
    mkdir -p "$notes"
    printf '%s %s\n' "$2" "$(sum "${@:3}")" >"$notes/$1"
}

# Installs the packages of FOLDER/package-lock.json.
install_packages() { # FOLDER
    local key listed=$1/node_modules/.package-lock.json
    key=$(sum "$1/package.json" "$1/package-lock.json" -- "$(node --version)")
    is_current "packages-${1##*/}" "$key" "$listed" && return
    say "npm ci in $1"
    (cd "$1" && npm ci --no-audit --no-fund --loglevel=error >&2)
    note "packages-${1##*/}" "$key" "$listed"
}
