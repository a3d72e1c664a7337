"""Put our pages where `nbgrader fetch_feedback` finds them: in nbgrader's exchange, under the secret of each submission."""

import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.utils import temp_attrs

from ..classroom import records
from ..classroom.class_folder import Classroom, Submission
from ..classroom.collect.store_files import SECRET
from ..classroom.exchange.settings import ExchangeSettings
from ..submission.plain_file import read_plain
from .page import without_term_link

#: What the exchange leaves beside a submission.
_LEFT = ("submission_secret.txt", "timestamp.txt")


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases what can be fetched and names the rest. ExchangeError when nothing can be fetched.

    Set as `ExchangeFactory.release_feedback` by `grader.marking.nbgrader_plugin.configure`.
    """

    def copy_files(self) -> None:
        """Copy the pages that students can fetch, and log a warning for each that did not come through the exchange.

        Raises
        ------
        ExchangeError
            If there are pages and no student could fetch any of them.
        """
        course: Any = self.coursedir
        pattern = course.format_path(course.feedback_directory, course.student_id or "*", course.assignment_id)
        folders = sorted({Path(page).parent for page in glob(f"{pattern}/*.html")})  # noqa: PTH207 - `pattern` is a whole path with wildcards
        without = [folder for folder in folders if not all((folder / name).is_file() for name in _LEFT)]
        if without and without == folders:
            self.fail(
                "Nothing was released: no submission came through nbgrader's exchange,"
                "\n  so no student could fetch feedback from it."
                f"\n  The pages are in {without[0].parent.parent}: hand them out in the way in which the submissions came."
            )
        for folder in without:
            self.log.warning(
                "%s: not released, it did not come through nbgrader's exchange;\n  hand out %s yourself.",
                folder.parent.name,
                Path(*folder.parts[-3:]),
            )
        left_out = ",".join(filter(None, [course.student_id_exclude, *(folder.parent.name for folder in without)]))
        with temp_attrs(course, student_id_exclude=left_out):
            super().copy_files()


_SECRET = re.compile(r"[0-9A-Za-z_-]{16,200}")


@dataclass
class Released:
    """How many pages can be fetched now, and a sentence for each that cannot."""

    count: int = 0
    left: list[str] = field(default_factory=list)


def release_pages(settings: ExchangeSettings, classroom: Classroom, pages: Sequence[Path]) -> Released:
    """Release `feedback/{student}/{notebook}/{notebook}.html` through nbgrader's exchange.

    A released page is named by a checksum of the submission's secret, which its student has too.

    Not released are pages of submissions that did not come through the exchange, and of those that were handed in anew since
    they were graded: the page is about the earlier file, and would be shown for the later one.

    Parameters
    ----------
    settings : ExchangeSettings
    classroom : Classroom
    pages : sequence of Path
        Paths of the pages.

    Raises
    ------
    NoExchange
        If the exchange cannot be written.
    """
    released = Released()
    secrets = {page: _secret(classroom, _whose(classroom, page), released.left) for page in pages}
    shared = {secret for secret, count in Counter(_named(secrets)).items() if count > 1}
    for topic in sorted({page.parent.name for page in pages}):
        ready = {page: secret for page, secret in secrets.items() if secret and page.parent.name == topic}
        for page in [page for page, secret in ready.items() if (topic, secret) in shared]:
            del ready[page]  # one page would take the place of the other
            released.left.append(f"{_whose(classroom, page).student}, {topic}: another submission has the same secret")
        if ready:
            _release(settings, topic, ready)
            released.count += len(ready)
    return released


def _whose(classroom: Classroom, page: Path) -> Submission:
    student, topic = page.parent.parent.name, page.parent.name
    return Submission(student, topic, classroom.submitted / student / topic)


def _named(secrets: dict[Path, str]) -> list[tuple[str, str]]:
    return [(page.parent.name, secret) for page, secret in secrets.items() if secret]


def _secret(classroom: Classroom, submission: Submission, left: list[str]) -> str:
    """Return the secret under which this page may be released; empty where it may not, and `left` says why."""
    try:
        secret = read_plain(submission.folder / SECRET, 1000).decode("ascii")
    except (OSError, UnicodeDecodeError):
        secret = ""
    if not _SECRET.fullmatch(secret):
        left.append(
            f"{submission.student}, {submission.topic}: it did not come through nbgrader's exchange; hand the page out yourself"
        )
        return ""
    record = records.load(classroom.home, submission.topic, submission.student)
    if record is None or record.submission != records.digest(submission.path):
        left.append(f"{submission.student}, {submission.topic}: handed in anew since it was graded; grader grade comes first")
        return ""
    return secret


def _release(settings: ExchangeSettings, topic: str, ready: dict[Path, str]) -> None:
    """Release pages with nbgrader's own converter, from a folder in which numbers stand for students.

    Names of students may contain characters that the converter reads as patterns.
    """
    with tempfile.TemporaryDirectory(prefix="feedback-") as root:
        for number, (page, secret) in enumerate(ready.items()):
            folder = Path(root, "feedback", str(number), topic)
            folder.mkdir(parents=True)
            copy = folder / page.name
            copy.write_bytes(without_term_link(page.read_bytes()))
            copy.chmod(0o644)  # everybody who knows its name can read it, but the folder cannot be listed
            (folder / "timestamp.txt").write_text("", encoding="ascii")
            (folder / SECRET).write_text(secret, encoding="ascii")
        settings.run(ReleaseFeedback, topic, root=root, feedback_directory="feedback", student_id_exclude="")
