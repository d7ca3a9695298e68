"""What a system may lack: mounts of its own, and another user."""

import os
import subprocess
import sys

from .process import AS_NOBODY, Skipped


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


def can_drop():
    try:
        return subprocess.run([*AS_NOBODY, "true"], capture_output=True).returncode == 0
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
