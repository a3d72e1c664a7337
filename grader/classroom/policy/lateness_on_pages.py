"""What a feedback page says of lateness: raw score, penalty, final score."""

from datetime import UTC
from typing import Any

import nbformat
from nbformat.notebooknode import NotebookNode
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.preprocessors import NbGraderPreprocessor

from embedding_course.checking.result import number

from .lateness import duration


class TellLateness(NbGraderPreprocessor):
    """Puts a paragraph at the head of the page of a submission that came after its deadline."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        facts = resources["nbgrader"]
        with Gradebook(facts["db_url"]) as book:
            try:
                said = _sentence(book.find_submission(facts["assignment"], facts["student"]))
            except MissingEntry:
                said = ""
        if said:
            nb.cells.insert(0, nbformat.v4.new_markdown_cell(said, id="about-lateness"))
        return nb, resources


def _sentence(submission: Any) -> str:
    penalty = submission.late_submission_penalty or 0.0
    if submission.total_seconds_late <= 0 or not penalty:
        return ""
    due = submission.duedate.replace(tzinfo=UTC)
    late = duration(submission.timestamp - submission.duedate)
    longer = ", with the extension" if submission.extension else ""
    final = max(0.0, submission.score - penalty)
    return (
        f"**Handed in late:** {late} after {due:%Y-%m-%d %H:%M} UTC{longer}. Earned {number(submission.score)} of "
        f"{number(submission.max_score)} points, taken off {number(penalty)}, which leaves {number(final)}."
    )
