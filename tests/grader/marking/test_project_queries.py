"""Queries of the project: the hidden ones, and those that a class writes for itself."""

import csv
import re
import tempfile
from pathlib import Path

import pytest

from grader.classroom.policy.course import load_course
from grader.classroom.policy.toml_file import WrongCourse
from grader.marking.project.own_queries import BadQueries, look_over, read_queries, suggestions
from grader.marking.project.task import HIDDEN, PUBLIC, Query, Task
from tests.grader.marking.test_project import TASK, TEXTS


def test_queries_are_natural_and_name_nothing() -> None:
    seen = set()
    for path, count in ((PUBLIC, 20), (HIDDEN, 100)):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter="\t"))
        assert len(rows) >= count
        for query, right in rows:
            assert query not in seen and right.split()
            seen.add(query)
            named = {name.rpartition(".")[2].lower() for name in right.split()[:1]}
            assert not named & set(re.findall(r"\w+", query.lower())), query


def _queries(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "queries.tsv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_class_asks_queries_of_its_own(tmp_path: Path) -> None:
    """The file that course.toml names takes the place of the practice queries; what no machine has is left out."""
    path = _queries(tmp_path, "# ours", "put things into ascending order\tsort gone", "what nobody has\tgone")
    assert read_queries(path, TASK.names) == [Query("put things into ascending order", frozenset({0}))]
    (tmp_path / "course.toml").write_text('[projects]\nsearch_engine = 5\nqueries = "queries.tsv"\n', encoding="utf-8")
    course = load_course(tmp_path)
    assert course.queries == path and course.projects == {"search_engine": 5}


@pytest.mark.parametrize("named", ['"missing.tsv"', '""', "7"])
def test_a_file_of_queries_that_is_not_there_is_said(tmp_path: Path, named: str) -> None:
    (tmp_path / "course.toml").write_text(f"[projects]\nqueries = {named}\n", encoding="utf-8")
    with pytest.raises(WrongCourse, match=r"projects\.queries"):
        load_course(tmp_path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("no tab at all", "line 1"),
        ("two\tsort\tcopy", "line 1"),
        ("\tsort", "line 1"),
        ("nothing\tgone", "no query in it"),
        ("", "no query"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_sentence(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(BadQueries, match=message):
        read_queries(_queries(tmp_path, line), TASK.names)


def test_what_is_wrong_with_queries_is_named() -> None:
    """What stands in public, what says its answer's name, what shares its words, what is asked twice, what is nowhere."""
    task = Task(
        ["list.sort", "shutil.copy", "mean"],
        ["list.sort\nOrder a list\nascending", "shutil.copy\nDuplicate a file\nmode", TEXTS[2]],
        [],
        [],
        TASK.hidden,
    )
    with HIDDEN.open(encoding="utf-8", newline="") as file:
        public = next(csv.reader(file, delimiter="\t"))[0]
    with tempfile.TemporaryDirectory() as folder:
        path = _queries(
            Path(folder),
            f"{public}\tmean",
            "sort my numbers\tlist.sort",
            "duplicate file\tshutil.copy",
            "bring into sequence\tlist.sort",
            "bring into a sequence\tlist.sort",
            "typical value\tmeen",
        )
        count, remarks = look_over(path, task)
    remarks_by_line = {remark.line: (remark.message, remark.grave) for remark in remarks}
    assert count == 6 and set(remarks_by_line) == {1, 2, 3, 5, 6}
    assert "practice queries" in remarks_by_line[1][0] and remarks_by_line[1][1]
    assert "name of its answer" in remarks_by_line[2][0] and "most of its words" in remarks_by_line[3][0]
    assert "line 4" in remarks_by_line[5][0] and "mean" in remarks_by_line[6][0] and remarks_by_line[6][1]


def test_suggestions_say_what_to_ask_and_which_words_to_leave_out() -> None:
    lines = list(suggestions(TASK, 3))
    assert any(line.startswith("mean: ") and "average" in line for line in lines)
    assert not any(line.startswith("mean: ") for line in suggestions(TASK, 3, used=[TASK.hidden[0]]))
