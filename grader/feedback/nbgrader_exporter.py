"""What `nbgrader generate_feedback` calls, so that it writes the same page as `grader feedback`."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from nbconvert.exporters import Exporter
from nbformat.notebooknode import NotebookNode

from ..classroom import records
from ..classroom.class_folder import Classroom
from ..classroom.policy.course import load_course
from .gradebook_marks import Marks, marks_of
from .nbgrader_page import FeedbackPage
from .write_pages import page_of


class CoursePage(FeedbackPage):
    """The course's own page where the class has a record of the submission, nbgrader's page where it has none."""

    def from_notebook_node(self, nb: NotebookNode, resources: Any = None, **settings: Any) -> tuple[str, Any]:
        """The page of the submission that `resources` speak of."""
        facts = (resources or {}).get("nbgrader", {})
        home = Path(str(self.config.CourseDirectory.root or "."))
        record = records.load(home, facts.get("assignment", ""), facts.get("student", ""))
        if record is None:
            return super().from_notebook_node(nb, resources, **settings)
        _, resources = Exporter.from_notebook_node(self, nb, resources)  # its preprocessors, without a page of its own
        marks = _marks(facts["db_url"], record.topic).get(record.student)
        return page_of(Classroom(home, facts["db_url"]), load_course(home), record, marks), resources


@lru_cache(maxsize=1)
def _marks(db_url: str, topic: str) -> dict[str, Marks]:
    return marks_of(db_url, topic) or {}
