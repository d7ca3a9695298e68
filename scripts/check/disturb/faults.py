"""Faults that are injected into a running command, and the conditions that must hold after them."""

import contextlib
import dataclasses
import errno
import json
import os
import pathlib
import random
import re
import shutil
import signal
import time
from collections.abc import Callable

from .files import LEFT, SAVED, UNFINISHED, damage_one, size_of, snapshot
from .operations import OPERATIONS, check_answers
from .process import NOBODY, TIME_LIMIT, Broken, Skipped, ending
from .trace import ERRORS, check_order, strace


@dataclasses.dataclass
class Fault:
    """A fault and its options."""

    words: str
    # Runs a `Round` with the fault, checks the promises, and returns a description of the outcome.
    do: Callable
    # Number of rounds per operation in each turn of the schedule.
    often: int = 1
    # Mount options of the tmpfs on which the round runs; None for an ordinary folder.
    disk: str | None = None


FAULTS = {}


def fault(words, **options):
    """Registers a function as a fault under its name."""

    def add(do):
        FAULTS[do.__name__.replace("_", "-")] = Fault(words, do, **options)
        return do

    return add


def applies(operation, fault):
    if operation.reads:
        return fault == "damage" or (fault == "remove" and operation.name != "verify")
    # Two comparisons cannot share a directory: the second one is rejected.
    if operation.name == "compare" and fault in ("stop", "crowd"):
        return False
    # A traced service would never end, because no client stops it.
    if operation.client is not None:
        return fault not in ("kill-call", "error-call", "order", "stop", "crowd", "denied")
    if operation.several:
        # The faults listed here do not apply: one of the concurrent runs would wait forever for the
        # lock of another run.
        return fault not in ("kill-call", "error-call", "order", "crowd", "stop")
    return True


@fault("kill -9 at a random moment", often=3)
def kill(round):
    operation, baseline, rng = round.operation, round.baseline, round.rng
    deaths, moments = 0, []
    # A build with checkpoints may be killed several times.
    for _ in range(rng.choice([1, 1, 2, 3]) if operation.saves else 1):
        begun = time.monotonic()
        process, moment = round.begin_and_pause(0.95)
        alone = operation.several and rng.random() < 0.6
        if alone:
            # One process is killed, and the other processes must detect that. The first member is
            # the parent of the other members.
            if members := process.members():
                chosen = rng.choice(members)
                moment += f", process {members.index(chosen)} of {len(members)}"
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chosen, signal.SIGKILL)
            deadline = time.monotonic() + TIME_LIMIT
            while process.members() and time.monotonic() < deadline:
                time.sleep(0.05)
            if process.members():
                raise Broken(f"partners of a killed process keep running ({moment})")
        else:
            process.signal(signal.SIGKILL)
        run = process.wait()
        moments.append(moment)
        killed = run.code == -signal.SIGKILL or (alone and run.code != 0)
        deaths += killed
        if not killed:
            round.check_end(run, [0])
            # The run ended before the kill, so it was faster than the reference run.
            baseline.seconds = min(baseline.seconds, time.monotonic() - begun)
        round.check_output(run, False)
        round.check_files()
    plain = operation.saves and rng.random() < 0.3
    round.go_on(operation.command if plain else None)
    round.trial.kills += deaths
    return f"{', then '.join(moments)}: {deaths} killed"


def inject(round, how):
    calls = round.calls()
    # All kinds of calls are equally likely, because renames are rare but critical.
    names = sorted({name for name, _, _ in calls})
    name = round.rng.choice(names)
    _, when, line = round.rng.choice([call for call in calls if call[0] == name])
    what = how(name)
    if what is None:
        raise Skipped(f"no error for {name}")
    log = round.folder.with_suffix(".strace")
    prefix = strace(log, f"trace={name}", "-e", f"inject={name}:{what}:when={when}")
    run = round.begin(prefix=prefix).wait()
    log.unlink(missing_ok=True)
    short = re.sub(r"\S*/(?=[^/])", "", line)
    return run, f"{what} at {name} number {when}, such as {short[:90]}"


@fault("kill -9 at a system call on a file of the command", often=3)
def kill_call(round):
    run, word = inject(round, lambda _: "signal=KILL")
    killed = run.code == -signal.SIGKILL
    round.settle(run, [0, -signal.SIGKILL])
    round.trial.kills += killed
    return f"{word}: {'killed' if killed else 'too late'}"


@fault("SIGINT or SIGTERM at a random moment")
def interrupt(round):
    process, moment = round.begin_and_pause()
    number = round.rng.choice([signal.SIGINT, signal.SIGTERM])
    # All processes of the session receive the signal, as from a terminal.
    process.signal(number)
    run = process.wait()
    if run.code == 0 and round.operation.client is None:
        round.check_exact("though it was not interrupted")
    # Before the handler is installed, a signal kills the program.
    kinds = LEFT if run.code == -number else kinds_after_failure(round.operation)
    return f"{number.name} {moment}: {round.settle(run, [0, 130, -number], kinds)}"


