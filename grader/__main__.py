"""`python -m grader`: the instructor's command line."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from embedding_course.subject.course import VARIABLE, course
from embedding_course.subject.errors import CourseError


def _chosen(arguments: Sequence[str]) -> str | None:
    """Return what `--course` says in front of the command; None where it is not said.

    >>> _chosen(["--course", "../numpy-basics", "build"]), _chosen(["--course=other", "build"]), _chosen(["grade", "--course"])
    ('../numpy-basics', 'other', None)
    """
    course_option = None
    waiting = iter(arguments)
    for word in waiting:
        if not word.startswith("-"):
            break
        name, equals, value = word.partition("=")
        if name == "--course":
            course_option = value if equals else next(waiting, "")
    return course_option


def main() -> None:
    """Run the command line. A wrong name or file is answered by one sentence, not by a traceback.

    Whatever is imported may ask which course is in use: so `--course` is read before anything else, and goes into the
    environment, where every process that is started from here finds it.
    """
    course_option = _chosen(sys.argv[1:])
    if course_option == "":
        sys.exit("✘ --course: name the folder of the course, as in grader --course ../numpy-basics build.")
    if course_option:
        os.environ[VARIABLE] = str(Path(course_option).resolve())
    try:
        course()
        from .cli import app

        app(prog_name="grader")
    except CourseError as error:
        from .submission.plain_file import printable

        sys.exit(printable(f"✘ {error}"))


if __name__ == "__main__":
    main()
