"""Record the figures of cells that wait for a learner's function: grey and light, at the size in which they are shown."""

import base64
import io
import json
import tempfile
from collections.abc import Iterator

from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode
from PIL import Image

from embedding_course.learner.recorded_figures import cell_code, edition_folder
from embedding_course.messages import ENGLISH

from ..course_source.notebook import translated
from ..paths import ROOT

FOLDER = ROOT / "data" / "figures"
#: Pictures are drawn with twice as many pixels as they are shown with.
_TIMES = 2
#: No black, so that a recorded figure looks like none of one's own; and a quality at which small letters can still be read.
_DARKEST, _QUALITY = 90, 20


def waiting_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the cells that wait for a learner's function."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and "waiting_for(" in cell.source]


def record(topic: str, language: str = ENGLISH) -> tuple[int, int]:
    """Run a lesson with the reference answers and write its figures: how many, and their bytes."""
    notebook = translated(topic, language)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(notebook, timeout=900, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    target = FOLDER / edition_folder(language) / topic
    target.mkdir(parents=True, exist_ok=True)
    index: dict[str, dict[str, str]] = {}
    size = 0
    for cell in waiting_cells(notebook):
        for number, (picture, alt) in enumerate(_figures(cell), start=1):
            name = f"{cell.id}.webp" if number == 1 else f"{cell.id}-{number}.webp"
            (target / name).write_bytes(picture)
            index.setdefault(cell_code(cell.source), {})[name] = alt
            size += len(picture)
    kept = {name for figures in index.values() for name in figures}
    for path in target.glob("*.webp"):
        if path.name not in kept:
            path.unlink()
    (target / "index.json").write_text(json.dumps(index, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return len(kept), size


def _figures(cell: NotebookNode) -> Iterator[tuple[bytes, str]]:
    for output in cell.outputs:
        if "image/png" in output.get("data", {}):
            drawn = Image.open(io.BytesIO(base64.b64decode(output.data["image/png"])))
            yield _greyed(drawn), output.metadata.get("image/png", {}).get("alt", "")


def _greyed(drawn: Image.Image) -> bytes:
    """Return the figure smaller, lighter and without colours."""
    grey = drawn.convert("L").resize((drawn.width // _TIMES, drawn.height // _TIMES), Image.Resampling.LANCZOS)
    light = grey.point([_DARKEST + level * (255 - _DARKEST) // 255 for level in range(256)])
    buffer = io.BytesIO()
    light.save(buffer, format="webp", quality=_QUALITY, method=6)
    return buffer.getvalue()
