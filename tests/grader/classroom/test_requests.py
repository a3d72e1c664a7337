"""Regrade requests are found in either language, told to which exercise they belong, and bounded."""

from pathlib import Path

import nbformat
import pytest

from embedding_course.exercises import exercises_of
from grader.classroom.class_folder import Classroom
from grader.classroom.requests import MAX_REQUEST_CHARACTERS, REQUEST_FILE, requests_in, requests_of
from tests.support.classes import TOPIC, hand_in

FIRST, SECOND = exercises_of(TOPIC)[:2]


def notebook(*cells: tuple[str, str, str]) -> nbformat.NotebookNode:
    new_notebook = nbformat.v4.new_notebook()
    for kind, grade_id, source in cells:
        make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        new_notebook.cells.append(make(source, metadata={"nbgrader": {"grade_id": grade_id}} if grade_id else {}))
    return new_notebook


@pytest.mark.parametrize(
    "line",
    [
        "Regrade request: see line 3",
        "regrade request：see line 3",
        "**Regrade request:** see line 3",
        "> Regrade request: see line 3",
        "- Re-grade request : see line 3",
        "重新评分：see line 3",
        "申请重新评分: see line 3",
        "## 重新评分请求：see line 3",
    ],
)
def test_a_request_is_recognised(line: str) -> None:
    assert requests_in(notebook(("markdown", "", f"Some text.\n{line}\n\nMore text.")), TOPIC) == [("", "see line 3")]


@pytest.mark.parametrize("line", ["I read about regrade requests: none for me", "A regrade request is a line", "Regrade: no"])
def test_other_lines_are_none(line: str) -> None:
    assert requests_in(notebook(("markdown", "", line)), TOPIC) == []


def test_the_exercise_is_the_one_named_else_the_one_above() -> None:
    requests = requests_in(
        notebook(
            ("markdown", "", "Regrade request: before any exercise"),
            ("code", FIRST.grade_id, f"def {FIRST.name}():\n    # Regrade request: mine is right\n    # even so\n    return 1"),
            ("code", f"{SECOND.grade_id}-check", "check()"),
            ("markdown", "", "重新评分：我的答案是对的"),
            ("markdown", "", f"Regrade request {FIRST.id}: by its id\nand on the next line"),
            ("markdown", "", f"Regrade request for {SECOND.name}: by its name"),
        ),
        TOPIC,
    )
    assert requests == [
        ("", "before any exercise"),
        (FIRST.id, "mine is right even so"),
        (SECOND.id, "我的答案是对的"),
        (FIRST.id, "by its id and on the next line"),
        (SECOND.id, "by its name"),
    ]


def test_code_that_speaks_of_it_is_no_request() -> None:
    assert requests_in(notebook(("code", "", 'print("Regrade request: no")\ntext = """\nRegrade request: no"""')), TOPIC) == []


def test_words_are_bounded_and_plain() -> None:
    (request,) = requests_in(notebook(("markdown", "", "Regrade request: \u202eabc\x1b[31m" + "x" * 5000)), TOPIC)
    assert len(request[1]) <= MAX_REQUEST_CHARACTERS + 2 and request[1].endswith("…")
    assert "\u202e" not in request[1] and "\x1b" not in request[1]


def test_a_line_made_to_be_slow_is_read_at_once() -> None:
    slow = ("Regrade request" + " " * 200_000 + "!", "Regrade request" + "_" * 200_000 + ":")
    cells = [("markdown", "", line) for line in slow]
    assert requests_in(notebook(*cells), TOPIC) == []


def test_the_class_is_searched_and_bad_files_are_passed_over(tmp_path: Path) -> None:
    hand_in(tmp_path, "ada", notebook(("markdown", "", "重新评分：请再看一次")))
    hand_in(tmp_path, "bob", notebook(("markdown", "", "Nothing.")))
    hand_in(tmp_path, "cut", b'{"cells": [ "Regrade request: x"')
    hand_in(tmp_path, "many", notebook(*(("markdown", "", f"Regrade request: number {number}") for number in range(50))))
    escaped = nbformat.writes(notebook(("markdown", "", "重新评分：转义"))).encode("ascii", "backslashreplace")
    hand_in(tmp_path, "esc", escaped)
    requests = list(requests_of(Classroom(tmp_path), [TOPIC]))
    assert [request.text for request in requests if request.student == "ada"] == ["请再看一次"]
    assert [request.text for request in requests if request.student == "esc"] == ["转义"]
    assert sum(request.student == "many" for request in requests) == 10
    assert {request.student for request in requests} == {"ada", "esc", "many"}


@pytest.mark.parametrize(
    ("body", "requests"),
    [
        (f"Regrade request {FIRST.id}: see\r\nline 3\r\n\r\nBye".encode(), [(FIRST.id, "see line 3")]),
        (f"\ufeffRegrade request {FIRST.name}: see line 3".encode(), [(FIRST.id, "see line 3")]),
        (f"重新评分 {FIRST.id}：看第三行\r\n".encode("utf-16"), [(FIRST.id, "看第三行")]),
        (f"{FIRST.id}\r\nPlease look again.".encode("utf-8-sig"), [(FIRST.id, f"{FIRST.id} Please look again.")]),
        (b"Regrade request 03.nope: see line 3", [("03.nope", "see line 3")]),
        (b"Regrade request 05.step: see line 3", [("05.step", "see line 3")]),
        (b"My length is 0.83 and not 1.2, look again", [("", "My length is 0.83 and not 1.2, look again")]),
        ("重新评分：x".encode("gb18030"), [("", f"{REQUEST_FILE} is not UTF-8 text: save it as UTF-8 and hand it in again.")]),
        (b" \r\n", []),
        ("é".encode() * 15_000, [("", "é" * MAX_REQUEST_CHARACTERS + " …")]),
    ],
)
def test_a_file_is_read_as_editors_write_it(tmp_path: Path, body: bytes, requests: list[tuple[str, str]]) -> None:
    path = hand_in(tmp_path, "ada", notebook(("markdown", "", "Nothing.")))
    (path.parent / REQUEST_FILE).write_bytes(body)
    made = list(requests_of(Classroom(tmp_path), [TOPIC]))
    assert [(request.exercise, request.text) for request in made] == requests
    assert [request.is_strange for request in made] == [exercise in ("03.nope", "05.step") for exercise, _ in requests]


def test_a_wrong_id_in_the_notebook_is_not_taken_for_the_exercise_above() -> None:
    cells = ("code", FIRST.grade_id, "x = 1"), ("markdown", "", "Regrade request 03.nope: mine\r\nis right\r\n")
    assert requests_in(notebook(*cells), TOPIC) == [("03.nope", "mine is right")]
