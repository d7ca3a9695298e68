"""What is done to a command at a moment, and what must be so after it."""

import contextlib
import errno
import json
import os
import pathlib
import random
import re
import shutil
import signal
import time

from .files import SAVED, UNFINISHED, damage_one, folder_without, size_of, snapshot
from .operations import OPERATIONS, check_answers
from .process import PATIENCE, Broken, Process, Skipped, ending
from .system import NOBODY
from .trace import ERRORS, TRACED, check_order, strace


class Fault:
    """Something that is done to a command: `do` works on a folder that is empty, looks whether all
    promises were kept, and says in words what happened."""

    def __init__(self, words, do, often):
        self.words, self.do, self.often = words, do, often


FAULTS = {}


def fault(words, often=1):
    """Makes a function a fault of its name; of some there are more rounds than of others."""

    def add(do):
        FAULTS[do.__name__.replace("_", "-")] = Fault(words, do, often)
        return do

    return add


def applies(operation, fault):
    if operation.reads:
        return fault == "damage" or (fault == "remove" and operation.name != "verify")
    # Two comparisons cannot share a directory: the second is refused.
    if operation.name == "compare" and fault in ("stop", "crowd"):
        return False
    # A trace of a service would wait for its client.
    if operation.client is not None:
        return fault not in ("kill-call", "error-call", "order", "stop", "crowd", "denied")
    if operation.several:
        # Of several at once one waits for the other's lock for ever: they have their own tests.
        return fault not in ("kill-call", "error-call", "order", "crowd", "stop")
    return True


@fault("kill -9 at a moment", often=3)
def kill(trial, operation, baseline, folder, rng):
    trial.fill(operation, folder)
    deaths, moments = 0, []
    # A build that is saved may be killed again and again.
    for _ in range(rng.choice([1, 1, 2, 3]) if operation.saves else 1):
        begun = time.monotonic()
        process = trial.begin(operation, folder)
        moments.append(trial.pause(baseline, rng, 0.95))
        alone = operation.several and rng.random() < 0.6
        if alone:
            # The others have to notice. The first is the parent of all.
            members = process.members()
            if members:
                chosen = rng.choice(members)
                moments[-1] += f", process {members.index(chosen)} of {len(members)}"
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chosen, signal.SIGKILL)
            deadline = time.monotonic() + PATIENCE
            while process.members() and time.monotonic() < deadline:
                time.sleep(0.05)
            if process.members():
                raise Broken(f"partners of a killed process go on ({moments[-1]})")
        else:
            process.signal(signal.SIGKILL)
        run = process.wait()
        killed = run.code == -signal.SIGKILL or (alone and run.code != 0)
        deaths += killed
        if not killed:
            trial.check_end(operation, run, [0])
            # It was faster than measured.
            baseline.seconds = min(baseline.seconds, time.monotonic() - begun)
        trial.check_output(operation, run, False)
        trial.check_files(operation, baseline, folder, UNFINISHED + SAVED)
    plain = operation.saves and rng.random() < 0.3
    trial.go_on(operation, baseline, folder, command=operation.command if plain else None)
    trial.kills += deaths
    return f"{', then '.join(moments)}: {deaths} killed"


def inject(trial, operation, baseline, folder, rng, how):
    calls = trial.calls(operation, baseline)
    # As many renames as writes: what changes names is rare, and matters.
    names = sorted({name for name, _, _ in calls})
    name = rng.choice(names)
    _, when, line = rng.choice([call for call in calls if call[0] == name])
    what = how(name)
    if what is None:
        raise Skipped(f"no error for {name}")
    trial.fill(operation, folder)
    log = folder.with_suffix(".strace")
    prefix = strace(log, f"trace={name}", "-e", f"inject={name}:{what}:when={when}")
    process = trial.begin(operation, folder, prefix=prefix)
    run = process.wait()
    log.unlink(missing_ok=True)
    short = re.sub(r"\S*/(?=[^/])", "", line)
    return run, f"{what} at {name} number {when}, such as {short[:90]}"


