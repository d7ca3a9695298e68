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

All changes of a sample are compiled into one program: a function that is to be changed holds itself
and each changed form, and $MUTANT says which one runs. So the crate and its tests are compiled once
and not once a change. Changes outside functions, and those that the compiler refuses in that
program, are compiled alone; what it refuses alone as well does not count. Each test runs once
without any change, which says what it takes and which changes it comes to. A change is run by the
tests that come to it, the quickest first, until one fails.
"""

import argparse
import hashlib
import json
import os
import re
import resource
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
# Set by --short.
is_short = False


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


def offset_of(text, at):
    """Where a place that cargo-mutants names by line and column is in a text."""
    lines = text.split("\n")[: at["line"] - 1]
    return sum(len(line) + 1 for line in lines) + at["column"] - 1


def body_of(text, first, last):
    """The part of a function's text that is between its outer braces."""
    skipped = r"//[^\n]*|/\*.*?\*/|r(#*)\".*?\"\1|\"(?:\\.|[^\"\\])*\"|'(?:\\[^']+|[^'\\])'"
    depth = 0
    for found in re.compile(rf"{skipped}|[(){{}}\[\]]", re.DOTALL).finditer(text, first, last):
        if found[0] == "{" and depth == 0:
            return found.end(), last - 1
        depth += (found[0] in ("(", "[")) - (found[0] in (")", "]"))
    return None


def switched_text(text, changes):
    """The text of a file with a switch in each function that one of the changes, which are parted
    by their numbers, is in."""
    spans = {}
    for number, mutant in changes.items():
        function = mutant["function"]["span"]
        span = offset_of(text, function["start"]), offset_of(text, function["end"])
        spans.setdefault(span, []).append(number)
    outer = [
        span
        for span in spans
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)
    ]
    for first, last in sorted(outer, reverse=True):
        body = body_of(text, first, last)
        if body is None:
            continue
        within = [span for span in spans if first <= span[0] and span[1] <= last]
        inside = sorted(at for span in within for at in spans[span])
        original, forms = text[body[0] : body[1]], ""
        for number in inside:
            span = changes[number]["span"]
            start, end = offset_of(text, span["start"]), offset_of(text, span["end"])
            form = text[body[0] : start] + changes[number]["replacement"] + text[end : body[1]]
            forms += f"if mutant == {number} {{\n//[{number}\nreturn {{ {form}\n}};\n//]\n}}\n"
        numbers, listed = " | ".join(map(str, inside)), " ".join(map(str, inside))
            # The function itself is first, since it decides what an opaque type of its result is.
        switch = (
            f"\n//[{listed}\n"
            f"static MUTANT: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {{\n"
            f'if let Ok(reached) = std::env::var("MUTANTS_REACHED") {{\n'
            f"let file = std::fs::File::options().append(true).open(reached);\n"
            f'let _ = std::io::Write::write_all(&mut file.unwrap(), b"{listed}\\n");\n}}\n'
            f'std::env::var("MUTANT").map_or(0, |number| number.parse().unwrap())\n}});\n'
            f"let mutant = *MUTANT;\n"
            f"if !matches!(mutant, {numbers}) {{ return {{ {original}\n}}; }}\n"
            f"{forms}unreachable!()\n//]\n"
        )
        text = text[: body[0]] + switch + text[body[1] :]
    return text


def features(package):
    """Options of cargo for the features of a package: all, or with --short all but the long set's
    tests."""
    if not is_short:
        return ["--all-features"]
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version=1"]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True, cwd=tree).stdout)
    (own,) = [found["features"] for found in listed["packages"] if found["name"] == package]
    return ["--features", ",".join(sorted(set(own) - {"long-tests"}))]


def refused(package, path_of):
    """The changes that the compiler refuses in the tree as it is: those whose form it points at, or
    all of a function if it points elsewhere in it. None if it refuses nothing."""
    options = ["--quiet", "--locked", *features(package), "--package", package]
    # Overflow in constants is found by builds only, which the tests need anyway.
    for verb in ("check", "build"):
        command = ["cargo", verb, *options, "--message-format=json"]
        done = subprocess.run(command, capture_output=True, cwd=tree)
        if done.returncode != 0:
            break
    else:
        return None
    found = set()
    for line in done.stdout.splitlines():
        message = json.loads(line).get("message") or {}
        if message.get("level") != "error":
            continue
        for span in message["spans"]:
            while span and span["file_name"] not in path_of:
                span = (span.get("expansion") or {}).get("span")
            if not span or not span["is_primary"] and len(message["spans"]) > 1:
                continue
            open_marks = []
            for text in (tree / span["file_name"]).read_text().split("\n")[: span["line_start"]]:
                if text.startswith("//["):
                    open_marks.append(set(map(int, text[3:].split())))
                elif text == "//]":
                    open_marks.pop()
            found |= open_marks[-1] if open_marks else set()
    return found


