"""A folder of pages for tests: handed out on loopback, its links followed, its words as a reader sees them."""

import contextlib
import functools
import re
import threading
from collections.abc import Iterator
from html import unescape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from tests.support.pages import tags


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextlib.contextmanager
def handed_out(folder: Path) -> Iterator[str]:
    """The address at which the folder's files are found."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def broken_links(folder: Path) -> list[str]:
    """Links, scripts and pictures of the pages that lead to no file here, or to no place in it; and those that a page would
    fetch from elsewhere by itself."""
    tags_by_page = {path: tags(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}
    ids = {
        page: {element_attributes["id"] for _, element_attributes in inside if "id" in element_attributes}
        for page, inside in tags_by_page.items()
    }
    return [
        f"{page.relative_to(folder)}: {value}"
        for page, inside in tags_by_page.items()
        for tag, attributes in inside
        for name, value in attributes.items()
        if name in ("href", "src") and not _leads(page, tag, value, folder, ids)
    ]


def _leads(page: Path, tag: str, value: str, folder: Path, ids: dict[Path, set[str]]) -> bool:
    if urlsplit(value).scheme:
        return (tag == "a" and not value.startswith("file:")) or value.startswith("data:image/")
    address, fragment = urldefrag(urljoin(f"/{page.relative_to(folder).as_posix()}", value))
    there = folder / unquote(urlsplit(address).path).lstrip("/")
    if there.is_dir():
        there /= "index.html"
    return there.is_file() and (not fragment or there not in ids or unquote(fragment) in ids[there])


def pictures_without_words(folder: Path) -> list[str]:
    """Pictures that tell nothing to whoever cannot see them."""
    silent_pictures = []
    for page in sorted(folder.rglob("*.html")):
        for tag, attributes in tags(page.read_text(encoding="utf-8")):
            silent = tag == "img" and not attributes.get("alt", "").strip()
            drawing = tag == "svg" and attributes.get("role") == "img" and not attributes.get("aria-label", "").strip()
            silent_pictures += [f"{page.relative_to(folder)}: {attributes}"] if silent or drawing else []
    return silent_pictures


def words(page: str) -> str:
    """A page as text, code without its colours."""
    return unescape(re.sub(r"<[^>]*>", "", page))
