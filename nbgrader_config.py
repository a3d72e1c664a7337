"""nbgrader's configuration: `nbgrader autograde`, formgrader and the rest mark with the course's own grader."""

from pathlib import Path

from grader.marking.nbgrader_plugin import configure

configure(get_config(), Path(__file__).parent)  # noqa: F821 - given by traitlets
