#!/usr/bin/env python3
"""Kills, stops, starves and damages the commands at random moments, and looks whether they keep
what docs/reliability.md promises.

    scripts/faults.py                       # a minute
    scripts/faults.py --minutes 480         # a night
    scripts/faults.py --seed 7 --round 41   # that round again, moment and all
    scripts/faults.py --only pack,unpack --fault kill,kill-call --rounds 300
    scripts/faults.py --list

A round is an operation (a build, a pack, an export, a solver with its cache, ...), a fault, and a
moment; all three follow from seed and round. Moments of time are parts of the operation's length,
which is measured first. Moments of `kill-call` and `error-call` are single system calls, taken from
a trace of the operation: these need strace. Each round checks

- that every file is whole, new or as it was before, or absent; files of a known unfinished kind may
  stand beside it only where the fault kept the program from removing them;
- that the program ended in time, with one line, an exit code that the documents know, and no panic;
  that what it answered is right;
- that the next ordinary run succeeds, makes exactly the files of an undisturbed run, byte by byte,
  and leaves nothing else.

Disks are tmpfs, mounted in a mount namespace of the script's own. What a system lacks (namespaces,
strace, root, a program) is skipped, and said. DIR has the programs [default: target/release, built
first]. The exit code is 1 if a promise was broken; the work folder of such a round is kept.
"""

import argparse
import contextlib
import csv
import errno
import fnmatch
import hashlib
import http.client
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.dom.minidom

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ["pdb-gen", "solver", "solver-server", "pdb-gen-dist"]
# The longest that any program may take, after its fault too, on a machine that does other work.
PATIENCE = float(os.environ.get("FAULTS_PATIENCE", 60))
NOBODY = 65534
# Boards and the lengths of their optimal solutions.
BOARD_15, LENGTH_15 = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", 55
BOARD_8, LENGTH_8 = "8 6 7/2 5 4/3 0 1", 31
# A partition whose tables are quickly packed.
FOURS = "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15"
# What an unfinished run may leave: docs/format.md, "Notes next to the tables", and docs/scale.md.
UNFINISHED = [".unfinished-??????.tmp", "*.pdb.lock", "*.pdb.zst.lock", "*.checkpoint.new"]
SAVED = ["*.checkpoint"]


class Broken(Exception):
    """A promise was not kept."""


class Skipped(Exception):
    """This system lacks what the round needs."""


# --- Operations -----------------------------------------------------------------------------------


class Operation:
    """A command that writes files, below `t` (tables) and `o` (all else) of a folder of its own."""

    def __init__(self, name, command, **options):
        self.name = name
        self.command = shlex.split(command)
        self.program = self.command[0]
        # What is there before: a tree of files, made by a function of `Trial`.
        self.given = options.pop("given", None)
        # Files whose bytes differ from run to run, since they have times, and what shows that they
        # are whole.
        self.whole = options.pop("whole", {})
        # The next ordinary run, where it is not the same command.
        self.next = shlex.split(options.pop("next", command))
        # Whether it saves its state, which stays when it fails.
        self.saves = options.pop("saves", False)
        # Looks at what was printed by a run that ended well.
        self.answer = options.pop("answer", None)
        # It has an answer also where nothing can be kept.
        self.must_answer = options.pop("must_answer", False)
        # Asks the program while it runs, and then stops it.
        self.client = options.pop("client", None)
        # It does not write: its files are only read.
        self.reads = options.pop("reads", False)
        # After damage it begins anew, in a folder that is empty.
        self.anew = options.pop("anew", False)
        # Several processes, of which one alone may be killed.
        self.several = options.pop("several", False)
        # Whether it refuses to write over a table that is there.
        self.refuses = options.pop("refuses", None)
        # How much longer than necessary rounds of this operation are: these come less often.
        self.slow = options.pop("slow", False)
        assert not options, options


def has_xml(path):
    xml.dom.minidom.parse(str(path))


