"""``python -m grader.package.github.class_summary CLASS TOPIC``: the class's marks in one notebook, as a table in Markdown."""

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from embedding_course.checking.result import number
from embedding_course.learner.summary_table import as_cell

from ...classroom.records import GradeRecord, load_topic


def class_summary(topic: str, records: Iterable[GradeRecord]) -> str:
    """Return a row for each submission, by student; below it, which walls it was graded behind.

    >>> print(class_summary("03_max_norm", []).splitlines()[0])
    ### 03_max_norm: 0 submissions
    """
    rows, walls = [], Counter[str]()
    for record in records:
        points = f"{number(record.score)} of {number(record.max_score)}" if record.status == "graded" else ""
        text = "" if record.status == "graded" else f"{record.status}: {record.reason}"
        right = sum(result.passed for result in record.results)
        checks = f"{right} of {len(record.results)}" if record.results else ""
        rows.append(f"| {as_cell(record.student)} | {points} | {number(record.extra)} | {checks} | {as_cell(text)} |")
        walls[record.sandbox] += bool(record.sandbox)
    head = [f"### {topic}: {len(rows)} submissions", "", "| student | points | extra | right | |", "|---|---:|---:|---:|---|"]
    foot = [f"Sandbox {as_cell(level)}." for level, count in walls.items() if count]
    return "\n".join([*head, *rows, "", *foot, ""])


if __name__ == "__main__":
    print(class_summary(sys.argv[2], load_topic(Path(sys.argv[1]), sys.argv[2])))
