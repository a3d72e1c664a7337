"""Pack feedback pages for handing back: plainly, or under the names by which Moodle and Canvas know whose they are."""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath

from embedding_course.files import atomic_write

from ..classroom.class_folder import Classroom
from ..classroom.collect.layouts import CANVAS_NAME, MOODLE_NAME
from ..classroom.collect.store_files import CAME_AS
from ..submission.plain_file import read_plain
from .page import TERM_PAGE, without_term_link


@dataclass
class Packed:
    """An archive: where it is, how many pages are in it, and a sentence for each that is not."""

    path: Path
    count: int = 0
    left: list[str] = field(default_factory=list)


def pack_pages(classroom: Classroom, topic: str, kind: str, pages: Sequence[Path]) -> Packed:
    """Write `feedback/{topic}_{kind}.zip`, or `feedback/term_{kind}.zip` for pages with the grade of the term.

    Parameters
    ----------
    classroom : Classroom
    topic : str
        Name of the notebook.
    kind : str
        "plain" for {student}.html, "moodle" for what "Upload multiple feedback files in a zip" takes, "canvas" for what "Upload
        submissions" takes. Moodle and Canvas know a student by the name under which their own archive brought the submission.
    pages : sequence of Path
        Paths of the pages: those of the notebook, or those with the grade of the term, which are handed back under the names of
        the notebook's submissions.
    """
    terms = bool(pages) and pages[0].name == TERM_PAGE
    title = "term" if terms else topic
    packed = Packed(classroom.home / "feedback" / f"{title}_{kind}.zip")
    body = BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        for page in pages:
            student = page.parent.name if terms else page.parent.parent.name
            name = f"{student}.html" if kind == "plain" else _name(classroom, student, topic, kind, title)
            if name is None:
                packed.left.append(f"{student}: the submission did not come in an archive of {kind.title()}'s")
                continue
            archive.writestr(name, without_term_link(page.read_bytes()))
            packed.count += 1
    atomic_write(packed.path, body.getvalue(), 0o600)
    return packed


def _name(classroom: Classroom, student: str, topic: str, kind: str, title: str) -> str | None:
    """Return the name of a page with this title in a platform's archive; None where the submission did not come from there."""
    try:
        came_as = PurePosixPath(read_plain(classroom.submitted / student / topic / CAME_AS, 1000).decode("utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    known = MOODLE_NAME if kind == "moodle" else CANVAS_NAME
    for depth, word in enumerate(came_as.parts):
        match = known.fullmatch(word)
        if match and kind == "canvas":
            return f"{match['name']}{match['late'] or ''}_{match['user']}_{match['upload']}_{title}_feedback.html"
        if match:
            person = f"{match['name']}_{match['number']}_assignsubmission_file_"
            return f"{person}/{title}_feedback.html" if depth < len(came_as.parts) - 1 else f"{person}{title}_feedback.html"
    return None
