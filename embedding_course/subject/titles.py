"""The names of the course in use, as its `subject.toml` gives them."""

from .course import course

#: What people call the course.
TITLE = course().subject.title
#: What nbgrader's exchange and gradebook call it.
COURSE_ID = course().subject.course_id
#: The package that learners install, and the folder of a release.
DISTRIBUTION = course().subject.distribution