def write_switches(chosen, originals):
    """Puts the chosen changes, by their numbers, into the tree."""
    for name, original in originals.items():
        own = {at: mutant for at, mutant in chosen.items() if mutant["file"] == name}
        text = switched_text(original, own)
        if (tree / name).read_text() != text:
            (tree / name).write_text(text)


def choose_switched(package, candidates):
    """Which changes can be in one program: keys by their numbers, and the original files. Leaves
    that program in the tree."""
    chosen = {at: mutant for at, (_, mutant) in enumerate(candidates, 1) if mutant["function"]}
    originals = {mutant["file"]: (tree / mutant["file"]).read_text() for mutant in chosen.values()}
    while chosen:
        write_switches(chosen, originals)
        wrong = refused(package, originals)
        if wrong is None:
            break
        if not wrong & set(chosen):
            say("the compiler refuses the program of all changes: each is compiled alone")
            chosen = {}
            write_switches(chosen, originals)
            break
        chosen = {at: mutant for at, mutant in chosen.items() if at not in wrong}
    say(f"{len(chosen)} of {len(candidates)} changes are in one program")
    return {at: candidates[at - 1][0] for at in chosen}, originals


def compiles_alone(package, mutant):
    """Whether the crate compiles with this change alone, in the tree without any."""
    path = tree / mutant["file"]
    original = path.read_text()
    path.write_text(changed(original, mutant))
    try:
        return refused(package, {}) is None
    finally:
        path.write_text(original)


def changed(text, mutant):
    """The text of a file with a change made."""
    first, last = (offset_of(text, mutant["span"][end]) for end in ("start", "end"))
    return text[:first] + mutant["replacement"] + text[last:]


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


