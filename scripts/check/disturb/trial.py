"""A trial: undisturbed runs to compare with, folders for rounds, and the checks of each."""

import contextlib
import fnmatch
import os
import random
import shutil
import signal
import subprocess
import time

from .faults import FAULTS
from .files import is_kind, size_of, snapshot
from .operations import check_answers
from .process import Broken, Process, Skipped
from .system import can_drop, system, try_mount
from .trace import TRACED, parse_trace, strace

PROGRAMS = ["pdb-gen", "solver", "solver-server", "pdb-gen-dist"]


class Baseline:
    """An undisturbed run: its files, its length in seconds, and its trace."""

    def __init__(self, tree, seconds, size, given):
        self.tree, self.seconds, self.size, self.given = tree, seconds, size, given
        self.calls = None


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
        # Programs that were killed while they ran.
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

    def check_exact(self, operation, baseline, folder, when, may_lack_tables=False):
        """The files are those of an undisturbed run, perhaps without some of its tables."""
        found = snapshot(folder)
        for name in sorted(found.keys() - baseline.tree.keys()):
            raise Broken(f"{name} is left {when}")
        for name, sum in baseline.tree.items():
            if name not in found:
                if may_lack_tables and name.startswith("t/"):
                    continue
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

    def round(self, number, operation, fault):
        """Does a round, and says what came of it."""
        baseline = self.baseline(operation)
        rng = random.Random(f"{self.seed}/{number}")
        folder = self.folder(f"{operation.name}-{fault}")
        self.endings.clear()
        try:
            word = FAULTS[fault].do(self, operation, baseline, folder, rng)
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

    def mount(self, folder, options):
        if not self.can_mount:
            raise Skipped("no mounts here")
        mount = ["mount", "-t", "tmpfs", "-o", f"mode=755,{options}", "tmpfs", str(folder)]
        system(mount)
        for inner in ("t", "o"):
            (folder / inner).mkdir()

    def remount(self, folder, options):
        system(["mount", "-o", f"remount,{options}", str(folder)])

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