@fault("kill -9 at a system call on one of its files", often=3)
def kill_call(trial, operation, baseline, folder, rng):
    run, word = inject(trial, operation, baseline, folder, rng, lambda _: "signal=KILL")
    killed = run.code == -signal.SIGKILL
    if not killed:
        trial.check_end(operation, run, [0])
    trial.check_output(operation, run, False)
    trial.check_files(operation, baseline, folder, UNFINISHED + SAVED)
    trial.go_on(operation, baseline, folder)
    trial.kills += killed
    return f"{word}: {'killed' if killed else 'too late'}"


@fault("SIGINT or SIGTERM at a moment")
def interrupt(trial, operation, baseline, folder, rng):
    trial.fill(operation, folder)
    process = trial.begin(operation, folder)
    moment = trial.pause(baseline, rng)
    number = rng.choice([signal.SIGINT, signal.SIGTERM])
    # To several processes, as a terminal does.
    process.signal(number)
    run = process.wait()
    # Before its handler is there, a signal kills.
    codes = [0, 130, -number]
    trial.check_end(operation, run, codes)
    kinds = kinds_after_failure(operation)
    if run.code == -number:
        kinds = UNFINISHED + SAVED
    if run.code == 0 and operation.client is None:
        trial.check_exact(operation, baseline, folder, "though it was not interrupted")
    trial.check_files(operation, baseline, folder, kinds)
    trial.go_on(operation, baseline, folder)
    return f"{number.name} {moment}: {ending(run)}"


@fault("SIGSTOP at a moment, a second run meanwhile; then SIGCONT, or kill -9")
def stop(trial, operation, baseline, folder, rng):
    trial.fill(operation, folder)
    first = trial.begin(operation, folder)
    moment = trial.pause(baseline, rng)
    first.signal(signal.SIGSTOP)
    second = Process(trial, operation.next, folder)
    time.sleep(rng.uniform(0.3, 1.5) * baseline.seconds)
    # The next run of what refuses to go over a table writes nothing, and so clears nothing.
    ends = rng.random() < 0.5 and operation.refuses is None
    first.signal(signal.SIGKILL if ends else signal.SIGCONT)
    run = first.wait()
    if run.code != -signal.SIGKILL:
        trial.check_end(operation, run, [0])
    trial.kills += run.code == -signal.SIGKILL
    other = second.wait()
    trial.check_end(operation, other, [0])
    trial.check_files(operation, baseline, folder, UNFINISHED if ends else [])
    trial.go_on(operation, baseline, folder)
    return f"{moment}, then {'killed' if ends else 'continued'}: both right"


@fault("three runs at once, or nearly")
def crowd(trial, operation, baseline, folder, rng):
    trial.fill(operation, folder)
    offsets = sorted(rng.uniform(0, 0.7) * baseline.seconds for _ in range(2))
    processes = [trial.begin(operation, folder)]
    for before, offset in zip([0, *offsets], offsets):
        time.sleep(offset - before)
        processes.append(trial.begin(operation, folder))
    for process in processes:
        run = process.wait()
        trial.check_end(operation, run, [0])
    trial.check_exact(operation, baseline, folder, "after three runs at once")
    return "offsets " + ", ".join(f"{offset:.3f} s" for offset in offsets) + ": all right"


@fault("a system call on one of its files fails", often=2)
def error_call(trial, operation, baseline, folder, rng):
    def how(name):
        family = re.sub(r"at2?$|64$", "", name) if name != "openat" else name
        same = {"pwrite": "write", "writev": "write", "fdatasync": "fsync"}
        errors = ERRORS.get(same.get(family, family))
        return errors and f"error={rng.choice(errors)}"

    run, word = inject(trial, operation, baseline, folder, rng, how)
    # With several threads the call may be one on standard output or on standard error.
    is_write = "write" in word
    codes = [0] if operation.must_answer and not is_write else [0, 2, 3]
    trial.check_end(operation, run, codes, has_lines=not is_write)
    trial.check_files(operation, baseline, folder, UNFINISHED + SAVED)
    trial.go_on(operation, baseline, folder)
    return f"{word}: {ending(run)}"


def kinds_after_failure(operation):
    """What may stay after a run that failed or was interrupted. Where one of several processes
    ends, the others end at once, whatever their threads are doing."""
    return UNFINISHED + SAVED if operation.several else SAVED


