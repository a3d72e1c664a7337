"""The pages that `glossary` and `ledger` read: those of `docs/`, packed into the course's own package."""

from collections.abc import Callable
from pathlib import Path

from embedding_course.learner.glossary import GLOSSARY, LEDGER
from embedding_course.subject.course import course

from ..course_source.links import alone
from ..paths import ROOT

_OURS = "## Words of the house"


def packed_pages() -> dict[Path, bytes]:
    """Return what belongs into each page of the package, for those pages that this course has in `docs/`."""
    made: dict[str, Callable[[str], str]] = {GLOSSARY: _words_of_the_field, LEDGER: alone}
    return {
        course().home / name: change((ROOT / "docs" / name).read_text(encoding="utf-8")).encode()
        for name, change in made.items()
        if (ROOT / "docs" / name).exists()
    }


def _words_of_the_field(text: str) -> str:
    """Return the glossary without the words that are only ours."""
    return alone(text.partition(_OURS)[0].rstrip() + "\n")
