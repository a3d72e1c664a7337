"""Words of figures are templates that are looked up: none is put together from pieces, where no translator would find it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from embedding_course import plot

_WORDS = re.compile(r"[^\W\d_]{3}")
#: Markup, keys of recorded numbers, and names of code.
_OTHER = re.compile(r"<\w|\w=\"|rgba|, padded$|, parameters$")
_TEXTS = {"set_title": 0, "set_xlabel": 0, "set_ylabel": 0, "annotate": 0, "text": 2, "suptitle": 0, "end_label": 1}
#: Code and names, which are the same in every language.
_CODE = {"recall@1", "GloVe"}


def _without_look_up(tree: ast.Module) -> Iterator[ast.expr]:
    raised = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in raised:
            words = "".join(part.value for part in node.values if isinstance(part, ast.Constant))
            if _WORDS.search(words) and not _OTHER.search(words):
                yield node
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            texts = [keyword.value for keyword in node.keywords if keyword.arg in ("xlabel", "ylabel", "title", "label")]
            texts += node.args[_TEXTS[name] :][:1] if name in _TEXTS else []
            for text in texts:
                if isinstance(text, ast.Constant) and _WORDS.search(str(text.value)) and text.value not in _CODE:
                    yield text


@pytest.mark.parametrize("path", sorted(Path(plot.__file__).parent.rglob("*.py")), ids=lambda path: path.stem)
def test_words_are_looked_up(path: Path) -> None:
    found = [ast.unparse(node) for node in _without_look_up(ast.parse(path.read_text(encoding="utf-8")))]
    assert not found, found
