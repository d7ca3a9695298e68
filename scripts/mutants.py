"""The work of scripts/mutants.sh, which says what this is.

The list of a crate, crates/CRATE/tests/mutants.txt, has blocks of three lines, parted by empty
ones, and comments after #:

    src/board.rs: replace < with <= in Board::find
        if cell «< → <=» last {
        equal: `last` itself is never asked for

The first line is what cargo-mutants calls the change, the second the line of code with the change
marked (of a function's body its first line), the third a word and a reason: `equal`, nothing that
can be seen from outside changes; `absent`, the code is not compiled on Linux; `kept`, no test is
wanted. Equal and absent changes are run all the same, since a test that notices them proves the
word wrong, but not counted; kept ones count as missed.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

WANTED = 95.0
WORDS = ("equal", "absent", "kept")
BATCH = 12
# What the tests of a crate are run as: most changes are noticed by the unit tests, and to compile
# these is half of the work.
STAGES = {"unit tests": ["--lib"], "all tests": []}
OUTCOMES = {
    "CaughtMutant": "caught",
    "MissedMutant": "missed",
    "Timeout": "timeout",
    "Unviable": "unviable",
}
place = Path("target/mutants")
tree = place / "tree"
start = time.monotonic()


def say(text):
    print(f"mutants: {text} ({time.monotonic() - start:.0f} s)", flush=True)


def die(text):
    sys.exit(f"mutants: error: {text}")


def copy_tree():
    """Makes the copy what the working tree is, without touching files that are the same."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, check=True, capture_output=True).stdout.decode().split("\0")
    names = {name for name in names if name and os.path.isfile(name)}
    for name in names:
        source, target = Path(name), tree / name
        if target.is_file() and source.read_bytes() == target.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)
    for folder, folders, files in os.walk(tree):
        if Path(folder) == tree and "target" in folders:
            folders.remove("target")
        for name in files:
            path = Path(folder, name)
            if str(path.relative_to(tree)) not in names:
                path.unlink()


def all_changes(package, crate):
    """The changes of the package by their keys, which name no line numbers."""
    command = ["cargo", "mutants", "--list", "--json", "--package", package]
    listed = subprocess.run(command, check=True, capture_output=True, cwd=tree).stdout
    changes = {}
    for mutant in json.loads(listed):
        lines = (tree / mutant["file"]).read_text().splitlines()
        first, last = mutant["span"]["start"], mutant["span"]["end"]
        line = lines[first["line"] - 1]
        old, rest = line[first["column"] - 1 :], ""
        if first["line"] == last["line"]:
            old = line[first["column"] - 1 : last["column"] - 1]
            rest = line[last["column"] - 1 :]
        new = " ".join(mutant["replacement"].split())
        marked = f"{line[: first['column'] - 1]}«{old} → {new}»{rest}".strip()
        what = re.sub(r":\d+:\d+: ", ": ", mutant["name"].removeprefix(f"crates/{crate}/"), count=1)
        key, number = f"{what}\n{marked}", 1
        while key in changes:
            number += 1
            key = f"{what}\n{marked} #{number}"
        changes[key] = mutant["name"]
    return changes


def read_words(path, changes):
    """What the crate's list says, by keys."""
    words = {}
    text = path.read_text() if path.exists() else ""
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)
    for block in re.split(r"\n\s*\n", text.strip()):
        if not block.strip():
            continue
        lines = [line.strip() for line in block.splitlines()]
        word, colon, reason = lines[-1].partition(": ")
        if len(lines) != 3 or word not in WORDS or not reason:
            die(f"{path}: not a change, its line and `{', '.join(WORDS)}: reason`: {lines[0]}")
        key = "\n".join(lines[:2])
        if key not in changes:
            die(f"{path}: there is no such change, or no longer: {lines[0]}\n    {lines[1]}")
        words[key] = word
    return words


def baseline(package):
    """Compiles and runs the tests of both stages unchanged. Gives the seconds a changed crate may
    compile and its tests may run: changes that loop are found by that."""
    limits = {}
    for stage, arguments in STAGES.items():
        test = ["cargo", "test", "--quiet", "--locked", "--all-features", "--package", package]
        test += arguments
        for command in (test[:2] + ["--no-run"] + test[2:], test):
            begun = time.monotonic()
            done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
            if done.returncode != 0:
                die(f"without any change, {' '.join(command)} fails:\n{done.stdout}{done.stderr}")
        seconds = time.monotonic() - begun
        limits[stage] = round(20 + 5 * seconds)
        say(f"{stage}: {seconds:.1f} s, and {limits[stage]} s are the limit")
    return limits


