"""Pictures that the README shows: taken by tests from the real thing, and held to what they show.

Each PNG carries the words that were to be read when it was taken, in a text chunk `Shows`. The test that takes it compares
these words with those of today. `EMBEDDING_COURSE_UPDATE_PICTURES=1` takes the pictures anew instead.
"""

import io
import os
from pathlib import Path

from PIL import Image, PngImagePlugin

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "img"
_UPDATE = os.environ.get("EMBEDDING_COURSE_UPDATE_PICTURES") == "1"


def in_step(name: str, picture: bytes, words: str) -> None:
    """Hold docs/img/`name` to the words that are seen now; or take it anew where the environment asks for that."""
    path, shown_words = FOLDER / name, " ".join(words.split())
    if _UPDATE:
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = PngImagePlugin.PngInfo()
        kept.add_itxt("Shows", shown_words)
        with Image.open(io.BytesIO(picture)) as taken:
            few = taken.convert("RGB").quantize(48, dither=Image.Dither.NONE)
        few.save(path, optimize=True, pnginfo=kept)
    assert shown_by(path) == shown_words, f"docs/img/{name} shows other words: EMBEDDING_COURSE_UPDATE_PICTURES=1 takes it anew"


def shown_by(path: Path) -> str:
    """The words that were to be read when a picture was taken."""
    with Image.open(path) as picture:
        picture.load()
        return str(picture.info.get("Shows", ""))
