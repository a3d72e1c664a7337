"""What says which course is in use: the names of its `subject.toml`. All else serves any course: lessons, exercises and their
catalogues are data (`exercises/`, `solutions/`)."""

from __future__ import annotations

from ..course_in_use import course

__all__ = ["COURSE_ID", "DISTRIBUTION", "TITLE"]

#: What people call the course.
TITLE = course().subject.title
#: What nbgrader's exchange and gradebook call it.
COURSE_ID = course().subject.course_id
#: The package that learners install, and the folder of a release.
DISTRIBUTION = course().subject.distribution
