"""The notebook's cells as one script; tests/peers runs it as a notebook."""
import json
import pathlib

import pytest

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("dp_accounting")
matplotlib.use("Agg")

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs/tour.ipynb"


def test_every_cell_runs():
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    names, checked = {}, 0
    for cell in cells:
        if cell["cell_type"] == "code":
            source = "".join(cell["source"])
            exec(compile(source, f"{NOTEBOOK.name}: {cell['id']}", "exec"), names)
            checked += source.count("assert ")
            assert cell["outputs"] == [] and cell["execution_count"] is None
    matplotlib.pyplot.close("all")
    assert checked >= 8
