"""Files as PyCharm, Colab, VS Code, git, browsers and platforms leave them.

The grader and `doctor` mend what is clear, and name the rest by what it is.
"""

import base64
import json
import re
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from embedding_course.checking.intake.cells import text_of
from embedding_course.checking.intake.notebook_file import NotANotebook, notebook_tree
from embedding_course.learner.doctor.saved import read
from embedding_course.subject.errors import CourseError
from grader.submission.read import Unreadable, notebook_of, read_notebook
from grader.submission.rebuild import rebuild, runnable, written
from tests.redteam.honest import TOPIC
from tests.support.classes import blank, perfect
from tests.support.paths import REAL_WORLD

INPUTS = REAL_WORLD / "s15_odd_json" / "submitted.tgz"
CELL = {"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": []}
Tree = dict[str, Any]


def tree_of_perfect() -> Tree:
    return json.loads(nbformat.writes(perfect()))


def test_every_real_input_is_read_like_the_plain_one_or_named(tmp_path: Path) -> None:
    with tarfile.open(INPUTS) as archive:
        archive.extractall(tmp_path, filter="data")
    files = {path.parts[-3]: path for path in tmp_path.rglob("*.ipynb")}
    page = files.pop("html_page")
    with pytest.raises(Unreadable, match="is a web page"):
        read_notebook(page)
    with pytest.raises(CourseError, match="is a web page"):
        read(page)
    plain = rebuild(blank(), read_notebook(files["plain"]), TOPIC)
    assert len(files) > 20 and all(written(plain).values())
    for name, path in files.items():
        rebuilt = rebuild(blank(), read_notebook(path), TOPIC)
        assert runnable(rebuilt) == runnable(plain) and written(rebuilt) == written(plain), name
        assert [cell.source for cell in read(path).cells] == [cell.source for cell in read_notebook(path).cells], name


def spoilt(change: Callable[[Tree], object]) -> bytes:
    tree = tree_of_perfect()
    change(tree)
    return json.dumps(tree).encode()


def in_two_versions(*, alike: bool = True) -> bytes:
    """What git leaves in a file whose first cell differs on two sides."""
    lines = json.dumps(tree_of_perfect(), indent=1).split("\n")
    first = next(at for at, line in enumerate(lines) if '"execution_count"' in line)
    theirs = lines[first].replace("null", "7") if alike else '   "cell_type": "raw", "execution_count": 1,'
    marked = ["<<<<<<< HEAD", lines[first], "=======", theirs, ">>>>>>> theirs"]
    return "\n".join([*lines[:first], *marked, *lines[first + 1 :]]).encode()


def cells(change: Callable[[Tree], object]) -> Callable[[Tree], None]:
    def all_of_them(tree: Tree) -> None:
        for cell in tree["cells"]:
            change(cell)

    return all_of_them


