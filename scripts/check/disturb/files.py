"""Trees of files: snapshots, and damage to one file."""

import fnmatch
import hashlib
import os
import pathlib
import re

# Temporary files and locks of unfinished runs (docs/format.md, "Notes next to the tables", and
# docs/scale.md).
UNFINISHED = [".unfinished-??????.tmp", "*.pdb.lock", "*.pdb.zst.lock", "*.checkpoint.new"]
SAVED = ["*.checkpoint"]
# Files that a killed run may leave.
LEFT = UNFINISHED + SAVED


def snapshot(root):
    """Maps each file below a folder to its SHA-256, and each link or special file to "odd"."""
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


def change(path, way, rng):
    """Damages a file in place, removes it, or replaces it with something else."""
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
        # The program has just renamed or removed the file.
        return "nothing"
    return re.sub(r"\.unfinished-\w+", ".unfinished", path.name)
