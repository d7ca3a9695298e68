"""Programs that run in a folder, how they end, and the two ways in which a round may fail."""

import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import threading

# The longest that any program may take, after its fault too, on a machine that does other work.
PATIENCE = float(os.environ.get("FAULTS_PATIENCE", 60))


class Broken(Exception):
    """A promise was not kept."""


class Skipped(Exception):
    """This system lacks what the round needs."""


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


def ending(run):
    line = run.err.strip().splitlines()[-1:] if run.code else []
    return f"exit code {run.code}" + "".join(f" ({line[:120]})" for line in line)
