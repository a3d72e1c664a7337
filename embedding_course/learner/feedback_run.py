"""``python -m embedding_course.learner.feedback_run FILE.ipynb``: run the public checks of a notebook file in a fresh process.

It serves services that run a command at each change of a learner's files, such as GitHub's workflows. The points are those
of the public cases; marks come from hidden cases and are computed elsewhere.
"""

import argparse
import sys
from pathlib import Path

from ..checking.render import as_text
from ..messages import Message
from ..subject.errors import CourseError
from .doctor.examine import compose, released
from .doctor.report import Report
from .doctor.run import run
from .doctor.saved import read
from .doctor.would_be_graded import take
from .summary_table import summary_table

PROVISIONAL = Message("Points of the public cases, for you to work with. Marks come from hidden cases of the same kinds.")


def report_of(path: Path) -> Report:
    """Return the report of a fresh process on the file. Raise CourseError, which says what is wrong with the file."""
    saved = read(path)
    taken = take(saved, released(saved))
    return compose(saved, taken, run(taken.steps, saved.lesson.topic), None)


def main(arguments: list[str] | None = None) -> int:
    """Print the verdicts, and append the table to the file --summary. Return 1 if the notebook cannot be read, otherwise 0."""
    parser = argparse.ArgumentParser(prog="python -m embedding_course.learner.feedback_run", description=__doc__)
    parser.add_argument("notebook", type=Path, help="the notebook's file")
    parser.add_argument("--summary", type=Path, help="append the table to this file, in Markdown")
    asked = parser.parse_args(arguments)
    try:
        report = report_of(asked.notebook)
    except CourseError as error:
        print(f"✘ {error}")
        head = Message("{file} was not looked at", file=asked.notebook.name)
        _append(asked.summary, f"### ✘ {head}\n\n{error}\n")
        return 1
    print("\n".join(as_text(result) for result in report.results))
    notes = [finding.message for finding in report.findings if finding.weight != "note"]
    _append(asked.summary, summary_table(report.topic, report.results, notes, str(PROVISIONAL)))
    return 0


def _append(path: Path | None, text: str) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    sys.exit(main())
