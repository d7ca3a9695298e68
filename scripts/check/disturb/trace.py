"""System calls of a program, traced by strace."""

import os
import re

from .process import Broken

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


def strace(log, *words):
    # No --seccomp-bpf: with that filter strace injects no signals.
    return ["strace", "-f", "-qq", "-y", "-s", "8", "-o", str(log), "-e", *words]


def trace_lines(log):
    """Calls of a trace in the order of their return: (thread, name, line)."""
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
    """Whether a call is on a file below `folder`, which is also the current directory."""
    line = line.replace(f"AT_FDCWD<{folder}>", "")
    return str(folder) in line or re.search(r'"(\./)?[to](/[^"]*)?"', line) is not None


def check_order(log, folder):
    """Checks that each file is synced before its rename, and its directory after the rename.
    Returns the number of renames."""
    written, renamed, count = set(), {}, 0

    def full(path):
        return os.path.normpath(os.path.join(folder, path))

    for _, name, line in trace_lines(log):
        if re.search(r"= -1 E", line):
            continue
        opened = re.match(r"\w+\(\d+<([^>]*)>", line)
        made = re.search(r"O_CREAT.*\) = \d+<([^>]*)>", line) if name == "openat" else None
        if made:
            # A new file counts as written, because system calls that are not listed here may
            # write it.
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
                raise Broken(f"{os.path.basename(target)} is renamed before it is synced")
            # The directory of a checkpoint need not be synced: if the rename is lost, the previous
            # checkpoint remains.
            if not target.endswith(".checkpoint"):
                renamed[target] = os.path.dirname(target)
    for target in renamed:
        raise Broken(f"the directory of {os.path.basename(target)} is not synced after the rename")
    return count
