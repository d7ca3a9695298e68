"""Optional system features: private mounts, and switching to another user."""

import os
import subprocess
import sys

from .process import Skipped


def system(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"{command[0]} does not work here: {done.stderr.strip()[:200]}")


def works(*command):
    """Whether a command exists and succeeds."""
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


def try_mount(work):
    place = work / "mount"
    place.mkdir()
    done = works("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place))
    if done:
        subprocess.run(["umount", str(place)], check=True)
    return done


def in_own_mounts():
    """Restarts this script in a private mount namespace, if the system allows it."""
    if os.environ.get("FAULTS_MOUNTS"):
        return
    for options in (["-m"], ["-rm"]):
        probe = ["unshare", *options, "--propagation", "private", "true"]
        if works(*probe):
            os.environ["FAULTS_MOUNTS"] = "own"
            os.execvp("unshare", [*probe[:-1], sys.executable, *sys.argv])
    os.environ["FAULTS_MOUNTS"] = "none"
