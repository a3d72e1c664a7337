"""What says which course this is. All else serves any course: lessons, exercises and their catalogues are data (`lessons.py`,
`exercises/`, `solutions/`)."""

from __future__ import annotations

__all__ = ["COURSE_ID", "DISTRIBUTION", "TITLE"]

#: What people call the course.
TITLE = "Embeddings"
#: What nbgrader's exchange and gradebook call it.
COURSE_ID = "embeddings"
#: The package that learners install, and the folder of a release.
DISTRIBUTION = "embedding-course"
