"""A trial: reference runs without faults, folders for rounds, and the checks of each round."""

import contextlib
import fnmatch
import os
import random
import shlex
import shutil
import subprocess
import time

from .faults import FAULTS
from .files import LEFT, is_kind, size_of, snapshot
from .operations import check_answers
from .process import AS_NOBODY, Broken, Process, Skipped, ending
from .system import system, try_mount, works
from .trace import TRACED, parse_trace, strace

PROGRAMS = ["pdb-gen", "solver", "solver-server", "pdb-gen-dist"]


class Trial:
    """State that all rounds share."""

    def __init__(self, bin, seed, work):
        self.seed, self.work = seed, work
        self.running, self.endings = set(), []
        self.baselines, self.trees = {}, {}
        self.can_mount = try_mount(work)
        self.is_root = works(*AS_NOBODY, "true")
        # Copies of the programs, since other users may not be able to read the original folder.
        self.bin = work / "bin"
        self.bin.mkdir()
        for name in PROGRAMS:
            if (bin / name).exists():
                shutil.copy2(bin / name, self.bin / name)
        self.counter = 0
        # Number of programs killed while running.
        self.kills = 0

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

    def kill_all(self):
        for process in list(self.running):
            process.kill()

    def ordinary(self, line, folder):
        run = Process(self, shlex.split(line), folder).wait()
        if run.code != 0:
            raise Broken(f"{line} fails without a fault: {run.code} {run.err!r}")

    def tree(self, make):
        """Folder of input files, created once by `make` and copied into each round."""
        if make not in self.trees:
            folder = self.folder(make.__name__)
            make(self, folder)
            self.trees[make] = folder
        return self.trees[make]

    def baseline(self, operation):
        if not (self.bin / operation.program).exists():
            raise Skipped(f"no program {operation.program}")
        if operation.name not in self.baselines:
            baseline = Baseline(self, operation)
            if baseline.seconds < 1:
                # Short operations run twice, because the first run includes waits for the disk.
                baseline.seconds = min(baseline.seconds, Baseline(self, operation).seconds)
            self.baselines[operation.name] = baseline
        return self.baselines[operation.name]

    def round(self, number, operation, name):
        """Runs a round and returns a description of its outcome."""
        baseline = self.baseline(operation)
        fault = FAULTS[name]
        folder = self.folder(f"{operation.name}-{name}")
        rng = random.Random(f"{self.seed}/{number}")
        self.endings.clear()
        try:
            round = Round(self, operation, folder, baseline, rng, fault.disk)
            if fault.disk is not None:
                round.mount()
            round.fill()
            return fault.do(round)
        except Broken as error:
            kept = f"{folder}.kept"
            with contextlib.suppress(shutil.Error, OSError):
                shutil.copytree(folder, kept, symlinks=True)
            ends = "; ".join(self.endings)
            raise Broken(f"{error} (its runs: {ends}; kept in {kept})") from None
        finally:
            self.kill_all()
            self.clean(folder)


class Baseline:
    """A run without a fault: its files, its duration in seconds, and its trace."""

    def __init__(self, trial, operation):
        folder = trial.folder(f"{operation.name}-undisturbed")
        round = Round(trial, operation, folder)
        round.fill()
        self.given = snapshot(folder)
        before = size_of(folder)
        begun = time.monotonic()
        run = round.begin().wait()
        self.seconds = time.monotonic() - begun
        if run.code != 0:
            raise Broken(f"{operation.name} fails without a fault: {run.code} {run.err!r}")
        round.check_output(run, True)
        self.tree = snapshot(folder)
        self.size = max(size_of(folder) - before, 1 << 16)
        self.calls = None
        trial.clean(folder)