def lacking(trial, operation, baseline, folder, run, remedy):
    """What came of a run that could not write all that it wanted; then its disk is mounted anew
    with the options of the remedy, and it goes on."""
    trial.check_end(operation, run, [0] if operation.must_answer else [0, 2, 3])
    if operation.client is not None:
        check_answers(run.answers, True)
    trial.check_files(operation, baseline, folder, kinds_after_failure(operation))
    if run.code == 0 and not operation.must_answer:
        when, may_lack = "though it did not fail", operation.may_lack_tables
        trial.check_exact(operation, baseline, folder, when, may_lack_tables=may_lack)
    trial.remount(folder, remedy)
    trial.go_on(operation, baseline, folder)
    return ending(run)


@fault("a disk too small, or filled at a moment")
def full(trial, operation, baseline, folder, rng):
    trial.mount(folder, "size=1g")
    trial.fill(operation, folder)
    before = size_of(folder)
    room = int(rng.uniform(0, 1.3) * baseline.size)
    if rng.random() < 0.5:
        # Small from the start.
        trial.remount(folder, f"size={max(before + room, 4096)}")
        run = trial.begin(operation, folder).wait()
        moment = f"{room} bytes free"
    else:
        trial.remount(folder, f"size={before + baseline.size * 4 + (4 << 20)}")
        process = trial.begin(operation, folder)
        moment = trial.pause(baseline, rng)
        # The operation may have filled the disk before: then the file cannot even begin.
        try:
            with open(folder / "filler", "wb", buffering=0) as filler:
                for size in (1 << 16, 1):
                    with contextlib.suppress(OSError):
                        while filler.write(bytes(size)) == size:
                            pass
        except OSError as error:
            assert error.errno == errno.ENOSPC
        run = process.wait()
        with contextlib.suppress(FileNotFoundError):
            (folder / "filler").unlink()
        moment = f"filled {moment}"
    ended = lacking(trial, operation, baseline, folder, run, "size=1g")
    return f"{moment}: {ended}"


@fault("a disk with too few inodes")
def inodes(trial, operation, baseline, folder, rng):
    trial.mount(folder, "nr_inodes=1000")
    trial.fill(operation, folder)
    there = sum(1 for _ in folder.rglob("*")) + 1
    more = rng.randint(0, 3)
    trial.remount(folder, f"nr_inodes={there + more}")
    run = trial.begin(operation, folder).wait()
    ended = lacking(trial, operation, baseline, folder, run, "nr_inodes=1000")
    return f"{more} inodes free: {ended}"


@fault("a disk that is read-only")
def read_only(trial, operation, baseline, folder, rng):
    trial.mount(folder, "size=1g")
    trial.fill(operation, folder)
    trial.remount(folder, "ro")
    run = trial.begin(operation, folder).wait()
    return lacking(trial, operation, baseline, folder, run, "rw")


@fault("as nobody: folders become unwritable at a moment")
def denied(trial, operation, baseline, folder, rng):
    if not trial.is_root:
        raise Skipped("only root can become nobody")
    trial.fill(operation, folder)
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        os.chown(path, NOBODY, NOBODY)
    folders = [folder, folder / "t", folder / "o"]
    process = trial.begin(operation, folder, user=NOBODY)
    moment = trial.pause(baseline, rng)
    for path in folders:
        path.chmod(0o555)
    run = process.wait()
    for path in folders:
        path.chmod(0o755)
    trial.check_end(operation, run, [0] if operation.must_answer else [0, 2, 3])
    trial.check_files(operation, baseline, folder, UNFINISHED + SAVED)
    trial.go_on(operation, baseline, folder, user=NOBODY)
    return f"{moment}: {ending(run)}"


@fault("all its folders are removed at a moment")
def remove(trial, operation, baseline, folder, rng):
    trial.fill(operation, folder)
    process = trial.begin(operation, folder)
    moment = trial.pause(baseline, rng)
    for inner in ("t", "o"):
        # Whoever writes there meanwhile may make it take several times.
        for _ in range(1000):
            shutil.rmtree(folder / inner, ignore_errors=True)
            if not (folder / inner).exists():
                break
    run = process.wait()
    trial.check_end(operation, run, [0] if operation.must_answer else [0, 2, 3])
    trial.check_files(operation, baseline, folder, UNFINISHED + SAVED)
    # Tables directories are made where they are missing, others are the user's.
    (folder / "o").mkdir(exist_ok=True)
    trial.restore(operation, folder)
    if operation.reads:
        trial.read_again(operation, folder)
    else:
        trial.go_on(operation, baseline, folder)
    return f"{moment}: {ending(run)}"