def some_ends(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    return [line if line == "\n" or index % 2 else line.removesuffix("\n") for index, line in enumerate(lines)]


def as_vs_code_holds_it(cell: Tree) -> None:
    kind, source = cell["cell_type"], text_of(cell)
    for key in ("cell_type", "source", "outputs"):
        cell.pop(key, None)
    cell.update(kind=2 if kind == "code" else 1, language="python", value=source)


MENDED: dict[str, bytes] = {
    "version as text": spoilt(lambda tree: tree.update(nbformat="4", nbformat_minor="5")),
    "version 5": spoilt(lambda tree: tree.update(nbformat=5)),
    "version missing": spoilt(lambda tree: [tree.pop(key) for key in ("nbformat", "nbformat_minor")]),
    "everything beside the source null": spoilt(cells(lambda cell: cell.update(metadata=None, outputs=None, id=None))),
    "nulls among the lines": spoilt(cells(lambda cell: cell.update(source=[None, *text_of(cell).splitlines(True), None]))),
    "lines with ends and without": spoilt(cells(lambda cell: cell.update(source=some_ends(text_of(cell))))),
    "kinds of VS Code": spoilt(cells(as_vs_code_holds_it)),
    "types in capitals": spoilt(cells(lambda cell: cell.update(cell_type=cell["cell_type"].title()))),
    "a sheet": spoilt(lambda tree: tree.update(nbformat=3, worksheets=[{"cells": tree.pop("cells")}])),
    "nulls and texts among the cells": spoilt(lambda tree: tree["cells"].extend([None, 3, "a remark"])),
    "the list of cells alone": json.dumps(tree_of_perfect()["cells"]).encode(),
    "an envelope": json.dumps({"name": "x", "content": tree_of_perfect(), "format": "json"}).encode(),
    "an envelope of Colab": json.dumps({"ipynb": tree_of_perfect()}).encode(),
    "written twice": json.dumps(json.dumps(tree_of_perfect())).encode(),
    "GitHub's interface": json.dumps(
        {"name": "03.ipynb", "encoding": "base64", "content": base64.encodebytes(spoilt(lambda tree: None)).decode()}
    ).encode(),
    "two marks at the beginning": b"\xef\xbb\xbf\xef\xbb\xbf" + spoilt(lambda tree: None),
    "UTF-16 without a mark": spoilt(lambda tree: None).decode().encode("utf-16-le"),
    "UTF-32": spoilt(lambda tree: None).decode().encode("utf-32"),
    "commas too many": json.dumps(tree_of_perfect(), indent=1).replace("\n  }\n", "\n  },\n").replace("\n ]", ",\n ]").encode(),
    "a comma missing between cells": json.dumps(tree_of_perfect(), indent=1).replace("\n  },\n  {", "\n  }\n  {").encode(),
    "the end of an older file": spoilt(lambda tree: None) + b'\n "nbformat": 4\n}\n',
    "both sides of a merge alike": in_two_versions(),
    "raw ends of lines in texts": re.sub(rb"(?<!\\)\\n", b"\n", spoilt(lambda tree: None)),
}


@pytest.mark.parametrize("content", MENDED.values(), ids=MENDED.keys())
def test_what_is_clear_is_mended(content: bytes) -> None:
    plain, mended = rebuild(blank(), perfect(), TOPIC), rebuild(blank(), notebook_of(content), TOPIC)
    assert runnable(mended) == runnable(plain) and written(mended) == written(plain)
    assert notebook_tree(json.dumps(notebook_tree(content)).encode()) == notebook_tree(content), "mended once is mended"


NAMED: dict[bytes, str] = {
    b"": "is empty",
    b" \n\0\0": "is empty",
    b"PK\x03\x04....": "a zip archive",
    b"%PDF-1.7": "a PDF",
    b"\x89PNG\r\n\x1a\n": "a picture",
    b"<!DOCTYPE html><title>a/b at main - GitHub</title>": "Download raw file",
    b"\n<html><script src='https://colab.research.google.com/x.js'>": "Download .ipynb",
    b"<html><body class='jp-Notebook'>": "exported as HTML",
    b"<html><title>Sign in</title>": "a web page",
    b'{"message": "Not Found", "documentation_url": "x"}': "message of a platform .“Not Found”.",
    b'{"error": {"code": 403, "message": "rate\\u001b[31m limit"}}': "“rate.+limit”",
    b'{"detail": "Authentication credentials were not provided."}': "message of a platform",
    b'{"url": "https://drive", "doc_id": "1", "email": "a@b"}': "only a link",
    b"https://colab.research.google.com/drive/1": "only a link",
    b"version https://git-lfs.github.com/spec/v1\noid sha256:1": "git lfs pull",
    b"import torch\n\ndef renorm_rows(): pass": "a Python script",
    b'"""My answers."""\nimport torch\n': "Python script",
    b"---\njupyter:\n  jupytext:\n": "jupytext --to ipynb",
    b"{'cells': [{'cell_type': 'code', 'source': None}]}": "json.dump",
    b"Dear Sir or Madam, here is my notebook": "other text .it begins with",
    b"[1, 2]": "has no cells",
    b"{}": "has no cells",
    b'{"cells": null}': "has no cells",
    b'{"paragraphs": []}': "Zeppelin",
    b'{"cells": 1, "nbformat": 4}': "has no cells",
    b"[" * 100_000: "nested too deeply",
    b'{"a": ' * 100_000: "nested too deeply",
    b'{"cells": [}': "is no JSON",
    spoilt(lambda tree: None)[:3000]: "ends in the middle",
    spoilt(lambda tree: None)[:-1]: "ends in the middle",
    spoilt(lambda tree: None) * 2: "more than one notebook",
    in_two_versions(alike=False): "unfinished merge of git .the marks begin in line",
}


@pytest.mark.parametrize(("content", "message"), NAMED.items(), ids=range(len(NAMED)))
def test_what_is_no_notebook_is_named_in_one_sentence(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=message) as raised:
        notebook_of(content)
    words = str(raised.value)
    assert words.startswith("the file ") and words.isprintable() and len(words) < 260
    path = tmp_path / "mine.ipynb"
    path.write_bytes(content)
    with pytest.raises(CourseError) as read_error:
        read(path)
    assert str(read_error.value) == f"{path}: {words}."


def test_every_beginning_of_a_notebook_is_said_to_be_cut_off() -> None:
    whole = json.dumps(
        {"cells": [CELL], "metadata": {"x": [1.5, -1, True, False, None, "é", 2e-7]}, "nbformat": 4, "nbformat_minor": 5}
    ).encode()
    for length in range(1, len(whole)):
        with pytest.raises(NotANotebook, match="ends in the middle"):
            notebook_tree(whole[:length])


def test_windows_bytes_are_read_as_windows_wrote_them() -> None:
    tree = {"cells": [{"cell_type": "code", "source": "# groß – naïve\nx = 'ü'"}], "nbformat": 4}
    content = json.dumps(tree, ensure_ascii=False).encode("cp1252")
    assert notebook_of(content).cells[0].source == "# groß – naïve\nx = 'ü'"


def test_a_right_file_stays_the_very_same() -> None:
    tree = tree_of_perfect()
    assert notebook_tree(json.dumps(tree).encode()) == tree, "a receipt is held against the whole file"
