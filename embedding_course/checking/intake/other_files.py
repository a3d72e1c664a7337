"""Tell what a file is that has a notebook's name but is not one: a web page, a link, an archive, a platform's message."""

import re
from typing import Any

_ITSELF = "hand in the notebook itself (.ipynb)"
_RAW = 'on GitHub press "Download raw file"'
_COLAB = "in Colab choose File, Download, Download .ipynb"

#: How files of other kinds begin.
_BEGINNINGS: dict[bytes, str] = {
    b"PK\x03\x04": "a zip archive", b"PK\x05\x06": "an empty zip archive", b"\x1f\x8b": "compressed with gzip",
    b"BZh": "compressed with bzip2", b"\xfd7zXZ\0": "compressed with xz", b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!": "a RAR archive", b"%PDF": "a PDF", b"\x89PNG": "a picture (PNG)", b"\xff\xd8\xff": "a picture (JPEG)",
    b"GIF8": "a picture (GIF)", b"\xd0\xcf\x11\xe0": "a document of Microsoft Office", b"bplist": "a list of macOS",
    b"\0\x05\x16\x07": "a companion file of macOS (._…)",
}  # fmt: skip
_SCRIPT = re.compile(r"(?:#!.*python|# %%|# -\*-|import \w|from \w[\w.]* import |def \w+\(|\"\"\"|# In\[)")
_LINK = re.compile(r"https?://\S+$|\[InternetShortcut\]|\[Desktop Entry\]")
#: Keys under which platforms say what went wrong.
_MESSAGES = ("message", "error", "errors", "error_description", "detail", "reason", "title", "status")


def kind_of_bytes(content: bytes) -> str:
    """Return a clause that says what kind of binary file this is, or an empty string if it may be text."""
    for beginning, name in _BEGINNINGS.items():
        if content.startswith(beginning):
            return f"the file is not text, as a notebook is, but {name}; {_ITSELF}"
    return ""


def kind_of_text(text: str) -> str:
    """Return a clause that says what a text other than JSON is, or an empty string if that is not known."""
    head = text[:2_000].lower()
    if head.startswith("<") and not head.startswith("<<<<<<<"):
        return _page(text)
    if head.startswith("version https://git-lfs"):
        return f"the file is only the pointer of Git LFS to a notebook: run `git lfs pull`, then {_ITSELF}"
    if _LINK.match(text):
        return f"the file is only a link, which leads others nowhere; {_ITSELF}"
    if head.startswith("---\njupyt") or head.startswith("---\r\njupyt") or "\njupytext:" in head:
        return f"the file is a notebook as jupytext writes it in text: run `jupytext --to ipynb`, then {_ITSELF}"
    if _SCRIPT.match(text):
        return f"the file is a Python script and not a notebook: paste its answers into the notebook, then {_ITSELF}"
    if head.startswith(("{'", '{"')) and re.search(r"'cells': \[|'cell_type': '", text):
        return f"the file holds a notebook as Python prints it, which is no JSON: write it with json.dump, or {_ITSELF}"
    if not head.startswith(("{", "[", '"')):
        return f"the file is not a notebook but other text (it begins with {_shown(text)}); {_ITSELF}"
    return ""


def _page(text: str) -> str:
    head = text[:20_000].lower()
    if "jp-notebook" in head or "nbconvert" in head or "jp-cell" in text[:400_000].lower():
        return f"the file is a notebook exported as HTML, from which no answers are read; {_ITSELF}"
    if head.startswith("<?xml") and "<html" not in head:
        return f"the file is XML and not a notebook; {_ITSELF}"
    if "github" in head:
        return f"the file is a web page of GitHub and not the notebook: {_RAW}, then hand that file in"
    if "colab" in head:
        return f"the file is a web page of Colab and not the notebook: {_COLAB}, then hand that file in"
    return f"the file is a web page (HTML) and not the notebook: {_RAW}, {_COLAB}, then hand that file in"


def kind_of_value(value: Any) -> str:
    """Return a clause that says why a JSON value is not a notebook, or an empty string if it has cells."""
    if not isinstance(value, dict):
        return f"the file is JSON but not a notebook: it has no cells; {_ITSELF}"
    if value.keys() & {"cells", "worksheets"}:
        return ""
    if value.keys() & {"doc_id", "resource_id"} or (value.keys() & {"url"} and len(value) < 4):
        return f"the file is only a link into a cloud drive, which leads others nowhere; download the notebook, then {_ITSELF}"
    if "paragraphs" in value:
        return f"the file is a notebook of Zeppelin: export it as .ipynb, then {_ITSELF}"
    if "commands" in value:
        return f"the file is a notebook of Databricks: export it as IPython notebook (.ipynb), then {_ITSELF}"
    said = next((value[key] for key in _MESSAGES if value.get(key)), None)
    if said is not None:
        while isinstance(said, dict | list) and said:  # as in {"error": {"message": …}}
            said = said[0] if isinstance(said, list) else next((said[key] for key in _MESSAGES if said.get(key)), None)
        message = f" ({_shown(said)})" if isinstance(said, str) else ""
        return f"the file is not a notebook but a message of a platform{message}; download the notebook again, then hand it in"
    return f"the file is JSON but not a notebook: it has no cells; {_ITSELF}"


def _shown(text: str) -> str:
    """Return the beginning of a text on one line, in quotation marks, with question marks for unprintable characters."""
    line = " ".join(text[:200].split())[:60]
    return f"“{''.join(letter if letter.isprintable() else '?' for letter in line)}”"
