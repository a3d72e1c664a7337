"""``python -m grader.package.github.class_summary CLASS TOPIC FETCHED``: the class's marks in one notebook as a Markdown table.

FETCHED is the folder of the students' repositories, from which files were collected.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from embedding_course.checking.result import number
from embedding_course.learner.summary_table import as_cell

from ...classroom.class_folder import Classroom
from ...classroom.collect.archive import look_into
from ...classroom.collect.kinds import calls_itself_notebook
from ...classroom.collect.plan import Wish, make_plan
from ...classroom.grade_record import GradeRecord
from ...classroom.policy.course import load_course, people_of
from ...classroom.records import load_topic


def not_collected(home: Path, topic: str, fetched: Path) -> dict[str, str]:
    """Return why nothing was collected from a repository, by its student, or by its name if the student is not known.

    Parameters
    ----------
    home : Path
        Folder of the class.
    topic : str
        Name of the notebook.
    fetched : Path
        Folder of the students' repositories.
    """
    course = load_course(home)
    with look_into(fetched) as contents:
        plan = make_plan(contents, Classroom(home), course, people_of(course), Wish(layout="github", topic=topic))
    collected = {item.student for item in plan.items if item.taken}
    items = sorted(plan.items, key=lambda item: calls_itself_notebook(item.file.path))  # what is said of a notebook comes last
    left = {item.student or item.file.outer.parent.name: item.why for item in items if item.action == "left"}
    return {name: why for name, why in left.items() if name not in collected}


def class_summary(topic: str, records: Iterable[GradeRecord], absent: Mapping[str, str] | None = None) -> str:
    """Return a Markdown table with a row for each submission, by student; below it, the sandbox that was used.

    Parameters
    ----------
    topic : str
        Name of the notebook.
    records : iterable of GradeRecord
        Records of the submissions.
    absent : mapping of str to str, optional
        Why there is no submission to grade, by student; such a student has 0 points.

    Examples
    --------
    >>> print(class_summary("03_max_norm", []).splitlines()[0])
    ### 03_max_norm: 0 submissions
    """
    rows, walls = dict[str, str](), Counter[str]()
    for record in records:
        points = f"{number(record.score)} of {number(record.max_score)}" if record.results else "0"
        text = "" if record.status == "graded" else f"{record.status}: {record.reason}"
        right = sum(result.passed for result in record.results)
        checks = f"{right} of {len(record.results)}" if record.results else ""
        rows[record.student] = f"{points} | {number(record.extra)} | {checks} | {as_cell(text)}"
        walls[record.sandbox] += bool(record.sandbox)
    count = len(rows)
    for student, why in (absent or {}).items():
        rows.setdefault(student, f"0 | 0 |  | {as_cell(f'not collected: {why}')}")
    head = [f"### {topic}: {count} submissions", "", "| student | points | extra | right | |", "|---|---:|---:|---:|---|"]
    foot = [f"Sandbox {as_cell(level)}." for level, count in walls.items() if count]
    return "\n".join([*head, *(f"| {as_cell(name)} | {row} |" for name, row in sorted(rows.items())), "", *foot, ""])


def main(home: Path, topic: str, fetched: Path) -> None:
    """Print the table of a class.

    Parameters
    ----------
    home : Path
        Folder of the class.
    topic : str
        Name of the notebook.
    fetched : Path
        Folder of the students' repositories.
    """
    print(class_summary(topic, load_topic(home, topic), not_collected(home, topic, fetched)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
