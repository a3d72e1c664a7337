"""Provide `submit`: examine a notebook and write a file to hand in, with a receipt. Earlier files are kept."""

import json
import time
from dataclasses import dataclass
from html import escape
from pathlib import Path

from ..checking.render import Panel, show_panel, show_text
from ..checking.result import number
from ..files import atomic_write, learners_folder
from ..messages import Message, as_text
from ..subject.errors import CourseError
from .doctor.examine import examine, live_names
from .doctor.report import Report, panel
from .doctor.saved import NotOpen, Saved, find, read
from .doctor.steps_shown import steps_shown
from .receipt import Receipt, code_of, notebook_digest, stamped, verify

_FOLDER = "submissions"


@dataclass(frozen=True)
class SubmittedFile:
    """Hold a file that was written to be handed in. `new` is false if the same file had been written before."""

    path: Path
    receipt: Receipt
    new: bool = True


def submit(notebook: str | Path | None = None) -> None:
    """Examine the saved notebook, and write it with a receipt into a new folder in `submissions/`.

    Parameters
    ----------
    notebook
        A file or a number such as "03"; by default the open notebook.

    Raises
    ------
    CourseError
        If it is no notebook of the course.

    Examples
    --------
    >>> submit("03")  # doctest: +SKIP
    Hand in submissions/03_max_norm/20261121-145810Z/03_max_norm.ipynb
    """
    try:
        with steps_shown(notebook) as tell:
            saved = find(notebook)
            report = examine(saved, live_names() if notebook is None else None, tell)
    except NotOpen as error:
        show_text(error)
        return
    show_panel(panel(report, written=report.ready))
    show_panel(submission_panel(write(saved, report), report))


def write(saved: Saved, report: Report) -> SubmittedFile:
    """Write the file to hand in. No file is overwritten, and the same content is not written twice.

    Raises
    ------
    CourseError
        If the disk refuses.
    """
    folder = learners_folder(saved.path) / _FOLDER / saved.lesson.topic
    last = newest(folder)
    if last is not None and last.receipt.notebook == notebook_digest(saved.tree):
        return SubmittedFile(last.path, last.receipt, new=False)
    now = time.gmtime()
    tree, receipt = stamped(saved.tree, report, time.strftime("%Y-%m-%dT%H:%M:%SZ", now))
    body = (json.dumps(tree, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogatepass")
    try:
        path = _new_folder(folder, time.strftime("%Y%m%d-%H%M%SZ", now)) / f"{saved.lesson.topic}.ipynb"
        atomic_write(path, body)
    except OSError as error:
        message = Message("Nothing could be written into {folder} ({reason}): make room, then try again.", folder=folder)
        raise CourseError(message.fill(reason=error.strerror)) from None
    return SubmittedFile(path, receipt)


def newest(folder: Path) -> SubmittedFile | None:
    """Return the last file written for one notebook; files that no longer match their receipts are ignored."""
    for path in sorted(folder.glob("*/*.ipynb"), reverse=True):
        try:
            verified = verify(read(path, folder.name).tree)
        except CourseError:
            continue
        if verified.receipt is not None and verified.whole:
            return SubmittedFile(path, verified.receipt)
    return None


def _new_folder(folder: Path, name: str) -> Path:
    """Create and return a new folder; a number is added if two are made in the same second."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 1
    while True:
        new_folder = folder / (name if count == 1 else f"{name}-{count}")
        try:
            new_folder.mkdir()
            return new_folder
        except FileExistsError:
            count += 1


def submission_panel(submission: SubmittedFile, report: Report) -> Panel:
    """Return the message for the learner: which file, its code, and what the code is for."""
    receipt = submission.receipt
    head = Message("Hand in {file}") if submission.new else Message("Nothing has changed; this was written before: {file}")
    claims = Message(
        "{score} of {maximum} points in public cases, {time} by this machine's clock. Receipt {code}.",
        score=number(receipt.score),
        maximum=number(receipt.max_score),
        time=receipt.time,
        code=code_of(receipt),
    )
    warning = Message("It was written as it stands: what is marked above costs points.")
    messages = [
        as_text([claims] if report.ready else [warning, claims]),
        Message("Nothing was sent: hand the file in as your class does. Saving it again in an editor would spoil the receipt."),
        Message(
            "If you can, send the receipt's code before the deadline: it shows your instructor that this file existed by then."
        ),
    ]
    title, lines = str(head.fill(file=submission.path)), [str(message) for message in messages]
    html = f"<p><strong>{escape(title)}</strong><br>" + "<br>".join(map(escape, lines)) + "</p>"
    return Panel("\n".join([title, *(f"  {line}" for line in lines)]), html)
