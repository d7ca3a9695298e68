"""The wheel and the sdist: names and contents.

PYTHON_DIST is the directory that scripts/build/python.sh wrote.
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import tarfile
import zipfile

import pytest

from conftest import CLONE, CRATE

if "PYTHON_DIST" not in os.environ:
    pytest.skip("PYTHON_DIST is not set", allow_module_level=True)
DIST = pathlib.Path(os.environ["PYTHON_DIST"])


@pytest.fixture(scope="module")
def wheel() -> pathlib.Path:
    [path] = DIST.glob("sliding_tile_pdb-*.whl")
    return path


@pytest.fixture(scope="module")
def files(wheel: pathlib.Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def sdist() -> dict[str, bytes]:
    [path] = DIST.glob("sliding_tile_pdb-*.tar.gz")
    root = path.name.removesuffix(".tar.gz") + "/"
    found = {}
    with tarfile.open(path) as archive:
        for member in archive:
            # Links are not allowed: they would point outside the package.
            assert member.isfile() and member.name.startswith(root)
            file = archive.extractfile(member)
            assert file is not None
            found[member.name.removeprefix(root)] = file.read()
    return found


def version() -> str:
    text = (CLONE / "Cargo.toml").read_text()
    found = re.search(r'^version = "(.*)"$', text, re.MULTILINE)
    assert found
    return found[1]


def test_name(wheel: pathlib.Path) -> None:
    name, number, python, abi, platform = wheel.stem.split("-")
    assert (name, number, python, abi) == ("sliding_tile_pdb", version(), "cp310", "abi3")
    if platform.startswith("manylinux"):
        assert re.fullmatch(r"manylinux_2_\d+_\w+|manylinux2014_\w+(\.manylinux_2_17_\w+)?", platform)


def test_size(wheel: pathlib.Path) -> None:
    assert wheel.stat().st_size < 4_000_000


def test_contents(files: dict[str, bytes]) -> None:
    package = {name for name in files if name.startswith("sliding_tile_pdb/")}
    sources = {f"sliding_tile_pdb/{path.name}"
               for path in (CRATE / "python/sliding_tile_pdb").iterdir() if path.is_file()}
    native = {name for name in package if name.endswith((".so", ".pyd"))}
    assert len(native) == 1
    assert package - native == {name for name in sources if not name.endswith((".so", ".pyd"))}
    [info] = {name.split("/")[0] for name in files} - {"sliding_tile_pdb"}
    for name in ["LICENSE-APACHE", "LICENSE-MIT"]:
        assert files[f"{info}/licenses/{name}"] == (CLONE / name).read_bytes()
    metadata = files[f"{info}/METADATA"].decode()
    assert "License-Expression: MIT OR Apache-2.0\n" in metadata
    assert "Requires-Python: >=3.10\n" in metadata
    assert (CRATE / "README.md").read_text().splitlines()[2] in metadata


def test_wheel_has_no_build_paths(files: dict[str, bytes]) -> None:
    """Panic messages name source files, but not directories of the build machine."""
    home = os.path.expanduser("~")
    for name, data in files.items():
        for path in [str(CLONE), home + "/", "/.cargo/", "/tmp/"]:
            assert path.encode() not in data, name


def test_library_uses_the_stable_abi(files: dict[str, bytes], tmp_path: pathlib.Path) -> None:
    """The library imports only symbols of Python's stable ABI, as its name states."""
    [name] = [name for name in files if name.endswith((".so", ".pyd"))]
    assert name == "sliding_tile_pdb/_native.abi3.so" or name.endswith(".pyd")
    (tmp_path / "native.so").write_bytes(files[name])
    try:
        listed = subprocess.run(["nm", "-D", "--defined-only", tmp_path / "native.so"],
                                capture_output=True, text=True, check=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        pytest.skip("nm is not here, or does not read this library")
    assert [line.split()[-1] for line in listed.splitlines()] == ["PyInit__native"]


def test_sdist(sdist: dict[str, bytes]) -> None:
    for name in ["PKG-INFO", "pyproject.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE",
                 "Cargo.toml", "Cargo.lock", "crates/lab/suites/korf100.txt",
                 "crates/puzzle/partitions/4x4-6-6-3.txt", "python/sliding_tile_pdb/__init__.pyi",
                 "python/sliding_tile_pdb/py.typed"]:
        assert name in sdist
    assert sdist["Cargo.lock"] == (CLONE / "Cargo.lock").read_bytes()
    assert sum(map(len, sdist.values())) < 5_000_000
    members = {name.split("/")[1] for name in sdist if name.startswith("crates/")}
    assert members == {"lab", "pdb-gen", "pdb-table", "puzzle", "python", "solver"}
    # Build results, caches and measurements are not shipped.
    assert not [name for name in sdist if name.endswith((".so", ".pdb", ".pyc", ".whl"))]