class Round:
    """An operation in its own folder: helpers that apply a fault, and checks of the result."""

    def __init__(self, trial, operation, folder, baseline=None, rng=None, disk=None):
        self.trial, self.operation, self.folder = trial, operation, folder
        self.baseline, self.rng, self.disk = baseline, rng, disk
        # Allowed exit codes of runs that failed or completed only part of their work.
        self.codes = [0] if operation.must_answer else [0, 2, 3]

    def mount(self):
        if not self.trial.can_mount:
            raise Skipped("no mounts here")
        options = f"mode=755,{self.disk}"
        system(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)])
        for inner in ("t", "o"):
            (self.folder / inner).mkdir()

    def remount(self, options):
        system(["mount", "-o", f"remount,{options}", str(self.folder)])

    def fill(self):
        """Copies the input files into the folder."""
        if self.operation.given is not None:
            given = self.trial.tree(self.operation.given)
            shutil.copytree(given, self.folder, dirs_exist_ok=True)

    def restore(self):
        """Restores the input files."""
        if self.operation.given is None:
            return
        given = self.trial.tree(self.operation.given)
        for path in given.rglob("*"):
            if path.is_file():
                place = self.folder / path.relative_to(given)
                if place.is_dir() and not place.is_symlink():
                    shutil.rmtree(place)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, f"{place}.restored")
                os.rename(f"{place}.restored", place)

    def begin(self, command=None, **options):
        command = command or self.operation.command
        client = self.operation.client
        return Process(self.trial, command, self.folder, client=client, **options)

    def pause(self, most=1.0):
        """Waits for a random fraction, at most `most`, of the operation's duration. Returns a
        description of the moment."""
        seconds = self.rng.uniform(0, most) * self.baseline.seconds
        time.sleep(seconds)
        return f"after {seconds:.3f} s of {self.baseline.seconds:.3f}"

    def begin_and_pause(self, most=1.0, **options):
        return self.begin(**options), self.pause(most)

    def traced(self):
        """Runs the operation under strace without a fault. Returns the path of the log."""
        if shutil.which("strace") is None:
            raise Skipped("no strace")
        log = self.folder.with_suffix(".strace")
        run = self.begin(prefix=strace(log, f"trace={TRACED}")).wait()
        if run.code != 0:
            raise Skipped(f"strace does not work here: {run.err.strip()[:200]}")
        return log

    def calls(self):
        """System calls on the operation's files in a run without a fault. Each call is a tuple of
        its name, its number in its thread, and its line of the trace."""
        baseline = self.baseline
        if baseline.calls is None:
            folder = self.trial.folder(f"{self.operation.name}-traced")
            other = Round(self.trial, self.operation, folder)
            other.fill()
            baseline.calls = parse_trace(other.traced(), folder)
            self.trial.clean(folder)
        if not baseline.calls:
            raise Skipped("nothing was traced")
        return baseline.calls

    def check_output(self, run, is_complete):
        for text in (run.out, run.err):
            if "panicked" in text or "RUST_BACKTRACE" in text:
                raise Broken(f"the program panics: {text!r}")
        if self.operation.answer is not None and run.code == 0:
            self.operation.answer(run.out)
        if self.operation.client is not None:
            check_answers(run.answers, is_complete)

    def check_end(self, run, codes, has_lines=True):
        """Checks the exit code and messages of a program that ended by itself."""
        operation = self.operation
        self.check_output(run, False)
        if run.code not in codes and not self.is_refused(run):
            raise Broken(f"exit code {run.code}, expected one of {codes}: {run.err!r}")
        if run.code in (0, 130) or run.code < 0 or operation.client is not None or not has_lines:
            return
        lines = run.err.splitlines()
        count = 2 if operation.several else 1
        # Warnings have lines of their own before the final error.
        own = [line for line in lines if line.startswith(f"{operation.program}: ")]
        if not own or len(own) > 2 * count or len(lines) > len(own):
            raise Broken(f"exit code {run.code} with these lines: {run.err!r}")

    def is_refused(self, run):
        refuses = self.operation.refuses
        return run.code == 2 and refuses is not None and refuses in run.err

    def is_known(self, name, sum):
        """Whether a file has the bytes that a run without a fault writes, or those of the input."""
        return sum in (self.baseline.tree.get(name), self.baseline.given.get(name))

    def is_whole(self, name, when=""):
        """Checks that a file whose bytes differ between runs is complete. Returns False for any
        other file."""
        for pattern, check in self.operation.whole.items():
            if fnmatch.fnmatch(name, pattern):
                try:
                    check(self.folder / name)
                except Exception as error:
                    raise Broken(f"{name} is not whole{when}: {error}") from None
                return True
        return False

    def check_files(self, kinds=LEFT, ignored=None):
        """Checks that every file is complete, unchanged, or of one of the `kinds`."""
        for name, sum in snapshot(self.folder).items():
            if name.split("/")[0] == ignored or self.is_known(name, sum) or self.is_whole(name):
                continue
            if name in self.baseline.tree:
                raise Broken(f"{name} is neither whole nor what was there before")
            if not is_kind(name, kinds):
                raise Broken(f"{name} is left")

    def check_exact(self, when, may_lack_tables=False):
        """Checks that the files are those of a run without a fault; with `may_lack_tables`, tables
        may be missing."""
        found = snapshot(self.folder)
        for name in sorted(found.keys() - self.baseline.tree.keys()):
            raise Broken(f"{name} is left {when}")
        for name, sum in self.baseline.tree.items():
            if name not in found:
                if not (may_lack_tables and name.startswith("t/")):
                    raise Broken(f"{name} is missing {when}")
            elif found[name] != sum and not self.is_whole(name, f" {when}"):
                raise Broken(f"{name} has other bytes {when}")

    def check_belief(self):
        """Checks that `pdb-gen verify` rejects every damaged table."""
        for name, sum in snapshot(self.folder).items():
            is_table = sum != "odd" and name.endswith((".pdb", ".pdb.zst"))
            if is_table and not self.is_known(name, sum):
                verify = ["pdb-gen", "verify", "--quiet", name]
                if Process(self.trial, verify, self.folder).wait().code == 0:
                    raise Broken(f"{name} is damaged, but pdb-gen verify accepts it")

    def go_on(self, command=None, **options):
        """Runs the next command without a fault and checks its files."""
        run = self.begin(command or self.operation.next, **options).wait()
        if run.code != 0 and not self.is_refused(run):
            raise Broken(f"the next run fails: {run.code} {run.err!r}")
        self.check_output(run, True)
        if not self.operation.reads:
            self.check_exact("after the next run")

    def settle(self, run, codes, kinds=LEFT, has_lines=True, **options):
        """Checks a run and its files, then runs the next command. Returns how the first run
        ended."""
        self.check_end(run, codes, has_lines)
        self.check_files(kinds)
        self.go_on(**options)
        return ending(run)
