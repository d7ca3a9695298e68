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
import signal
import subprocess
import sys
import time
from pathlib import Path

WANTED = 95.0
WORDS = ("equal", "absent", "kept")
OUTCOMES = ("caught", "timeout", "missed", "unviable")
# Seconds that a changed crate may compile: constants can be made to loop.
COMPILE_LIMIT = 600
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
    names = {name for name in names if name and os.path.lexists(name)}
    for name in names:
        source, target = Path(name), tree / name
        if source.is_symlink():
            target.unlink(missing_ok=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(os.readlink(source))
            continue
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
        changes[key] = mutant
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


def stages(package):
    """The parts of a package's tests, as arguments of cargo test: those of the library first, which
    compile in half the time and notice most."""
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version=1"]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True, cwd=tree).stdout)
    (targets,) = [found["targets"] for found in listed["packages"] if found["name"] == package]
    found = []
    for target in targets:
        kinds = target["kind"]
        is_library = not {"bin", "test", "bench", "example", "custom-build"} & set(kinds)
        if is_library and target["test"]:
            found.insert(0, "--lib")
        elif target["test"] and kinds in (["bin"], ["test"]):
            found.append(f"--{kinds[0]}={target['name']}")
        if is_library and target["doctest"]:
            found.append("--doc")
    return found


def commands(package, stage):
    """The commands that compile and run the tests of a stage."""
    test = ["cargo", "test", "--quiet", "--locked", "--all-features", "--package", package, stage]
    # Examples in documentation are compiled when they are run.
    return ["true"] if stage == "--doc" else [*test, "--no-run"], test


def baseline(package):
    """Runs all tests unchanged. Gives their stages in the order in which they are run, the library
    and then the cheapest first, and the seconds that each may take when the crate is changed:
    changes that loop are found by that."""
    took = {}
    first, *others = stages(package)
    for stage in [first, *others]:
        for command in commands(package, stage):
            begun = time.monotonic()
            if not tested(command, None):
                log = (place / "log").read_text(errors="replace")
                die(f"without any change, {' '.join(command)} fails:\n{log}")
        took[stage] = time.monotonic() - begun
        say(f"{stage}: {took[stage]:.1f} s")
    order = [first, *sorted(others, key=took.get)]
    return {stage: round(20 + 5 * took[stage]) for stage in order}


def tested(command, limit):
    """Whether a command succeeds; None if it takes longer than the limit, in seconds."""
    log = (place / "log").open("wb")
    done = subprocess.Popen(
        command, cwd=tree, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        return done.wait(limit) == 0
    except subprocess.TimeoutExpired:
        return None
    finally:
        log.close()
        # What tests have started goes with them.
        try:
            os.killpg(done.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        done.wait()


def failed_test():
    """The name of the first test that the log says has failed."""
    log = (place / "log").read_text(errors="replace")
    found = re.search(r"^(?:test )?(\S+) (?:---|\.\.\.) FAILED$", log, flags=re.MULTILINE)
    return found and found[1]


def outcome_of(mutant, package, limits):
    """What the tests say of one change, and which of them do."""
    path = tree / mutant["file"]
    original = path.read_text()
    lines = original.splitlines(keepends=True)

    def offset(at):
        return sum(map(len, lines[: at["line"] - 1])) + at["column"] - 1

    first, last = offset(mutant["span"]["start"]), offset(mutant["span"]["end"])
    path.write_text(original[:first] + mutant["replacement"] + original[last:])
    try:
        for stage, limit in limits.items():
            compile, test = commands(package, stage)
            if not tested(compile, COMPILE_LIMIT):
                return "unviable", stage
            passed = tested(test, limit)
            if passed is None:
                return "timeout", stage
            if not passed:
                return "caught", failed_test() or stage
        return "missed", "all tests"
    finally:
        path.write_text(original)


def main():
    parser = argparse.ArgumentParser(prog="mutants")
    parser.add_argument("crate")
    parser.add_argument("shard")
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--only")
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
    if asked.only:
        order = [key for key in order if asked.only in changes[key]["name"]]
        quota = len(order)
    order = order[shard - 1 :: shards]
    say(f"{asked.crate}: {len(changes)} changes, {quota} are wanted of shard {asked.shard}")

    drawn = "only" if asked.only else f"{asked.sample}-seed-{asked.seed}"
    record = place / f"{asked.crate}-{shard}-of-{shards}-{drawn}.json"
    outcomes = {}
    if asked.again and record.exists():
        earlier = json.loads(record.read_text())
        outcomes = {key: earlier[key] for key in earlier if key in changes}
        outcomes = {key: found for key, found in outcomes.items() if found != "missed"}
    uncounted = {key for key in words if words[key] != "kept"}

    limits = baseline(package)
    begun, ran = time.monotonic(), 0
    part, viable = [], 0
    for key in order:
        if viable == quota:
            break
        part.append(key)
        if key not in outcomes:
            name = changes[key]["name"]
            outcomes[key], stage = outcome_of(changes[key], package, limits)
            record.write_text(json.dumps(outcomes, indent=1))
            say(f"{outcomes[key]} by {stage}: {name}")
            ran += 1
        viable += key not in uncounted and outcomes[key] != "unviable"

    counted = [key for key in part if key not in uncounted and outcomes[key] != "unviable"]
    sums = {name: sum(outcomes[key] == name for key in counted) for name in OUTCOMES}
    missed = [key for key in counted if outcomes[key] == "missed"]
    wrong = [key for key in part if key in uncounted and outcomes[key] in ("caught", "timeout")]
    if ran:
        say(f"{(time.monotonic() - begun) / ran:.1f} s a change")
    for key in missed:
        print(f"missed{', as the list says' if key in words else ''}: {changes[key]['name']}")
        print(f"    {key.splitlines()[1]}")
    for key in wrong:
        print(f"noticed, though said to be {words[key]}: {changes[key]['name']}")
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
