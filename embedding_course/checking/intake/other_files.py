"""Tell what a file is that has a notebook's name but is not one: a web page, a link, an archive, a platform's message."""

import re
from typing import Any

from ...messages import Message

_ITSELF = Message("hand in the notebook itself (.ipynb)")

#: How files of other kinds begin.
_BEGINNINGS: dict[bytes, Message] = {
    b"PK\x03\x04": Message("a zip archive"),
    b"PK\x05\x06": Message("an empty zip archive"),
    b"\x1f\x8b": Message("compressed with gzip"),
    b"BZh": Message("compressed with bzip2"),
    b"\xfd7zXZ\0": Message("compressed with xz"),
    b"7z\xbc\xaf\x27\x1c": Message("a 7z archive"),
    b"Rar!": Message("a RAR archive"),
    b"%PDF": Message("a PDF"),
    b"\x89PNG": Message("a picture (PNG)"),
    b"\xff\xd8\xff": Message("a picture (JPEG)"),
    b"GIF8": Message("a picture (GIF)"),
    b"\xd0\xcf\x11\xe0": Message("a document of Microsoft Office"),
    b"bplist": Message("a list of macOS"),
    b"\0\x05\x16\x07": Message("a companion file of macOS (._…)"),
}
_SCRIPT = re.compile(r"(?:#!.*python|# %%|# -\*-|import \w|from \w[\w.]* import |def \w+\(|\"\"\"|# In\[)")
_LINK = re.compile(r"https?://\S+$|\[InternetShortcut\]|\[Desktop Entry\]")
#: Keys under which platforms say what went wrong.
_MESSAGES = ("message", "error", "errors", "error_description", "detail", "reason", "title", "status")


def kind_of_bytes(content: bytes) -> Message | None:
    """Return a clause that says what kind of binary file this is, or None if it may be text."""
    for beginning, name in _BEGINNINGS.items():
        if content.startswith(beginning):
            return Message("the file is not text, as a notebook is, but {kind}; {step}", step=_ITSELF, kind=name)
    return None


def kind_of_text(text: str) -> Message | None:
    """Return a clause that says what a text other than JSON is, or None if that is not known."""
    head = text[:2_000].lower()
    if head.startswith("<") and not head.startswith("<<<<<<<"):
        return _page(text)
    if head.startswith("version https://git-lfs"):
        return Message("the file is only the pointer of Git LFS to a notebook: run `git lfs pull`, then {step}", step=_ITSELF)
    if _LINK.match(text):
        return Message("the file is only a link, which leads others nowhere; {step}", step=_ITSELF)
    if head.startswith("---\njupyt") or head.startswith("---\r\njupyt") or "\njupytext:" in head:
        return Message(
            "the file is a notebook as jupytext writes it in text: run `jupytext --to ipynb`, then {step}", step=_ITSELF
        )
    if _SCRIPT.match(text):
        return Message(
            "the file is a Python script and not a notebook: paste its answers into the notebook, then {step}", step=_ITSELF
        )
    if head.startswith(("{'", '{"')) and re.search(r"'cells': \[|'cell_type': '", text):
        return Message(
            "the file holds a notebook as Python prints it, which is no JSON: write it with json.dump, or {step}", step=_ITSELF
        )
    if not head.startswith(("{", "[", '"')):
        return Message(
            "the file is not a notebook but other text (it begins with {beginning}); {step}",
            step=_ITSELF,
            beginning=_shown(text),
        )
    return None


def _page(text: str) -> Message:
    head = text[:20_000].lower()
    if "jp-notebook" in head or "nbconvert" in head or "jp-cell" in text[:400_000].lower():
        return Message("the file is a notebook exported as HTML, from which no answers are read; {step}", step=_ITSELF)
    if head.startswith("<?xml") and "<html" not in head:
        return Message("the file is XML and not a notebook; {step}", step=_ITSELF)
    if "github" in head:
        return Message(
            'the file is a web page of GitHub and not the notebook: on GitHub press "Download raw file", then hand that file in'
        )
    if "colab" in head:
        return Message(
            "the file is a web page of Colab and not the notebook: in Colab choose File, Download, Download .ipynb, then hand "
            "that file in"
        )
    return Message(
        'the file is a web page (HTML) and not the notebook: on GitHub press "Download raw file", in Colab choose File, '
        "Download, Download .ipynb, then hand that file in"
    )


def kind_of_value(value: Any) -> Message | None:
    """Return a clause that says why a JSON value is not a notebook, or None if it has cells."""
    if not isinstance(value, dict):
        return Message("the file is JSON but not a notebook: it has no cells; {step}", step=_ITSELF)
    if value.keys() & {"cells", "worksheets"}:
        return None
    if value.keys() & {"doc_id", "resource_id"} or (value.keys() & {"url"} and len(value) < 4):
        return Message(
            "the file is only a link into a cloud drive, which leads others nowhere; download the notebook, then {step}",
            step=_ITSELF,
        )
    if "paragraphs" in value:
        return Message("the file is a notebook of Zeppelin: export it as .ipynb, then {step}", step=_ITSELF)
    if "commands" in value:
        return Message(
            "the file is a notebook of Databricks: export it as IPython notebook (.ipynb), then {step}", step=_ITSELF
        )
    content = next((value[key] for key in _MESSAGES if value.get(key)), None)
    if content is not None:
        while isinstance(content, dict | list) and content:  # as in {"error": {"message": …}}
            content = (
                content[0] if isinstance(content, list) else next((content[key] for key in _MESSAGES if content.get(key)), None)
            )
        if not isinstance(content, str):
            return Message(
                "the file is not a notebook but a message of a platform; download the notebook again, then hand it in"
            )
        message = Message(
            "the file is not a notebook but a message of a platform ({text}); download the notebook again, then hand it in"
        )
        return message.fill(text=_shown(content))
    return Message("the file is JSON but not a notebook: it has no cells; {step}", step=_ITSELF)


def _shown(text: str) -> str:
    """Return the beginning of a text on one line, in quotation marks, with question marks for unprintable characters."""
    line = " ".join(text[:200].split())[:60]
    return f"“{''.join(letter if letter.isprintable() else '?' for letter in line)}”"
