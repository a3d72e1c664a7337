"""`submit`: look a notebook over and write a file to hand in, with a receipt in it. Earlier files stay as they are."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..checking.render import Panel, show_panel
from ..checking.result import number
from ..files import atomic_write, learners_folder
from ..subject.errors import CourseError
from .doctor.examine import examine, live_names
from .doctor.report import Report, panel
from .doctor.saved import NotOpen, Saved, find, read
from .doctor.steps_shown import steps_shown
from .receipt import Receipt, code_of, notebook_digest, stamped, verify

__all__ = ["SubmittedFile", "newest", "said", "submit", "write"]

_FOLDER = "submissions"


@dataclass(frozen=True)
class SubmittedFile:
    """A file that was written to be handed in. `new` is false where the same had been written before."""

    path: Path
    receipt: Receipt
    new: bool = True


def submit(notebook: str | Path | None = None) -> None:
    """Look the saved notebook over, and write it with a receipt into `submissions/`, each time into a folder of its own.

    Without an argument it is the notebook that is open; else a file, or a number such as "03". CourseError when
    that is no notebook of the course.

    >>> submit("03")  # doctest: +SKIP
    Hand in submissions/03_max_norm/20261121-145810Z/03_max_norm.ipynb
    """
    try:
        with steps_shown(notebook) as tell:
            saved = find(notebook)
            report = examine(saved, live_names() if notebook is None else None, tell)
    except NotOpen as error:
        show_panel(Panel(str(error), f"<p>{error}</p>"))
        return
    show_panel(panel(report, written=report.ready))
    show_panel(said(write(saved, report), report))


def write(saved: Saved, report: Report) -> SubmittedFile:
    """Write the file to hand in. What was written before is never written over; the same file is not written twice.
    CourseError when the disk refuses."""
    folder = learners_folder(saved.path) / _FOLDER / saved.lesson.topic
    last = newest(folder)
    if last is not None and last.receipt.notebook == notebook_digest(saved.tree):
        return SubmittedFile(last.path, last.receipt, new=False)
    now = time.gmtime()
    tree, receipt = stamped(saved.tree, report, time.strftime("%Y-%m-%dT%H:%M:%SZ", now))
    body = (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")
    try:
        path = _fresh(folder, time.strftime("%Y%m%d-%H%M%SZ", now)) / f"{saved.lesson.topic}.ipynb"
        atomic_write(path, body)
    except OSError as error:
        raise CourseError(f"Nothing could be written into {folder} ({error.strerror}): make room, then try again.") from None
    return SubmittedFile(path, receipt)


def newest(folder: Path) -> SubmittedFile | None:
    """What was written last of one notebook; files that do not fit their receipts any more do not count."""
    for path in sorted(folder.glob("*/*.ipynb"), reverse=True):
        try:
            found = verify(read(path, folder.name).tree)
        except CourseError:
            continue
        if found.receipt is not None and found.whole:
            return SubmittedFile(path, found.receipt)
    return None


def _fresh(folder: Path, name: str) -> Path:
    """A folder that was not there before, numbered where two are made in one second."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 1
    while True:
        place = folder / (name if count == 1 else f"{name}-{count}")
        try:
            place.mkdir()
            return place
        except FileExistsError:
            count += 1


def said(submission: SubmittedFile, report: Report) -> Panel:
    """What the learner is told: which file, its code, and what the code is good for."""
    receipt = submission.receipt
    head = f"{'Hand in' if submission.new else 'Nothing has changed; this was written before:'} {submission.path}"
    state = "" if report.ready else "It was written as it stands: what is marked above costs points. "
    points = f"{number(receipt.score)} of {number(receipt.max_score)} points in public cases"
    lines = [
        f"{state}{points}, {receipt.time} by this machine's clock. Receipt {code_of(receipt)}.",
        "Nothing was sent: hand the file in as your class does. Saving it again in an editor would spoil the receipt.",
        "If you can, send the receipt's code before the deadline: whoever has it by then can tell that this file was there.",
    ]
    html = f"<p><strong>{escape(head)}</strong><br>" + "<br>".join(map(escape, lines)) + "</p>"
    return Panel("\n".join([head, *(f"  {line}" for line in lines)]), html)