@fault("SIGSTOP at a random moment and a second run meanwhile; then SIGCONT or kill -9")
def stop(round):
    first, moment = round.begin_and_pause()
    first.signal(signal.SIGSTOP)
    second = round.begin(round.operation.next)
    time.sleep(round.rng.uniform(0.3, 1.5) * round.baseline.seconds)
    # If the operation rejects existing tables, the first run is never killed: its leftover files
    # would remain, because the command that `settle` runs would be rejected and remove nothing.
    ends = round.rng.random() < 0.5 and round.operation.refuses is None
    first.signal(signal.SIGKILL if ends else signal.SIGCONT)
    run = first.wait()
    round.check_end(run, [0, -signal.SIGKILL])
    round.trial.kills += run.code == -signal.SIGKILL
    round.settle(second.wait(), [0], UNFINISHED if ends else [])
    return f"{moment}, then {'killed' if ends else 'continued'}: both correct"


@fault("three concurrent runs with random start times")
def crowd(round):
    offsets = sorted(round.rng.uniform(0, 0.7) * round.baseline.seconds for _ in range(2))
    processes = [round.begin()]
    for before, offset in zip([0, *offsets], offsets):
        time.sleep(offset - before)
        processes.append(round.begin())
    for process in processes:
        round.check_end(process.wait(), [0])
    round.check_exact("after three runs at once")
    return "offsets " + ", ".join(f"{offset:.3f} s" for offset in offsets) + ": all correct"


@fault("a system call on a file of the command fails", often=2)
def error_call(round):
    def how(name):
        family = re.sub(r"at2?$|64$", "", name) if name != "openat" else name
        same = {"pwrite": "write", "writev": "write", "fdatasync": "fsync"}
        errors = ERRORS.get(same.get(family, family))
        return errors and f"error={round.rng.choice(errors)}"

    run, word = inject(round, how)
    # With several threads the failed call may be a write to standard output or standard error.
    is_write = "write" in word
    codes = [0, 2, 3] if is_write else round.codes
    return f"{word}: {round.settle(run, codes, has_lines=not is_write)}"


def kinds_after_failure(operation):
    """Patterns of files that may remain after a failed or interrupted run. Operations of several
    processes may leave unfinished files, because one failed process ends the others immediately."""
    return LEFT if operation.several else SAVED


def lacking(round, run):
    """Checks a run that could not write all its files. Then frees the disk and runs the next
    command."""
    operation = round.operation
    round.check_end(run, round.codes)
    if operation.client is not None:
        check_answers(run.answers, True)
    round.check_files(kinds_after_failure(operation))
    if run.code == 0 and not operation.must_answer:
        round.check_exact("though it did not fail", operation.may_lack_tables)
    round.remount(f"rw,{round.disk}")
    round.go_on()
    return ending(run)


@fault("a disk that is too small, or filled at a random moment", disk="size=1g")
def full(round):
    before, needed = size_of(round.folder), round.baseline.size
    room = int(round.rng.uniform(0, 1.3) * needed)
    if round.rng.random() < 0.5:
        # The disk is small from the start.
        round.remount(f"size={max(before + room, 4096)}")
        run = round.begin().wait()
        moment = f"{room} bytes free"
    else:
        round.remount(f"size={before + needed * 4 + (4 << 20)}")
        process, moment = round.begin_and_pause()
        moment = f"filled {moment}"
        # If the operation has already filled the disk, the filler file cannot be created.
        try:
            with open(round.folder / "filler", "wb", buffering=0) as filler:
                for size in (1 << 16, 1):
                    with contextlib.suppress(OSError):
                        while filler.write(bytes(size)) == size:
                            pass
        except OSError as error:
            assert error.errno == errno.ENOSPC
        run = process.wait()
        (round.folder / "filler").unlink(missing_ok=True)
    return f"{moment}: {lacking(round, run)}"


@fault("a disk with too few inodes", disk="nr_inodes=1000")
def inodes(round):
    there = sum(1 for _ in round.folder.rglob("*")) + 1
    more = round.rng.randint(0, 3)
    round.remount(f"nr_inodes={there + more}")
    return f"{more} inodes free: {lacking(round, round.begin().wait())}"


@fault("a read-only disk", disk="size=1g")
def read_only(round):
    round.remount("ro")
    return lacking(round, round.begin().wait())


@fault("folders become unwritable at a random moment, for an unprivileged user")
def denied(round):
    folder = round.folder
    if not round.trial.is_root:
        raise Skipped("only root can become another user")
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    folders = [folder, folder / "t", folder / "o"]
    process, moment = round.begin_and_pause(as_nobody=True)
    for path in folders:
        path.chmod(0o555)
    run = process.wait()
    for path in folders:
        path.chmod(0o755)
    return f"{moment}: {round.settle(run, round.codes, as_nobody=True)}"


