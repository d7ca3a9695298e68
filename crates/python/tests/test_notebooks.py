"""The notebooks run from start to end, and are stored without outputs."""

from __future__ import annotations

import json
import pathlib
import sys

import pytest

from conftest import CRATE

NOTEBOOKS = sorted((CRATE / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_have_no_outputs(path: pathlib.Path) -> None:
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_runs(path: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    kernelspec = pytest.importorskip("ipykernel.kernelspec")
    # Installs a kernel that runs this interpreter. Jupyter prefers it to other installed kernels.
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "share"))
    kernelspec.install(prefix=str(tmp_path), kernel_name="python3")
    kernel = json.loads(next(tmp_path.rglob("kernel.json")).read_text())
    assert kernel["argv"][0] == sys.executable
    (tmp_path / "share" / "kernels").mkdir(parents=True, exist_ok=True)
    source = next(tmp_path.rglob("kernel.json")).parent
    source.rename(tmp_path / "share" / "kernels" / "python3")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3",
                                     resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    pictures = [output for cell in notebook.cells if cell.cell_type == "code"
                for output in cell.outputs
                if any(kind.startswith("image/") for kind in output.get("data", {}))]
    assert len(pictures) >= 3


def test_a_notebook_exists() -> None:
    if (CRATE / "pyproject.toml").exists():
        assert NOTEBOOKS
