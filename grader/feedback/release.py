"""Releasing feedback through nbgrader's exchange, where not every submission came through it.

The exchange gives each submission a secret, under which its student finds the feedback again. A file that came by other
ways has none, and nbgrader's own command ends there with a traceback, for the whole class.
"""

from glob import glob
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.utils import temp_attrs

#: What the exchange leaves beside a submission.
_LEFT = ("submission_secret.txt", "timestamp.txt")


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases what can be fetched and names the rest. ExchangeError when nothing can be fetched.

    Set as `ExchangeFactory.release_feedback` by `grader.marking.nbgrader_plugin.configure`.
    """

    def copy_files(self) -> None:
        course: Any = self.coursedir
        place = course.format_path(course.feedback_directory, course.student_id or "*", course.assignment_id)
        folders = sorted({Path(page).parent for page in glob(f"{place}/*.html")})  # noqa: PTH207 - the place holds stars
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
                folder.parent.name, Path(*folder.parts[-3:]),
            )  # fmt: skip
        left_out = ",".join(filter(None, [course.student_id_exclude, *(folder.parent.name for folder in without)]))
        with temp_attrs(course, student_id_exclude=left_out):
            super().copy_files()
