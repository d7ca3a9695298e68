"""Programs that run in a folder, their results, and the two exceptions that a round can raise."""

import contextlib
import dataclasses
import os
import pathlib
import queue
import resource
import signal
import subprocess
import threading

# Time limit per program in seconds, for a machine that is also doing other work.
TIME_LIMIT = float(os.environ.get("FAULTS_TIME_LIMIT", 60))
NOBODY = 65534
AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


class Broken(Exception):
    """The program did not behave as required, so the round fails."""


class Skipped(Exception):
    """A feature that the round needs is missing, so the round is skipped."""


@dataclasses.dataclass
class Run:
    """Result of a program: exit code, output, and the answers that its client received."""

    code: int
    out: str
    err: str
    answers: list


class Process:
    """A program in its own session. Threads read its output; an optional client sends it requests
    while it runs."""

    def __init__(self, trial, command, folder, prefix=(), as_nobody=False, client=None):
        if as_nobody:
            prefix = [*AS_NOBODY, *prefix]
        environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(folder),
            "RUST_BACKTRACE": "0",
        }
        self.process = subprocess.Popen(
            [*prefix, str(trial.bin / command[0]), *command[1:]], cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", start_new_session=True, preexec_fn=limit_cores,
        )
        trial.running.add(self)
        self.trial = trial
        self.out, self.err, self.answers = [], [], []
        # Lines of both streams, for the client; None marks the end of each stream.
        self.lines = queue.SimpleQueue()
        self.threads = [
            threading.Thread(target=self.read, args=(self.out, self.process.stdout), daemon=True),
            threading.Thread(target=self.read, args=(self.err, self.process.stderr), daemon=True),
        ]
        if client is not None:
            self.threads.append(threading.Thread(target=client, args=(self,), daemon=True))
        for thread in self.threads:
            thread.start()

    def read(self, texts, stream):
        for line in stream:
            texts.append(line)
            self.lines.put(line)
        self.lines.put(None)

    def signal(self, number):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def kill(self):
        """Kills the remaining processes of the session."""
        self.signal(signal.SIGKILL)
        self.process.wait()
        self.trial.running.discard(self)

    def members(self):
        """Process ids of the session, without zombies."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                fields = entry.read_text().rpartition(")")[2].split()
                if int(fields[3]) == self.process.pid and fields[0] != "Z":
                    found.append(int(entry.parent.name))
        return found

    def wait(self):
        try:
            code = self.process.wait(TIME_LIMIT)
            for thread in self.threads:
                thread.join(TIME_LIMIT)
        except subprocess.TimeoutExpired:
            raise Broken(f"the program did not end within {TIME_LIMIT:.0f} s") from None
        finally:
            self.kill()
        run = Run(code, "".join(self.out), "".join(self.err), self.answers)
        self.trial.endings.append(ending(run))
        return run


def limit_cores():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ending(run):
    line = run.err.strip().splitlines()[-1:] if run.code else []
    return f"exit code {run.code}" + "".join(f" ({line[:120]})" for line in line)