class Test:
    """A test, or all of the documentation's together, and what it took without any change."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        self.name = command[2] if command[1] == "--exact" else "documentation"
        self.seconds, self.reached = 0.0, set()

    def limit(self):
        """Seconds that it may take with a change: changes that loop are found by that."""
        return 20 + 5 * self.seconds


def programs(package):
    """Compiles the package's tests. Gives the programs, each with the folder it is run in; None if
    they do not compile."""
    command = ["cargo", "test", "--locked", *features(package), "--package", package]
    command += ["--lib", "--bins", "--tests", "--no-run", "--message-format=json"]
    try:
        done = subprocess.run(command, capture_output=True, cwd=tree, timeout=COMPILE_LIMIT)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]
    made = [message for message in messages if message.get("executable")]
    made = [message for message in made if message["profile"]["test"]]
    return [(message["executable"], Path(message["manifest_path"]).parent) for message in made]


def tests_of(package):
    """All tests of the package, without their figures."""
    made = programs(package)
    if made is None:
        die(f"without any change the tests of {package} do not compile")
    tests = []
    for program, folder in made:
        listed = subprocess.run(
            [program, "--list", "--format=terse"], check=True, capture_output=True, cwd=folder
        )
        for line in listed.stdout.decode().splitlines():
            name, _, kind = line.rpartition(": ")
            if kind == "test":
                tests.append(Test([program, "--exact", name, "--quiet"], folder))
    command = ["cargo", "metadata", "--locked", "--no-deps", "--format-version=1"]
    listed = json.loads(subprocess.run(command, check=True, capture_output=True, cwd=tree).stdout)
    (targets,) = [found["targets"] for found in listed["packages"] if found["name"] == package]
    if any(target["doctest"] for target in targets):
        command = ["cargo", "test", "--quiet", "--locked", *features(package), "--package", package]
        tests.append(Test([*command, "--doc"], tree))
    return tests


def baseline(package, longest):
    """Runs each test alone and without any change. Gives them, the cheapest first, with the seconds
    that they take and the changes that they come to; without those of more than `longest` seconds
    of the processor."""
    tests, left_out = [], []
    reached = (place / "reached").resolve()
    for test in tests_of(package):
        reached.write_text("")
        begun = time.monotonic()
        # Documentation is compiled when it is run.
        is_long = longest and test.name == "documentation"
        passed = None if is_long else tested(test, None, longest, MUTANTS_REACHED=str(reached))
        if passed is None:
            left_out.append(test.name)
            continue
        if not passed:
            log = (place / "log").read_text(errors="replace")
            die(f"without any change, {test.name} fails:\n{log}")
        test.seconds = time.monotonic() - begun
        test.reached = set(map(int, reached.read_text().split()))
        tests.append(test)
    for name in left_out:
        say(f"left out, since it takes more than {longest} s: {name}")
    tests.sort(key=lambda test: test.seconds)
    whole = sum(test.seconds for test in tests)
    say(f"{len(tests)} tests take {whole:.0f} s, the longest {tests[-1].seconds:.0f} s")
    return tests


def tested(test, limit, longest=None, **more):
    """Whether a test succeeds; None if it takes longer than the limit, in seconds, or than
    `longest` seconds of the processor."""

    def limit_processor():
        if longest:
            resource.setrlimit(resource.RLIMIT_CPU, (longest, longest + 1))

    log = (place / "log").open("wb")
    done = subprocess.Popen(
        test.command,
        cwd=test.folder,
        env=os.environ | more,
        stdout=log,
        stderr=log,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=limit_processor,
    )
    try:
        code = done.wait(limit)
        return None if longest and code in (-signal.SIGXCPU, -signal.SIGKILL) else code == 0
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


def outcome_of(tests, **more):
    """What tests say of the program as it is, and which of them does."""
    for test in tests:
        passed = tested(test, test.limit(), **more)
        if passed is None:
            return "timeout", test.name
        if not passed:
            return "caught", test.name
    return "missed", f"{len(tests)} tests that come to it"


def outcome_alone(mutant, package, tests):
    """The same of one change that is compiled alone, in the tree without any."""
    path = tree / mutant["file"]
    original = path.read_text()
    path.write_text(changed(original, mutant))
    try:
        if programs(package) is None:
            return "unviable", "the compiler"
        return outcome_of(tests)
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
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--longest", type=int)
    parser.add_argument("--short", action="store_true")
    asked = parser.parse_args()
    global is_short
    is_short = asked.short
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
    drawn = place / f"{asked.crate}-{shard}-of-{shards}-{drawn}"
    short, record = f"{drawn}-short.json", f"{drawn}.json"
    record = Path(short if asked.short else record)
    outcomes = {}
    # What the short set notices, both sets do.
    for path in [Path(short), record] if asked.again else []:
        earlier = json.loads(path.read_text()) if path.exists() else {}
        earlier = {key: earlier[key] for key in earlier if key in changes}
        outcomes |= {key: found for key, found in earlier.items() if found != "missed"}
    uncounted = {key for key in words if words[key] != "kept"}

    waiting = [key for key in order if key not in outcomes]
    known = sum(key not in uncounted and outcomes[key] != "unviable" for key in outcomes)
    waiting = waiting[: (quota - known) * 3 // 2 + 5]
    candidates = [] if asked.alone else [(key, changes[key]) for key in waiting]
    switched, originals = choose_switched(package, candidates)
    numbers = {key: number for number, key in switched.items()}
    write_switches({}, originals)
    part, viable = [], 0
    for key in order:
        if viable == quota:
            break
        part.append(key)
        if key not in outcomes and key not in numbers:
            if not compiles_alone(package, changes[key]):
                outcomes[key] = "unviable"
                say(f"does not compile: {changes[key]['name']}")
        viable += key not in uncounted and outcomes.get(key) != "unviable"

    def note(key, outcome, stage):
        outcomes[key] = outcome
        record.write_text(json.dumps(outcomes, indent=1))
        say(f"{outcome} by {stage}: {changes[key]['name']}")

    todo = [key for key in part if key not in outcomes]
    together = [key for key in todo if key in numbers]
    write_switches({numbers[key]: changes[key] for key in together}, originals)
    tests = baseline(package, asked.longest)
    begun, ran = time.monotonic(), len(todo)
    for key in together:
        own = [test for test in tests if numbers[key] in test.reached]
        note(key, *outcome_of(own, MUTANT=str(numbers[key])))
    write_switches({}, originals)
    for key in todo:
        if key not in numbers:
            note(key, *outcome_alone(changes[key], package, tests))

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