def has_png(path):
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n") and data.endswith(b"IEND\xaeB`\x82"), "cut short"


def has_lines(path):
    text = path.read_text()
    assert text.endswith("\n"), "cut short"
    return text.splitlines()


def has_json_lines(path):
    for line in has_lines(path):
        json.loads(line)


def has_csv(path):
    has_lines(path)
    with path.open(newline="") as file:
        assert len({len(row) for row in csv.reader(file)}) == 1, "cut short"


def has_partition(path):
    assert has_lines(path), "empty"


def solved(length):
    def check(output):
        found = re.findall(r"^(\d+) ", output, re.MULTILINE)
        if found != [str(length)]:
            raise Broken(f"the answer is not {length} moves: {output!r}")

    return check


def service_client(process, lines):
    """Asks a service twice, and stops it."""
    address = None
    for line in lines:
        if found := re.search(r"listening on http://([\d.]+):(\d+)", line):
            address = found.group(1), int(found.group(2))
            break
    if address is None:
        return []
    answers = []
    for board, length in [(BOARD_15, LENGTH_15), (BOARD_8, LENGTH_8)]:
        connection = http.client.HTTPConnection(*address, timeout=PATIENCE)
        try:
            partition = "6-6-3" if length == LENGTH_15 else "8"
            body = json.dumps({"board": board, "partition": partition})
            connection.request("POST", "/v1/solve", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            answers.append((response.status, json.loads(response.read()), length))
        except (OSError, http.client.HTTPException):
            # It was killed. What it has answered counts.
            break
        finally:
            connection.close()
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    return answers


def check_answers(answers, is_complete):
    """Answers of a service: right, or a refusal by its number."""
    for status, body, length in answers:
        if status == 200 and (body.get("status"), body.get("length")) != ("solved", length):
            raise Broken(f"the service answers {body} where {length} moves are right")
        if status != 200 and (is_complete or status not in (500, 503)):
            raise Broken(f"the service answers {status}: {body}")
    if is_complete and len(answers) != 2:
        raise Broken("the service did not answer")


SOLVE = f"solver --quiet --threads 2 --tables t --partition 6-6-3 '{BOARD_15}'"
COMPARED = {
    "o/*.svg": has_xml,
    "o/*.png": has_png,
    "o/*.jsonl": has_json_lines,
    "o/*.csv": has_csv,
    "o/*.md": has_lines,
}


def operations():
    tables = "pdb-gen --quiet --threads 2 --tables t"
    dist = "pdb-gen-dist --local 2 --threads 1 --quiet --tables t --tiles 1,2,3,4,5,6"
    pack = f"pdb-gen pack --quiet --threads 2 --tables t --partition {FOURS}"
    unpack = "pdb-gen unpack --quiet --tables t"
    export = "pdb-gen export --quiet --threads 2 --tables t --kind full"
    compare = "solver compare --quiet --size 3x3 -n 5 --searches ida-star --out o"
    save = f"{tables} --checkpoint 0 --tiles 1,2,3,4,5,6"
    some = Trial.given_tables
    made = [
        Operation("build", f"{tables} --partition 6-6-3"),
        Operation("build-full", f"{tables} --kind full --tiles 1,2,3,4,5"),
        Operation("build-multi", f"{tables} --metric multi --tiles 1,2,3,4,5"),
        Operation("build-blank", f"{tables} --kind blank-compressed --tiles 1,2,3,4,5"),
        Operation("build-zstd", f"{tables} --zstd 1 --tiles 1,2,3,4,5,6"),
        # Over files that were damaged before.
        Operation("rebuild", f"{tables} --partition 6-6-3 --force", given=Trial.given_damaged),
        Operation("save", save, next=f"{save} --resume", saves=True),
        Operation("resume", f"{save} --resume", given=Trial.given_checkpoint, saves=True),
        Operation("pack", f"{pack} --out o", given=some),
        Operation("pack-single", f"{pack} --single --out o/tables.pack", given=some),
        Operation("unpack", f"{unpack} o", given=Trial.given_packed),
        Operation("unpack-single", f"{unpack} o/tables.pack", given=Trial.given_single),
        Operation("export-npy", f"{export} --tiles 1,2,3,4 --format npy --out o/a.npy"),
        Operation("export-csv", f"{export} --tiles 1,2,3 --format csv --out o/a.csv"),
        Operation("stats-png", "pdb-gen stats --quiet --tables t --out o/a.png", given=some),
        Operation(
            "tune",
            "pdb-gen tune --quiet --size 3x3 --parts 3-3-2 --top 2 --minutes 1s --boards 5 "
            "--states 500 --out o",
            whole={"o/*.txt": has_partition},
        ),
        Operation("man", "pdb-gen man o"),
        Operation("solve", SOLVE, answer=solved(LENGTH_15), must_answer=True),
        Operation("show", f"solver show --quiet --tables t --solve --out o/a.svg '{BOARD_8}'"),
        Operation(
            "compare",
            compare,
            whole=COMPARED,
            next=f"{compare} --resume",
            anew=True,
            slow=True,
        ),
        Operation(
            "serve",
            "solver-server --listen 127.0.0.1:0 --tables t",
            client=service_client,
            must_answer=True,
        ),
        Operation("dist", dist, several=True),
        Operation(
            "dist-save",
            f"{dist} --checkpoint 0",
            next=f"{dist} --checkpoint 0 --resume",
            saves=True,
            several=True,
        ),
        Operation("dist-parts", f"{dist} --parts", several=True),
        Operation(
            "dist-join",
            "pdb-gen-dist join --quiet --tables t o",
            given=Trial.given_parts,
            refuses="is there already",
        ),
        Operation("verify", "pdb-gen verify --quiet --tables t", given=some, reads=True),
        Operation("solve-read", SOLVE, given=some, reads=True, answer=solved(LENGTH_15)),
        Operation(
            "serve-read",
            "solver-server --listen 127.0.0.1:0 --tables t",
            given=Trial.given_service,
            client=service_client,
            reads=True,
        ),
    ]
    return made


# --- Faults ---------------------------------------------------------------------------------------

FAULTS = {
    "kill": "kill -9 at a moment",
    "kill-call": "kill -9 at a system call on one of its files",
    "interrupt": "SIGINT or SIGTERM at a moment",
    "stop": "SIGSTOP at a moment, a second run meanwhile; then SIGCONT, or kill -9",
    "crowd": "three runs at once, or nearly",
    "error-call": "a system call on one of its files fails",
    "full": "a disk too small, or filled at a moment",
    "inodes": "a disk with too few inodes",
    "read-only": "a disk that is read-only",
    "denied": "as nobody: folders become unwritable at a moment",
    "remove": "all its folders are removed at a moment",
    "rename": "its folder gets another name at a moment",
    "damage": "one of its files is changed, cut, emptied, removed or replaced at a moment",
    "order": "nothing; renames come after syncs of the file and before that of the directory",
}
# Of these there are more rounds than of others.
OFTEN = {"kill": 3, "kill-call": 3, "error-call": 2, "damage": 2}
TRACED = (
    "openat,write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,"
    "fallocate,ftruncate,flock"
)
ERRORS = {
    "openat": ["EACCES", "EROFS", "ENOSPC", "EMFILE"],
    "mkdir": ["EACCES", "EROFS", "ENOSPC"],
    "write": ["ENOSPC", "EIO", "EDQUOT"],
    "fsync": ["EIO", "ENOSPC"],
    "rename": ["EACCES", "EIO", "ENOSPC"],
    "unlink": ["EACCES", "EROFS"],
    "fallocate": ["ENOSPC", "EOPNOTSUPP"],
    "ftruncate": ["EIO"],
    "flock": ["ENOLCK"],
}


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


# --- Trees of files -------------------------------------------------------------------------------


def snapshot(root):
    """Paths below a folder, with the SHA-256 of files and the kind of all else."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink() or not (path.is_file() or path.is_dir()):
            found[name] = "odd"
        elif path.is_file():
            found[name] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def is_kind(name, patterns):
    return any(fnmatch.fnmatchcase(pathlib.PurePath(name).name, one) for one in patterns)


def size_of(root):
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in root.rglob("*") if path.is_file())


class Baseline:
    """An undisturbed run: its files, its length in seconds, and its trace."""

    def __init__(self, tree, seconds, size, given):
        self.tree, self.seconds, self.size, self.given = tree, seconds, size, given
        self.calls = None


class Run:
    """How a program ended."""

    def __init__(self, code, out, err, answers):
        self.code, self.out, self.err, self.answers = code, out, err, answers


class Process:
    """A program in a session of its own, whose output is read all the time."""

    def __init__(self, trial, command, folder, prefix=(), user=None):
        command = [str(trial.bin / command[0]), *command[1:]]
        if user is not None:
            prefix = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *prefix]
        environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(folder),
            "RUST_BACKTRACE": "0",
        }
        self.process = subprocess.Popen(
            [*prefix, *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
            preexec_fn=limit_cores,
        )
        trial.running.add(self)
        self.trial = trial
        self.texts = {"out": [], "err": []}
        self.heard = threading.Condition()
        self.readers = [
            threading.Thread(target=self.read, args=(name, stream), daemon=True)
            for name, stream in [("out", self.process.stdout), ("err", self.process.stderr)]
        ]
        for reader in self.readers:
            reader.start()
        self.answers = []
        self.client = None

    def read(self, name, stream):
        for line in stream:
            with self.heard:
                self.texts[name].append(line)
                self.heard.notify_all()
        with self.heard:
            self.texts[name].append(None)
            self.heard.notify_all()

    def lines(self):
        """Lines of standard output and error, until both end."""
        at = {"out": 0, "err": 0}
        while True:
            line = None
            with self.heard:
                for name, texts in self.texts.items():
                    if at[name] < len(texts) and texts[at[name]] is not None:
                        line = texts[at[name]]
                        at[name] += 1
                        break
                else:
                    if all(texts and texts[-1] is None for texts in self.texts.values()):
                        return
                    self.heard.wait(1)
            if line is not None:
                yield line

    def attend(self, client):
        """Lets a client ask while the program runs."""

        def work():
            self.answers = client(self.process, self.lines())

        self.client = threading.Thread(target=work, daemon=True)
        self.client.start()

    def is_over(self):
        return self.process.poll() is not None

    def signal(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def members(self):
        """Processes of its session."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = entry.read_text().rpartition(")")[2].split()
                if int(fields[3]) == self.process.pid and fields[0] != "Z":
                    found.append(int(entry.parent.name))
        return found

    def wait(self):
        try:
            code = self.process.wait(PATIENCE)
            for reader in self.readers:
                reader.join(PATIENCE)
            if self.client is not None:
                self.client.join(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Broken(f"it did not end within {PATIENCE:.0f} s") from None
        finally:
            self.signal(signal.SIGKILL)
            self.process.wait()
            self.trial.running.discard(self)
        out, err = ("".join(filter(None, self.texts[name])) for name in ("out", "err"))
        run = Run(code, out, err, self.answers)
        self.trial.endings.append(ending(run))
        return run


def limit_cores():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


# --- Trials ---------------------------------------------------------------------------------------


class Trial:
    """Everything that rounds share."""

    def __init__(self, bin, seed, work, at):
        self.seed, self.work, self.at = seed, work, at
        self.running, self.endings = set(), []
        self.baselines, self.trees = {}, {}
        self.has_strace = shutil.which("strace") is not None
        self.can_mount = try_mount(work)
        self.is_root = can_drop(work)
        # Where nobody can reach them.
        self.bin = work / "bin"
        self.bin.mkdir()
        for name in PROGRAMS:
            if (bin / name).exists():
                shutil.copy2(bin / name, self.bin / name)
        self.counter = 0

    def folder(self, name):
        self.counter += 1
        folder = self.work / f"{self.counter}-{name}"
        folder.mkdir()
        for inner in ("t", "o"):
            (folder / inner).mkdir()
        return folder

    def clean(self, folder):
        if os.path.ismount(folder):
            subprocess.run(["umount", "-l", str(folder)], check=True)
        shutil.rmtree(folder, ignore_errors=True)

    def run(self, command, folder, user=None, client=None):
        process = Process(self, command, folder, user=user)
        if client is not None:
            process.attend(client)
        return process.wait()

    def ordinary(self, command, folder):
        run = self.run(command, folder)
        if run.code != 0:
            raise Broken(f"{' '.join(command)} fails with nothing wrong: {run.code} {run.err!r}")
        return run

    def tree(self, name, make):
        """A folder of files that rounds begin with, made once."""
        if name not in self.trees:
            folder = self.folder(f"given-{name}")
            make(folder)
            self.trees[name] = folder
        return self.trees[name]

    def given_tables(self):
        def make(folder):
            build = "pdb-gen --quiet --tables t --partition"
            for partition in (FOURS, "6-6-3"):
                self.ordinary([*build.split(), partition], folder)

        return self.tree("tables", make)

    def given_service(self):
        def make(folder):
            for size, partition in (("4x4", "6-6-3"), ("3x3", "8")):
                build = f"pdb-gen --quiet --tables t --size {size} --partition {partition}"
                self.ordinary(build.split(), folder)

        return self.tree("service", make)

    def given_damaged(self):
        def make(folder):
            self.ordinary("pdb-gen --quiet --tables t --partition 6-6-3".split(), folder)
            for path in (folder / "t").iterdir():
                change(path, "flip", random.Random(1))

        return self.tree("damaged", make)

    def given_checkpoint(self):
        def make(folder):
            command = "pdb-gen --quiet --threads 2 --tables t --checkpoint 0 --tiles 1,2,3,4,5,6"
            baseline = self.baseline(OPERATIONS["save"])
            for part in (0.7, 0.5, 0.8, 0.4, 0.6, 0.3, 0.9):
                process = Process(self, command.split(), folder)
                time.sleep(part * baseline.seconds)
                process.signal(signal.SIGKILL)
                process.wait()
                if list(folder.rglob("*.checkpoint")) and not list(folder.rglob("*.pdb")):
                    for path in (folder / "t").iterdir():
                        if not path.name.endswith(".checkpoint"):
                            path.unlink()
                    return
                for path in (folder / "t").iterdir():
                    path.unlink()
            raise Skipped("no checkpoint was made")

        return self.tree("checkpoint", make)

    def given_packed(self):
        def make(folder):
            command = OPERATIONS["pack"].command
            self.ordinary(command, folder)
            shutil.rmtree(folder / "t")
            (folder / "t").mkdir()

        return self.tree("packed", make)

    def given_single(self):
        def make(folder):
            self.ordinary(OPERATIONS["pack-single"].command, folder)
            shutil.rmtree(folder / "t")
            (folder / "t").mkdir()

        return self.tree("single", make)

    def given_parts(self):
        def make(folder):
            command = [word if word != "t" else "o" for word in OPERATIONS["dist-parts"].command]
            self.ordinary(command, folder)

        return self.tree("parts", make)

    def fill(self, operation, folder):
        """Puts what is given into a folder."""
        if operation.given is not None:
            shutil.copytree(operation.given(self), folder, dirs_exist_ok=True)

    def baseline(self, operation):
        if not (self.bin / operation.program).exists():
            raise Skipped(f"no program {operation.program}")
        if operation.name not in self.baselines:
            baseline = self.undisturbed(operation)
            if baseline.seconds < 1:
                # Again, since the first run has to wait for the disk.
                baseline.seconds = min(baseline.seconds, self.undisturbed(operation).seconds)
            self.baselines[operation.name] = baseline
        return self.baselines[operation.name]

    def undisturbed(self, operation):
        folder = self.folder(f"{operation.name}-undisturbed")
        self.fill(operation, folder)
        given = snapshot(folder)
        before = size_of(folder)
        begun = time.monotonic()
        run = self.run(operation.command, folder, client=operation.client)
        seconds = time.monotonic() - begun
        if run.code != 0:
            raise Broken(f"{operation.name} fails with nothing wrong: {run.code} {run.err!r}")
        self.check_output(operation, run, True)
        tree = snapshot(folder)
        size = max(size_of(folder) - before, 1 << 16)
        self.clean(folder)
        return Baseline(tree, seconds, size, given)

    # --- Checks -----------------------------------------------------------------------------------

    def check_output(self, operation, run, is_complete):
        for text in (run.out, run.err):
            if "panicked" in text or "RUST_BACKTRACE" in text:
                raise Broken(f"it panics: {text!r}")
        if operation.answer is not None and run.code == 0:
            operation.answer(run.out)
        if operation.client is not None:
            check_answers(run.answers, is_complete)

    def check_end(self, operation, run, codes, has_lines=True):
        """A program that was left to end by itself."""
        self.check_output(operation, run, False)
        if run.code not in codes and not self.is_refused(operation, run):
            raise Broken(f"exit code {run.code}, where {codes} are known: {run.err!r}")
        if run.code in (0, 130) or run.code < 0 or operation.client is not None or not has_lines:
            return
        lines = run.err.splitlines()
        count = 2 if operation.several else 1
        # What does not end the program is said in lines of their own, before.
        own = [line for line in lines if line.startswith(f"{operation.program}: ")]
        if not own or len(own) > 2 * count or len(lines) > len(own):
            raise Broken(f"exit code {run.code} with these lines: {run.err!r}")

    def check_files(self, operation, baseline, folder, kinds):
        """Every file is whole or as it was, or of a kind that may be there."""
        for name, sum in snapshot(folder).items():
            if name in baseline.tree or any(fnmatch.fnmatch(name, one) for one in operation.whole):
                if sum in (baseline.tree.get(name), baseline.given.get(name)):
                    continue
                if check := self.looser(operation, name):
                    try:
                        check(folder / name)
                        continue
                    except Exception as error:
                        raise Broken(f"{name} is not whole: {error}") from None
                raise Broken(f"{name} is neither whole nor what was there before")
            if sum == baseline.given.get(name):
                continue
            if not is_kind(name, kinds):
                raise Broken(f"{name} is left")

    def looser(self, operation, name):
        return next(
            (check for one, check in operation.whole.items() if fnmatch.fnmatch(name, one)), None
        )

    def check_exact(self, operation, baseline, folder, when):
        """The files are those of an undisturbed run."""
        found = snapshot(folder)
        for name in sorted(found.keys() - baseline.tree.keys()):
            raise Broken(f"{name} is left {when}")
        for name, sum in baseline.tree.items():
            if name not in found:
                raise Broken(f"{name} is missing {when}")
            if found[name] == sum:
                continue
            check = self.looser(operation, name)
            if check is None:
                raise Broken(f"{name} has other bytes {when}")
            try:
                check(folder / name)
            except Exception as error:
                raise Broken(f"{name} is not whole {when}: {error}") from None

    def is_refused(self, operation, run):
        return run.code == 2 and operation.refuses is not None and operation.refuses in run.err

    def go_on(self, operation, baseline, folder, user=None, command=None):
        """The next ordinary run."""
        run = self.run(command or operation.next, folder, user=user, client=operation.client)
        if run.code != 0 and not self.is_refused(operation, run):
            raise Broken(f"the next run fails: {run.code} {run.err!r}")
        self.check_output(operation, run, True)
        self.check_exact(operation, baseline, folder, "after the next run")

    # --- Rounds -----------------------------------------------------------------------------------

    def round(self, number, operation, fault):
        """Does a round, and says what came of it."""
        baseline = self.baseline(operation)
        rng = random.Random(f"{self.seed}/{number}")
        folder = self.folder(f"{operation.name}-{fault}")
        self.endings.clear()
        try:
            word = FAULT_METHODS[fault](self, operation, baseline, folder, rng)
        except Broken as error:
            kept = f"{folder}.kept"
            with contextlib.suppress(shutil.Error, OSError):
                shutil.copytree(folder, kept, symlinks=True)
            ends = "; ".join(self.endings)
            raise Broken(f"{error} (its runs: {ends}; kept in {kept})") from None
        finally:
            for process in list(self.running):
                process.signal(signal.SIGKILL)
                process.process.wait()
                self.running.discard(process)
            self.clean(folder)
        return word

    def begin(self, operation, folder, **options):
        process = Process(self, operation.command, folder, **options)
        if operation.client is not None:
            process.attend(operation.client)
        return process

    def pause(self, baseline, rng, most=1.0):
        """Waits for a moment; says which."""
        seconds = rng.uniform(0, most) * baseline.seconds
        if self.at is not None:
            seconds = self.at
        time.sleep(seconds)
        return f"after {seconds:.3f} s of {baseline.seconds:.3f}"

    def kill(self, operation, baseline, folder, rng):
        self.fill(operation, folder)
        deaths, moments = 0, []
        # A build that is saved may be killed again and again.
        for _ in range(rng.choice([1, 1, 2, 3]) if operation.saves else 1):
            begun = time.monotonic()
            process = self.begin(operation, folder)
            moments.append(self.pause(baseline, rng, 0.95))
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
                self.check_end(operation, run, [0])
                # It was faster than measured.
                baseline.seconds = min(baseline.seconds, time.monotonic() - begun)
            self.check_output(operation, run, False)
            self.check_files(operation, baseline, folder, UNFINISHED + SAVED)
        plain = operation.saves and rng.random() < 0.3
        self.go_on(operation, baseline, folder, command=operation.command if plain else None)
        COUNTS["kills"] += deaths
        return f"{', then '.join(moments)}: {deaths} killed"

    def calls(self, operation, baseline):
        """System calls of an undisturbed run on its files: (name, number in its thread, line)."""
        if not self.has_strace:
            raise Skipped("no strace")
        if baseline.calls is None:
            folder = self.folder(f"{operation.name}-traced")
            self.fill(operation, folder)
            log = self.work / f"{operation.name}.strace"
            process = self.begin(operation, folder, prefix=strace(log, f"trace={TRACED}"))
            run = process.wait()
            if run.code != 0:
                raise Skipped(f"strace does not work here: {run.err.strip()[:200]}")
            baseline.calls = parse_trace(log, folder)
            self.clean(folder)
            if not baseline.calls:
                raise Skipped("nothing was traced")
        return baseline.calls

    def inject(self, operation, baseline, folder, rng, how):
        calls = self.calls(operation, baseline)
        # As many renames as writes: what changes names is rare, and matters.
        names = sorted({name for name, _, _ in calls})
        name = rng.choice(names)
        _, when, line = rng.choice([call for call in calls if call[0] == name])
        what = how(name)
        if what is None:
            raise Skipped(f"no error for {name}")
        self.fill(operation, folder)
        log = folder.with_suffix(".strace")
        prefix = strace(log, f"trace={name}", "-e", f"inject={name}:{what}:when={when}")
        process = self.begin(operation, folder, prefix=prefix)
        run = process.wait()
        log.unlink(missing_ok=True)
        short = re.sub(r"\S*/(?=[^/])", "", line)
        return run, f"{what} at {name} number {when}, such as {short[:90]}"

    def kill_call(self, operation, baseline, folder, rng):
        run, word = self.inject(operation, baseline, folder, rng, lambda _: "signal=KILL")
        killed = run.code == -signal.SIGKILL
        if not killed:
            self.check_end(operation, run, [0])
        self.check_output(operation, run, False)
        self.check_files(operation, baseline, folder, UNFINISHED + SAVED)
        self.go_on(operation, baseline, folder)
        COUNTS["kills"] += killed
        return f"{word}: {'killed' if killed else 'too late'}"

    def error_call(self, operation, baseline, folder, rng):
        def how(name):
            family = re.sub(r"at2?$|64$", "", name) if name != "openat" else name
            same = {"pwrite": "write", "writev": "write", "fdatasync": "fsync"}
            errors = ERRORS.get(same.get(family, family))
            return errors and f"error={rng.choice(errors)}"

        run, word = self.inject(operation, baseline, folder, rng, how)
        codes = [0] if operation.must_answer else [0, 2, 3]
        # With several threads it may be the line itself that cannot be written.
        self.check_end(operation, run, codes, has_lines="write" not in word)
        self.check_files(operation, baseline, folder, UNFINISHED + SAVED)
        self.go_on(operation, baseline, folder)
        return f"{word}: {ending(run)}"

    def interrupt(self, operation, baseline, folder, rng):
        self.fill(operation, folder)
        process = self.begin(operation, folder)
        moment = self.pause(baseline, rng)
        number = rng.choice([signal.SIGINT, signal.SIGTERM])
        # To several processes, as a terminal does.
        process.signal(number)
        run = process.wait()
        # Before its handler is there, a signal kills.
        codes = [0, 130, -number]
        self.check_end(operation, run, codes)
        kinds = self.kinds_after_failure(operation)
        if run.code == -number:
            kinds = UNFINISHED + SAVED
        if run.code == 0 and operation.client is None:
            self.check_exact(operation, baseline, folder, "though it was not interrupted")
        self.check_files(operation, baseline, folder, kinds)
        self.go_on(operation, baseline, folder)
        return f"{number.name} {moment}: {ending(run)}"

    def stop(self, operation, baseline, folder, rng):
        self.fill(operation, folder)
        first = self.begin(operation, folder)
        moment = self.pause(baseline, rng)
        first.signal(signal.SIGSTOP)
        second = Process(self, operation.next, folder)
        time.sleep(rng.uniform(0.3, 1.5) * baseline.seconds)
        # The next run of what refuses to go over a table writes nothing, and so clears nothing.
        ends = rng.random() < 0.5 and operation.refuses is None
        first.signal(signal.SIGKILL if ends else signal.SIGCONT)
        run = first.wait()
        if run.code != -signal.SIGKILL:
            self.check_end(operation, run, [0])
        COUNTS["kills"] += run.code == -signal.SIGKILL
        other = second.wait()
        self.check_end(operation, other, [0])
        self.check_files(operation, baseline, folder, UNFINISHED if ends else [])
        self.go_on(operation, baseline, folder)
        return f"{moment}, then {'killed' if ends else 'continued'}: both right"

    def crowd(self, operation, baseline, folder, rng):
        self.fill(operation, folder)
        offsets = sorted(rng.uniform(0, 0.7) * baseline.seconds for _ in range(2))
        processes = [self.begin(operation, folder)]
        for before, offset in zip([0, *offsets], offsets):
            time.sleep(offset - before)
            processes.append(self.begin(operation, folder))
        for process in processes:
            run = process.wait()
            self.check_end(operation, run, [0])
        self.check_exact(operation, baseline, folder, "after three runs at once")
        return "offsets " + ", ".join(f"{offset:.3f} s" for offset in offsets) + ": all right"

    def mount(self, folder, options):
        if not self.can_mount:
            raise Skipped("no mounts here")
        mount = ["mount", "-t", "tmpfs", "-o", f"mode=755,{options}", "tmpfs", str(folder)]
        system(mount)
        for inner in ("t", "o"):
            (folder / inner).mkdir()

    def remount(self, folder, options):
        system(["mount", "-o", f"remount,{options}", str(folder)])

    def kinds_after_failure(self, operation):
        """What may stay after a run that failed or was interrupted. Where one of several processes
        ends, the others end at once, whatever their threads are doing."""
        return UNFINISHED + SAVED if operation.several else SAVED

    def lacking(self, operation, baseline, folder, run):
        """What came of a run that could not write all that it wanted."""
        self.check_end(operation, run, [0] if operation.must_answer else [0, 2, 3])
        if operation.client is not None:
            check_answers(run.answers, True)
        self.check_files(operation, baseline, folder, self.kinds_after_failure(operation))
        if run.code == 0 and not operation.must_answer:
            self.check_exact(operation, baseline, folder, "though it did not fail")

    def full(self, operation, baseline, folder, rng):
        self.mount(folder, "size=1g")
        self.fill(operation, folder)
        before = size_of(folder)
        room = int(rng.uniform(0, 1.3) * baseline.size)
        if rng.random() < 0.5:
            # Small from the start.
            self.remount(folder, f"size={max(before + room, 4096)}")
            run = self.begin(operation, folder).wait()
            moment = f"{room} bytes free"
        else:
            self.remount(folder, f"size={before + baseline.size * 4 + (4 << 20)}")
            process = self.begin(operation, folder)
            moment = self.pause(baseline, rng)
            with open(folder / "filler", "wb") as filler:
                try:
                    while True:
                        filler.write(bytes(1 << 16))
                        filler.flush()
                except OSError as error:
                    assert error.errno == errno.ENOSPC
                with contextlib.suppress(OSError):
                    while True:
                        os.write(filler.fileno(), bytes(1))
            run = process.wait()
            with contextlib.suppress(FileNotFoundError):
                (folder / "filler").unlink()
            moment = f"filled {moment}"
        self.lacking(operation, baseline, folder, run)
        self.remount(folder, "size=1g")
        self.go_on(operation, baseline, folder)
        return f"{moment}: {ending(run)}"

    def inodes(self, operation, baseline, folder, rng):
        self.mount(folder, "nr_inodes=1000")
        self.fill(operation, folder)
        there = sum(1 for _ in folder.rglob("*")) + 1
        more = rng.randint(0, 3)
        self.remount(folder, f"nr_inodes={there + more}")
        run = self.begin(operation, folder).wait()
        self.lacking(operation, baseline, folder, run)
        self.remount(folder, "nr_inodes=1000")
        self.go_on(operation, baseline, folder)
        return f"{more} inodes free: {ending(run)}"

    def read_only(self, operation, baseline, folder, rng):
        self.mount(folder, "size=1g")
        self.fill(operation, folder)
        self.remount(folder, "ro")
        run = self.begin(operation, folder).wait()
        self.lacking(operation, baseline, folder, run)
        self.remount(folder, "rw")
        self.go_on(operation, baseline, folder)
        return ending(run)

    def denied(self, operation, baseline, folder, rng):
        if not self.is_root:
            raise Skipped("only root can become nobody")
        self.fill(operation, folder)
        paths = [folder, *folder.rglob("*")]
        for path in paths:
            os.chown(path, NOBODY, NOBODY)
        folders = [folder, folder / "t", folder / "o"]
        process = self.begin(operation, folder, user=NOBODY)
        moment = self.pause(baseline, rng)
        for path in folders:
            path.chmod(0o555)
        run = process.wait()
        for path in folders:
            path.chmod(0o755)
        self.check_end(operation, run, [0] if operation.must_answer else [0, 2, 3])
        self.check_files(operation, baseline, folder, UNFINISHED + SAVED)
        self.go_on(operation, baseline, folder, user=NOBODY)
        return f"{moment}: {ending(run)}"

    def remove(self, operation, baseline, folder, rng):
        self.fill(operation, folder)
        process = self.begin(operation, folder)
        moment = self.pause(baseline, rng)
        for inner in ("t", "o"):
            # Whoever writes there meanwhile may make it take several times.
            for _ in range(1000):
                shutil.rmtree(folder / inner, ignore_errors=True)
                if not (folder / inner).exists():
                    break
        run = process.wait()
        self.check_end(operation, run, [0] if operation.must_answer else [0, 2, 3])
        self.check_files(operation, baseline, folder, UNFINISHED + SAVED)
        # Tables directories are made where they are missing, others are the user's.
        (folder / "o").mkdir(exist_ok=True)
        self.restore(operation, folder)
        if operation.reads:
            self.read_again(operation, folder)
        else:
            self.go_on(operation, baseline, folder)
        return f"{moment}: {ending(run)}"

    def rename(self, operation, baseline, folder, rng):
        self.fill(operation, folder)
        inner = folder / rng.choice(["t", "o"])
        away = folder / "away"
        process = self.begin(operation, folder)
        moment = self.pause(baseline, rng)
        inner.rename(away)
        run = process.wait()
        self.check_end(operation, run, [0] if operation.must_answer else [0, 2, 3])
        # It may have made the folder again.
        self.check_files(operation, baseline, folder_without(folder, "away"), UNFINISHED + SAVED)
        shutil.rmtree(inner, ignore_errors=True)
        away.rename(inner)
        self.check_files(operation, baseline, folder, UNFINISHED + SAVED)
        self.go_on(operation, baseline, folder)
        return f"{inner.name} {moment}: {ending(run)}"

    def restore(self, operation, folder):
        """Puts back what was given and is gone or changed."""
        if operation.given is None:
            return
        given = operation.given(self)
        for path in given.rglob("*"):
            if path.is_file():
                place = folder / path.relative_to(given)
                if place.is_dir() and not place.is_symlink():
                    shutil.rmtree(place)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, f"{place}.restored")
                os.rename(f"{place}.restored", place)

    def read_again(self, operation, folder):
        run = self.run(operation.command, folder, client=operation.client)
        if run.code != 0:
            raise Broken(f"the next run fails: {run.code} {run.err!r}")
        self.check_output(operation, run, True)

    def damage(self, operation, baseline, folder, rng):
        self.fill(operation, folder)
        early = rng.random() < 0.3 and operation.given is not None
        # What a program has mapped may be replaced, not overwritten (docs/format.md, "Layout").
        ways = ["flip", "cut", "empty"] if early or not operation.reads else []
        ways += ["swap", "unlink", "folder", "pipe", "link"]
        way, moment = rng.choice(ways), "before it"
        if early:
            chosen = damage_one(folder, way, rng)
            process = self.begin(operation, folder)
        else:
            process = self.begin(operation, folder)
            moment = self.pause(baseline, rng)
            chosen = damage_one(folder, way, rng)
        run = process.wait()
        codes = [0, 2, 3]
        if way in ("cut", "empty") and not early:
            # A file that is mapped must not become shorter.
            codes.append(-signal.SIGBUS)
        if operation.client is not None and run.code == 0:
            check_answers(run.answers, False)
        self.check_end(operation, run, codes)
        self.check_belief(folder, baseline, operation)
        # Whoever put something else in a file's place takes it away.
        for path in list(folder.rglob("*")):
            name = str(path.relative_to(folder))
            if path.is_symlink() or not (path.is_file() or path.is_dir()):
                path.unlink()
            elif path.is_dir() and path.parent != folder:
                shutil.rmtree(path)
        self.restore(operation, folder)
        if operation.reads:
            self.read_again(operation, folder)
        else:
            self.go_on_from_damage(operation, baseline, folder)
        return f"{way} of {chosen} {moment}: {ending(run)}"

    def go_on_from_damage(self, operation, baseline, folder):
        if operation.anew:
            # Its results are refused by name.
            shutil.rmtree(folder / "o")
            (folder / "o").mkdir()
            self.go_on(operation, baseline, folder, command=operation.command)
            return
        command = operation.next
        for _ in range(len(baseline.tree) + 1):
            run = self.run(command, folder, client=operation.client)
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
        self.go_on(operation, baseline, folder, command=command)

    def check_belief(self, folder, baseline, operation):
        """Whatever has the name of a table and other bytes is refused."""
        for name, sum in snapshot(folder).items():
            if sum == "odd" or not name.endswith((".pdb", ".pdb.zst")):
                continue
            if sum in (baseline.tree.get(name), baseline.given.get(name)):
                continue
            run = self.run(["pdb-gen", "verify", "--quiet", name], folder)
            if run.code == 0:
                raise Broken(f"{name} has other bytes, and pdb-gen verify believes them")

    def order(self, operation, baseline, folder, rng):
        self.fill(operation, folder)
        if not self.has_strace:
            raise Skipped("no strace")
        log = folder.with_suffix(".strace")
        run = self.begin(operation, folder, prefix=strace(log, f"trace={TRACED}")).wait()
        if run.code != 0:
            raise Skipped(f"strace does not work here: {run.err.strip()[:200]}")
        renames = check_order(log, folder)
        log.unlink()
        self.check_exact(operation, baseline, folder, "under strace")
        return f"{renames} renames in order"


FAULT_METHODS = {name: getattr(Trial, name.replace("-", "_")) for name in FAULTS}
OPERATIONS = {operation.name: operation for operation in operations()}
COUNTS = {"kills": 0}


def ending(run):
    line = run.err.strip().splitlines()[-1:] if run.code else []
    return f"exit code {run.code}" + "".join(f" ({line[:120]})" for line in line)


def folder_without(folder, name):
    """A view of a folder without one entry: links to the others."""
    view = folder.with_suffix(".view")
    shutil.rmtree(view, ignore_errors=True)
    shutil.copytree(folder, view, symlinks=True, ignore=shutil.ignore_patterns(name))
    return view


def change(path, way, rng):
    """Damages a file in its place, or puts something else there."""
    if way == "flip":
        data = bytearray(path.read_bytes())
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            with path.open("r+b") as file:
                file.write(data)
    elif way == "cut":
        with path.open("r+b") as file:
            file.truncate(rng.randint(0, path.stat().st_size))
    elif way == "empty":
        path.write_bytes(b"")
    elif way == "swap":
        other = path.parent.parent / "other"
        other.write_bytes(rng.randbytes(rng.randint(0, 10000)))
        other.rename(path)
    else:
        path.unlink()
        if way == "folder":
            path.mkdir()
        elif way == "pipe":
            os.mkfifo(path)
        elif way == "link":
            path.symlink_to("/dev/null")


def damage_one(folder, way, rng):
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]
    if not files:
        return "nothing"
    path = rng.choice(files)
    try:
        change(path, way, rng)
    except FileNotFoundError:
        # It was renamed or removed in this moment.
        return "nothing"
    return re.sub(r"\.unfinished-\w+", ".unfinished", path.name)


def strace(log, *words):
    # With filters of the kernel's (--seccomp-bpf) signals are not injected.
    return ["strace", "-f", "-qq", "-y", "-s", "8", "-o", str(log), "-e", *words]


def trace_lines(log):
    """Calls of a trace in the order in which they ended: (thread, name, line)."""
    pending = {}
    for line in log.read_text(errors="replace").splitlines():
        thread, _, rest = line.partition(" ")
        rest = rest.strip()
        if rest.endswith("<unfinished ...>"):
            pending[thread] = rest
            continue
        if resumed := re.match(r"<\.\.\. (\w+) resumed>", rest):
            rest = pending.pop(thread, "").replace("<unfinished ...>", "") + rest[resumed.end() :]
        if name := re.match(r"\w+(?=\()", rest):
            yield thread, name.group(), rest


def parse_trace(log, folder):
    calls, numbers = [], {}
    for thread, name, line in trace_lines(log):
        number = numbers[thread, name] = numbers.get((thread, name), 0) + 1
        if mentions(line, folder):
            calls.append((name, number, line))
    return calls


def mentions(line, folder):
    """Whether a call is on a file below a folder, which is also the current one."""
    line = line.replace(f"AT_FDCWD<{folder}>", "")
    return str(folder) in line or re.search(r'"(\./)?[to](/[^"]*)?"', line) is not None


def check_order(log, folder):
    """What gets its name is synced before, and its directory after."""
    written, renamed, count = set(), {}, 0

    def full(path):
        return os.path.normpath(os.path.join(folder, path))

    for _, name, line in trace_lines(log):
        if re.search(r"= -1 E", line):
            continue
        opened = re.match(r"\w+\(\d+<([^>]*)>", line)
        made = re.search(r"O_CREAT.*\) = \d+<([^>]*)>", line) if name == "openat" else None
        if made:
            # However it is written.
            written.add(made.group(1))
        elif name in ("write", "pwrite64", "writev", "ftruncate", "fallocate") and opened:
            written.add(opened.group(1))
        elif name in ("fsync", "fdatasync") and opened:
            written.discard(opened.group(1))
            for target in [one for one, place in renamed.items() if place == opened.group(1)]:
                del renamed[target]
        elif name.startswith("rename"):
            source, target = (full(path) for path in re.findall(r'"([^"]*)"', line)[:2])
            if not target.startswith(str(folder)) or target.endswith(".checked"):
                continue
            count += 1
            if source in written:
                raise Broken(f"{os.path.basename(target)} gets its name before it is on the disk")
            # If the name of a newer checkpoint is lost, there is the one before.
            if not target.endswith(".checkpoint"):
                renamed[target] = os.path.dirname(target)
    for target in renamed:
        raise Broken(f"the name of {os.path.basename(target)} is not brought to the disk")
    return count


# --- The system -----------------------------------------------------------------------------------


def system(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"{command[0]} does not do this here: {done.stderr.strip()[:200]}")


def try_mount(work):
    place = work / "mount"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    done = subprocess.run(command, capture_output=True).returncode == 0
    if done:
        subprocess.run(["umount", str(place)], check=True)
    return done


def can_drop(work):
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "true"]
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def in_own_mounts():
    """Runs this script again where mounts are its own, if the system lets it."""
    if os.environ.get("FAULTS_MOUNTS"):
        return
    for options in (["-m"], ["-rm"]):
        probe = ["unshare", *options, "--propagation", "private", "true"]
        try:
            if subprocess.run(probe, capture_output=True).returncode == 0:
                os.environ["FAULTS_MOUNTS"] = "own"
                os.execvp("unshare", [*probe[:-1], sys.executable, *sys.argv])
        except OSError:
            break
    os.environ["FAULTS_MOUNTS"] = "none"


def pairs():
    """Every operation with every fault that applies, some more often."""
    made = []
    for operation in OPERATIONS.values():
        for fault in FAULTS:
            if applies(operation, fault):
                times = 1 if operation.slow or operation.reads else OFTEN.get(fault, 1)
                made += [(operation, fault)] * times
    return made


def schedule(seed, number):
    """The operation and the fault of a round."""
    all = pairs()
    turn, place = divmod(number, len(all))
    random.Random(f"{seed} {turn}").shuffle(all)
    return all[place]


def build():
    packages = "-p sliding-tile-pdb -p sliding-tile-pdb-server -p pdb-dist"
    command = f"cargo build --locked --release --bins {packages}"
    subprocess.run(command.split(), cwd=REPOSITORY, check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "release"


def table_of(done):
    """Rounds by operation and fault, in Markdown."""
    faults = [fault for fault in FAULTS if any(key[1] == fault for key in done)]
    lines = ["| operation | " + " | ".join(faults) + " |"]
    lines.append("| --- |" + " ---: |" * len(faults))
    for name in OPERATIONS:
        row = [done.get((name, fault), 0) for fault in faults]
        if any(row):
            lines.append(f"| {name} | " + " | ".join(str(n) if n else "" for n in row) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=1, help="how long [1]")
    parser.add_argument("--rounds", type=int, help="how many rounds, instead of --minutes")
    parser.add_argument("--seed", type=int, default=None, help="what is done, and when [random]")
    parser.add_argument("--round", type=int, help="this round alone")
    parser.add_argument("--at", type=float, metavar="SECONDS", help="the moment [random]")
    parser.add_argument("--only", help="these operations alone, with commas between them")
    parser.add_argument("--fault", help="these faults alone, with commas between them")
    parser.add_argument("--bin", type=pathlib.Path, help="folder of the programs")
    parser.add_argument("--list", action="store_true", help="list operations and faults")
    options = parser.parse_args()
    if options.list:
        for name, operation in OPERATIONS.items():
            print(f"{name:14} {shlex.join(operation.command)}")
        for name, words in FAULTS.items():
            print(f"{name:14} {words}")
        return 0
    chosen = {}
    for word, all in (("only", OPERATIONS), ("fault", FAULTS)):
        text = getattr(options, word)
        chosen[word] = set(text.split(",")) if text else set(all)
        if unknown := chosen[word] - set(all):
            parser.error(f"--{word}: {', '.join(sorted(unknown))}; there are {', '.join(all)}")
    if not any(o.name in chosen["only"] and f in chosen["fault"] for o, f in pairs()):
        parser.error("no such operation has such a fault")
    in_own_mounts()
    seed = random.randrange(1_000_000) if options.seed is None else options.seed
    bin = (options.bin or build()).resolve()
    print(f"seed {seed}, programs of {bin}", flush=True)
    # Of all, so that nobody can read it.
    work = pathlib.Path(tempfile.mkdtemp(prefix="faults-"))
    work.chmod(0o755)
    failures, skipped, done = [], {}, {}
    trial = Trial(bin, seed, work, options.at)
    begun = time.monotonic()
    number = -1
    try:
        while True:
            number += 1
            if options.round is not None:
                if done or skipped or failures:
                    break
                number = options.round
            elif options.rounds is not None:
                if sum(done.values()) + len(failures) >= options.rounds:
                    break
                if sum(skipped.values()) > 100 * options.rounds:
                    break
            elif time.monotonic() - begun > options.minutes * 60:
                break
            operation, fault = schedule(seed, number)
            if operation.name not in chosen["only"] or fault not in chosen["fault"]:
                continue
            name = f"round {number}: {operation.name}, {fault}"
            try:
                word = trial.round(number, operation, fault)
                print(f"{name}, {word}", flush=True)
                done[operation.name, fault] = done.get((operation.name, fault), 0) + 1
            except Skipped as why:
                skipped[str(why)] = skipped.get(str(why), 0) + 1
            except Broken as error:
                print(f"{name}: BROKEN: {error}", flush=True)
                again = f"scripts/faults.py --seed {seed} --round {number}"
                failures.append(f"{name}: {error}\n    {again}")
                if len(failures) >= 20:
                    break
    except KeyboardInterrupt:
        print("interrupted")
    finally:
        for process in list(trial.running):
            process.signal(signal.SIGKILL)
            process.process.wait()
        if not failures:
            shutil.rmtree(work, ignore_errors=True)
    print()
    print(table_of(done))
    print()
    for why, count in skipped.items():
        print(f"skipped {count} rounds: {why}")
    rounds = sum(done.values()) + len(failures)
    seconds = time.monotonic() - begun
    kills = f"{COUNTS['kills']} kills of running programs"
    word = f"{len(failures)} broken" if failures else "every promise was kept"
    print(f"{rounds} rounds in {seconds:.0f} s, {kills}: {word}")
    for failure in failures:
        print(failure)
    return 1 if failures or not rounds else 0


if __name__ == "__main__":
    sys.exit(main())