@fault("all folders of the command are removed at a random moment")
def remove(round):
    process, moment = round.begin_and_pause()
    for inner in (round.folder / "t", round.folder / "o"):
        # Removes the folder repeatedly, because the command may still create files in it.
        for _ in range(1000):
            shutil.rmtree(inner, ignore_errors=True)
            if not inner.exists():
                break
    run = process.wait()
    round.check_end(run, round.codes)
    round.check_files()
    # Commands create missing tables directories, but not output directories.
    (round.folder / "o").mkdir(exist_ok=True)
    round.restore()
    round.go_on()
    return f"{moment}: {ending(run)}"


@fault("a folder of the command is renamed at a random moment")
def rename(round):
    inner = round.folder / round.rng.choice(["t", "o"])
    away = round.folder / "away"
    process, moment = round.begin_and_pause()
    inner.rename(away)
    run = process.wait()
    round.check_end(run, round.codes)
    # The command may have created the folder again.
    round.check_files(ignored="away")
    shutil.rmtree(inner, ignore_errors=True)
    away.rename(inner)
    round.check_files()
    round.go_on()
    return f"{inner.name} {moment}: {ending(run)}"


@fault("a file is changed, truncated, emptied, removed or replaced at a random moment", often=2)
def damage(round):
    operation, folder, rng = round.operation, round.folder, round.rng
    early = rng.random() < 0.3 and operation.given is not None
    # A file that a program has mapped may be replaced, not overwritten (docs/format.md, "Layout").
    ways = ["flip", "cut", "empty"] if early or not operation.reads else []
    ways += ["swap", "unlink", "folder", "pipe", "link"]
    way = rng.choice(ways)
    if early:
        chosen, moment = damage_one(folder, way, rng), "before it"
        process = round.begin()
    else:
        process, moment = round.begin_and_pause()
        chosen = damage_one(folder, way, rng)
    run = process.wait()
    codes = [0, 2, 3]
    if way in ("cut", "empty") and not early:
        # Truncating a mapped file is not supported: the program may receive SIGBUS.
        codes.append(-signal.SIGBUS)
    if operation.client is not None and run.code == 0:
        check_answers(run.answers, False)
    round.check_end(run, codes)
    round.check_belief()
    # Removes the links, pipes and folders that `damage_one` created in place of files.
    for path in list(folder.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            path.unlink()
        elif path.is_dir() and path.parent != folder:
            shutil.rmtree(path)
    round.restore()
    if operation.reads:
        round.go_on()
    else:
        go_on_from_damage(round)
    return f"{way} of {chosen} {moment}: {ending(run)}"


def go_on_from_damage(round):
    operation, folder, tree = round.operation, round.folder, round.baseline.tree
    if operation.anew:
        # The command rejects its own damaged results, so they are removed first.
        shutil.rmtree(folder / "o")
        (folder / "o").mkdir()
        round.go_on(operation.command)
        return
    damaged = snapshot(folder).items() - tree.items()
    for _ in range(len(tree) + 1):
        run = round.begin(operation.next).wait()
        answers = (json.dumps(body) for code, body, _ in run.answers if code != 200)
        said = run.err + "".join(answers)
        changed = dict(snapshot(folder).items() - tree.items())
        wrong = [name for name in changed if pathlib.PurePath(name).name in said]
        if not wrong:
            break
        # The message of a rejection must contain the name of the damaged file or checkpoint.
        # Builders rebuild damaged tables; solvers reject them. Removing the rejected file lets the
        # next run continue.
        for name in wrong:
            if operation.client is None and run.code not in (2, 3):
                raise Broken(f"{name} is damaged: {run.code} {run.err!r}")
            (folder / name).unlink()
    if operation.must_answer:
        # Solvers may leave a damaged table of another goal cell unopened.
        for name in dict(damaged & changed.items()).keys() & tree.keys():
            (folder / name).unlink()
    round.go_on()


@fault("no fault; checks that files are synced before renames, and directories after them")
def order(round):
    log = round.traced()
    renames = check_order(log, round.folder)
    log.unlink()
    round.check_exact("under strace")
    return f"{renames} renames in order"


def pairs():
    """Pairs of an operation and an applicable fault, each repeated `often` times."""
    made = []
    for operation in OPERATIONS.values():
        for fault in FAULTS:
            if applies(operation, fault):
                times = 1 if operation.slow or operation.reads else FAULTS[fault].often
                made += [(operation, fault)] * times
    return made


def schedule(seed, number):
    """The operation and the fault of a round."""
    all = pairs()
    turn, place = divmod(number, len(all))
    random.Random(f"{seed} {turn}").shuffle(all)
    return all[place]
