"""docs/tour.ipynb, by the kernel that people run it with."""
import pathlib

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("ipykernel")

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "docs/tour.ipynb"


def test_it_runs_from_top_to_bottom():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert {"text/html", "image/png", "text/plain"} <= kinds
    assert not any(output.output_type == "error" for output in outputs)
