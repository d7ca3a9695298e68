"""Examples in docstrings and notebooks run, notebooks are stored without outputs, and every public
object has a docstring."""

from __future__ import annotations

import doctest
import inspect
import json
import pathlib
import sys
from typing import Any

import pytest
import sliding_tile_pdb as st
from conftest import CRATE


def documented() -> dict[str, Any]:
    """The module, its objects, and the members of its classes."""
    found: dict[str, Any] = {"sliding_tile_pdb": st}
    for name in st.__all__:
        thing = getattr(st, name)
        if name.startswith("__"):
            continue
        found[name] = thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    found[f"{name}.{member}"] = value
    return found


THINGS = documented()


@pytest.mark.parametrize("name", THINGS)
def test_is_documented(name: str) -> None:
    if name.endswith((".code", ".report", ".args", ".bit_count")):
        return
    text = inspect.getdoc(THINGS[name])
    assert text and text.strip(), f"{name} has no docstring"


def examples() -> list[doctest.DocTest]:
    parser = doctest.DocTestParser()
    found = []
    for name, thing in THINGS.items():
        text = inspect.getdoc(thing) or ""
        test = parser.get_doctest(text, {"st": st, "sliding_tile_pdb": st}, name, None, None)
        if test.examples:
            found.append(test)
    return found


EXAMPLES = examples()


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_example(test: doctest.DocTest, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_examples_exist() -> None:
    """Each function, and each class with methods, has an example."""
    shown = {test.name.split(".")[0] for test in EXAMPLES}
    functions = {name for name in st.__all__ if inspect.isroutine(getattr(st, name))}
    assert functions - shown == set()
    assert {"Board", "Goal", "Table", "Solver", "Result"} <= shown


def test_all_parameters_are_described() -> None:
    """Functions with two or more parameters list them in their docstrings."""
    for name, thing in {**THINGS, "Solver": st.Solver}.items():
        if name in ("Progress", "Suite", "Anytime", "SolvedBoards") or name.endswith("Error"):
            continue
        try:
            parameters = list(inspect.signature(thing).parameters)
        except (TypeError, ValueError):
            continue
        own = [parameter for parameter in parameters if parameter not in ("self", "cls", "fields", "options")]
        if len(own) < 2:
            continue
        text = inspect.getdoc(thing) or ""
        for parameter in own:
            assert f"- `{parameter}`: " in text, f"{name}: {parameter}"


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