def run(names, package, stage, limit):
    """Runs one stage on these changes; gives their outcomes."""
    command = ["cargo", "mutants", "--in-place", "--baseline=skip", f"--package={package}"]
    command += [f"--timeout={limit}", "--build-timeout=600", "--colors=never", "--annotations=none"]
    command += [f"--output={place.resolve()}"]
    special = re.compile(r"([\\.+*?()|\[\]{}^$])")
    command += ["--re=^" + special.sub(r"\\\1", name) + "$" for name in names]
    command += [f"--cargo-arg={argument}" for argument in STAGES[stage]]
    done = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    # 2 and 3: some were missed, some took too long.
    if done.returncode not in (0, 2, 3):
        die(f"cargo mutants ends with {done.returncode}:\n{done.stdout.decode()}")
    found = {}
    for outcome in json.loads((place / "mutants.out/outcomes.json").read_text())["outcomes"]:
        if outcome["scenario"] != "Baseline":
            found[outcome["scenario"]["Mutant"]["name"]] = OUTCOMES[outcome["summary"]]
    if set(found) != set(names):
        die(f"cargo mutants did not run {set(names) - set(found)}")
    return found


def main():
    parser = argparse.ArgumentParser(prog="mutants")
    parser.add_argument("crate")
    parser.add_argument("shard")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    asked = parser.parse_args()
    shard, shards = map(int, asked.shard.split("/"))
    if not 1 <= shard <= shards or asked.sample < shards:
        die(f"there is no shard {asked.shard} of {asked.sample} changes")
    quota = asked.sample // shards + (shard <= asked.sample % shards)

    copy_tree()
    manifest = (tree / "crates" / asked.crate / "Cargo.toml").read_text()
    package = re.search(r'^name = "(.*)"', manifest, flags=re.MULTILINE)[1]
    changes = all_changes(package, asked.crate)
    words = read_words(Path("crates", asked.crate, "tests/mutants.txt"), changes)
    order = sorted(changes, key=lambda key: hashlib.sha256(f"{asked.seed} {key}".encode()).digest())
    order = order[shard - 1 :: shards]
    say(f"{asked.crate}: {len(changes)} changes, {quota} are wanted of shard {asked.shard}")

    record = place / f"{asked.crate}-{shard}-of-{shards}-{asked.sample}-seed-{asked.seed}.json"
    outcomes = {}
    if asked.again and record.exists():
        earlier = json.loads(record.read_text())
        outcomes = {key: earlier[key] for key in earlier if key in changes}
        outcomes = {key: found for key, found in outcomes.items() if found != "missed"}
    counts = {key: key not in words or words[key] == "kept" for key in order}

    limits = baseline(package)
    begun, ran = time.monotonic(), 0
    while True:
        # The shortest beginning of the order that has as many as are wanted, if all that are not
        # run yet compile.
        part, viable = [], 0
        for key in order:
            if viable == quota:
                break
            part.append(key)
            viable += counts[key] and outcomes.get(key) != "unviable"
        batch = [key for key in part if key not in outcomes][:BATCH]
        if not batch:
            break
        left = batch
        for stage in STAGES:
            found = run([changes[key] for key in left], package, stage, limits[stage])
            for key in left:
                outcomes[key] = found[changes[key]]
                if outcomes[key] != "missed" or stage == list(STAGES)[-1]:
                    say(f"{outcomes[key]}, by {stage}: {changes[key]}")
            left = [key for key in left if outcomes[key] == "missed"]
            if not left:
                break
        ran += len(batch)
        record.write_text(json.dumps(outcomes, indent=1))

    counted = [key for key in part if counts[key] and outcomes[key] != "unviable"]
    sums = {name: sum(outcomes[key] == name for key in counted) for name in OUTCOMES.values()}
    missed = [key for key in counted if outcomes[key] == "missed"]
    wrong = [key for key in part if not counts[key] and outcomes[key] in ("caught", "timeout")]
    if ran:
        say(f"{(time.monotonic() - begun) / ran:.1f} s a change")
    for key in missed:
        print(f"missed{', as the list says' if key in words else ''}: {changes[key]}")
        print(f"    {key.splitlines()[1]}")
    for key in wrong:
        print(f"noticed, though said to be {words[key]}: {changes[key]}")
    unviable = sum(outcomes[key] == "unviable" for key in part)
    apart = {word: sum(words.get(key) == word for key in part) for word in WORDS[:2]}
    noticed = sums["caught"] + sums["timeout"]
    percent = 100 * noticed / len(counted) if counted else 100
    print(
        f"{asked.crate}, seed {asked.seed}, shard {asked.shard}: {noticed} of {len(counted)} "
        f"noticed ({percent:.1f} %): {sums['caught']} caught, {sums['timeout']} by running too "
        f"long; {sums['missed']} missed; apart from these {apart['equal']} equal, "
        f"{apart['absent']} not compiled here, {unviable} that do not compile"
    )
    sys.exit(1 if wrong or percent < WANTED else 0)


main()