@fault("its folder gets another name at a moment")
def rename(trial, operation, baseline, folder, rng):
    trial.fill(operation, folder)
    inner = folder / rng.choice(["t", "o"])
    away = folder / "away"
    process = trial.begin(operation, folder)
    moment = trial.pause(baseline, rng)
    inner.rename(away)
    run = process.wait()
    trial.check_end(operation, run, [0] if operation.must_answer else [0, 2, 3])
    # It may have made the folder again.
    trial.check_files(operation, baseline, folder_without(folder, "away"), UNFINISHED + SAVED)
    shutil.rmtree(inner, ignore_errors=True)
    away.rename(inner)
    trial.check_files(operation, baseline, folder, UNFINISHED + SAVED)
    trial.go_on(operation, baseline, folder)
    return f"{inner.name} {moment}: {ending(run)}"


@fault("one of its files is changed, cut, emptied, removed or replaced at a moment", often=2)
def damage(trial, operation, baseline, folder, rng):
    trial.fill(operation, folder)
    early = rng.random() < 0.3 and operation.given is not None
    # What a program has mapped may be replaced, not overwritten (docs/format.md, "Layout").
    ways = ["flip", "cut", "empty"] if early or not operation.reads else []
    ways += ["swap", "unlink", "folder", "pipe", "link"]
    way, moment = rng.choice(ways), "before it"
    if early:
        chosen = damage_one(folder, way, rng)
        process = trial.begin(operation, folder)
    else:
        process = trial.begin(operation, folder)
        moment = trial.pause(baseline, rng)
        chosen = damage_one(folder, way, rng)
    run = process.wait()
    codes = [0, 2, 3]
    if way in ("cut", "empty") and not early:
        # A file that is mapped must not become shorter.
        codes.append(-signal.SIGBUS)
    if operation.client is not None and run.code == 0:
        check_answers(run.answers, False)
    trial.check_end(operation, run, codes)
    trial.check_belief(folder, baseline, operation)
    # Whoever put something else in a file's place takes it away.
    for path in list(folder.rglob("*")):
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            path.unlink()
        elif path.is_dir() and path.parent != folder:
            shutil.rmtree(path)
    trial.restore(operation, folder)
    if operation.reads:
        trial.read_again(operation, folder)
    else:
        go_on_from_damage(trial, operation, baseline, folder)
    return f"{way} of {chosen} {moment}: {ending(run)}"


def go_on_from_damage(trial, operation, baseline, folder):
    if operation.anew:
        # Its results are refused by name.
        shutil.rmtree(folder / "o")
        (folder / "o").mkdir()
        trial.go_on(operation, baseline, folder, command=operation.command)
        return
    command = operation.next
    for _ in range(len(baseline.tree) + 1):
        run = trial.run(command, folder, client=operation.client)
        answers = (json.dumps(body) for code, body, _ in run.answers if code != 200)
        said = run.err + "".join(answers)
        wrong = [
            name
            for name, sum in snapshot(folder).items()
            if pathlib.PurePath(name).name in said and sum != baseline.tree.get(name)
        ]
        if not wrong:
            break
        # What is damaged is refused by name or built again, a checkpoint too: once it is gone
        # all goes on. Programs that solve do not replace what is damaged, builders do.
        for name in wrong:
            if operation.client is None and run.code not in (2, 3):
                raise Broken(f"{name} is damaged: {run.code} {run.err!r}")
            (folder / name).unlink()
    trial.go_on(operation, baseline, folder, command=command)


@fault("nothing; renames come after syncs of the file and before that of the directory")
def order(trial, operation, baseline, folder, rng):
    trial.fill(operation, folder)
    if not trial.has_strace:
        raise Skipped("no strace")
    log = folder.with_suffix(".strace")
    run = trial.begin(operation, folder, prefix=strace(log, f"trace={TRACED}")).wait()
    if run.code != 0:
        raise Skipped(f"strace does not work here: {run.err.strip()[:200]}")
    renames = check_order(log, folder)
    log.unlink()
    trial.check_exact(operation, baseline, folder, "under strace")
    return f"{renames} renames in order"


def pairs():
    """Every operation with every fault that applies, some more often."""
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
