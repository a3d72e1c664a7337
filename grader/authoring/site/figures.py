"""Pictures of a run as files beside the page, each with the words that stand for it."""

import base64
import hashlib
import re
from pathlib import Path

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_output

#: Where pictures lie, seen from the site's first page.
FOLDER = "figures"
_INLINE = re.compile(r'src="data:image/(png|webp|jpeg|gif);base64,([^"]+)"')
_TOLD = re.compile(r'alt="[^"\s][^"]*"')


def with_files(output: NotebookNode, home: Path, up: str) -> NotebookNode:
    """The output with its pictures written below `home`; `up` leads from the page to there, such as "../../".

    LookupError for a picture without words: whoever cannot see it is told nothing.
    """
    data = output.get("data", {})
    if "text/html" not in data:
        if any(kind.startswith("image/") for kind in data):
            raise LookupError("a picture without text that stands for it: show it with `finish(figure, alt=...)`")
        return output
    page = _INLINE.sub(lambda found: f'src="{_written(found[1], found[2], home, up)}"', data["text/html"])
    for picture in re.findall(r"<img[^>]*>", page):
        if not _TOLD.search(picture):
            raise LookupError(f"a picture without text that stands for it: {picture[:80]}")
    return new_output("display_data", {"text/html": page.replace("<img ", '<img loading="lazy" ')})


def _written(kind: str, text: str, home: Path, up: str) -> str:
    body = base64.b64decode(text)
    name = f"{hashlib.sha256(body).hexdigest()[:16]}.{kind}"
    (home / FOLDER).mkdir(parents=True, exist_ok=True)
    (home / FOLDER / name).write_bytes(body)
    return f"{up}{FOLDER}/{name}"
