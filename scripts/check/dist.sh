#!/usr/bin/env bash
# Tests pdb-gen-dist on simulated machines: each process has its own network namespace and address,
# and a bridge connects the namespaces.
#
#   scripts/check/dist.sh [--bin DIR]
#
# - 2 to 4 processes together build tables with the same bytes as pdb-gen; the script prints the
#   traffic that the interfaces counted;
# - one process behind a slow link (tc) receives compressed blocks.
#
# scripts/check/faults.py tests killed processes.
#
# Namespaces need root; without root all processes use loopback, and the script prints a note. DIR
# contains the programs [default: target/release, built first].
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=
[ $# = 0 ] || { [ $# = 2 ] && [ "$1" = --bin ] && bin=$2; } ||
    { echo "usage: ${0##*/} [--bin DIR]" >&2; exit 2; }
if [ -z "$bin" ]; then
    cargo build --locked --release -p pdb-dist -p sliding-tile-pdb --bin pdb-gen --bin pdb-gen-dist
    bin=${CARGO_TARGET_DIR:-target}/release
fi
say() { printf '%s\n' "$*"; }
work=$(mktemp -d)
tag=pd$$
count=4
spaces=
remove_spaces() {
    [ -n "$spaces" ] || return 0
    for ((i = 0; i < count; i++)); do ip netns del "$tag-$i" 2>/dev/null || true; done
    ip link del "$tag" 2>/dev/null || true
    spaces=
}
cleanup() {
    # Kills only processes that this script started.
    for pid in $(jobs -p); do kill -9 "$pid" 2>/dev/null || true; done
    remove_spaces
    rm -rf "$work"
}
trap cleanup EXIT

make_spaces() {
    ip link add "$tag" type bridge || return 1
    # From here on, `cleanup` must remove the bridge and the namespaces.
    spaces=1
    ip link set "$tag" up || return 1
    for ((i = 0; i < count; i++)); do
        ip netns add "$tag-$i" || return 1
        ip link add "$tag-v$i" type veth peer name eth0 netns "$tag-$i" || return 1
        ip link set "$tag-v$i" master "$tag" up || return 1
        ip -n "$tag-$i" addr add "10.77.0.$((i + 1))/24" dev eth0 || return 1
        ip -n "$tag-$i" link set eth0 up || return 1
        ip -n "$tag-$i" link set lo up || return 1
    done
}
if make_spaces 2>"$work/spaces"; then
    say "one network namespace per process, 10.77.0.1 to 10.77.0.$count"
else
    remove_spaces
    say "no network namespaces here ($(head -1 "$work/spaces")): all processes use loopback"
fi
for ((i = 0; i < count; i++)); do
    [ -n "$spaces" ] && say "10.77.0.$((i + 1)):2101" || say "127.0.0.1:$((21010 + i))"
done >"$work/hosts"

# within I COMMAND...: replaces the subshell with a command in the namespace of process I
within() { exec ${spaces:+ip netns exec "$tag-$1"} "${@:2}"; }
# start N OPTIONS...: starts processes 0 to N-1 in the background; stores their ids in pids
start() {
    local n=$1 i
    shift
    pids=()
    for ((i = 0; i < n; i++)); do
        (within "$i" "$bin/pdb-gen-dist" --hostfile "$work/hosts" -n "$n" --process "$i" \
            --threads 1 --tables "$work/tables" "$@" >"$work/out$i" 2>"$work/err$i") &
        pids+=($!)
    done
}
finish() { # waits for all processes; all must succeed
    local i
    for i in "${!pids[@]}"; do
        wait "${pids[$i]}" || { say "process $i failed: $(cat "$work/err$i")"; exit 1; }
    done
}
sent() { # prints the number of bytes sent by the interfaces of all namespaces
    local i sum=0 bytes
    [ -n "$spaces" ] || { echo 0; return; }
    for ((i = 0; i < count; i++)); do
        bytes=$(within "$i" cat /proc/net/dev | sed -n 's/.*eth0: *//p' | awk '{print $9}')
        sum=$((sum + bytes))
    done
    echo "$sum"
}
sum() { sha256sum "$1"/*.pdb | cut -d' ' -f1; }
check() { # check NAME: compares the table with pdb-gen's
    [ "$(sum "$work/tables")" = "$expected" ] || { say "$1: wrong bytes"; exit 1; }
    local left
    left=$(ls -A "$work/tables" | grep -v '\.pdb$' || true)
    [ -z "$left" ] || { say "$1: files remain: $left"; exit 1; }
    rm -rf "$work/tables"
}
table=(--tiles 1,2,3,4,5,6,7)
"$bin/pdb-gen" --tables "$work/plain" --quiet "${table[@]}"
expected=$(sum "$work/plain")
# figure FORMAT: prints FORMAT with figures of the JSON report of process 0
figure() {
    python3 -c 'import json, sys; print(sys.argv[2].format_map(json.load(open(sys.argv[1]))))' \
        "$work/out0" "$1"
}

for n in 2 3 4; do
    before=$(sent)
    start "$n" --json "${table[@]}"
    finish
    wire=$(($(sent) - before))
    given=$(figure "{seconds:.2f} s, {bytes_per_entry:.3f} bytes per entry sent to the connections")
    say "$n processes: same bytes, $given," \
        "$(awk -v w="$wire" -v e="$(figure "{entries}")" 'BEGIN {printf "%.3f", w / e}')" \
        "counted by the interfaces"
    check "$n processes"
done

if [ -n "$spaces" ]; then
    slow() { (within 1 tc qdisc add dev eth0 root "$@") 2>>"$work/tc"; }
    shape=
    if slow netem rate 100mbit delay 5ms; then
        shape="netem: 100 Mbit/s, 5 ms"
    elif slow tbf rate 100mbit burst 64kb latency 50ms; then
        shape="tbf: 100 Mbit/s, no delay because this kernel has no netem"
    else
        say "a slow link was NOT tested: this kernel has neither netem nor tbf" \
            "($(tail -1 "$work/tc"))"
    fi
    if [ -n "$shape" ]; then
        start 3 --json "${table[@]}"
        finish
        say "process 1 behind a slow link ($shape): same bytes," \
            "$(figure "{seconds:.2f} s, {bytes_per_entry:.3f} bytes per entry")"
        check "slow link"
        (within 1 tc qdisc del dev eth0 root)
    fi
fi

say "all passed"
