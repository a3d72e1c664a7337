"""Every page that we write runs nothing and asks no other host; formulas are drawn when it is made."""

import json
import re
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath, markdown2html_mistune

from embedding_course.checking.judge import stopped
from embedding_course.exercises import find_exercise
from embedding_course.exercises.index import entries_of
from embedding_course.learner.page_policy import policy
from embedding_course.learner.progress.page import progress_page
from embedding_course.learner.progress.record import ProgressRecord as Progress
from embedding_course.learner.progress.summary import standing
from embedding_course.subject.lessons import LESSONS
from grader.classroom.grade_record import GradeRecord
from grader.classroom.gradebook.marks import CellMark, Marks
from grader.classroom.policy.course import Course
from grader.feedback.formulas import TAGS, mathml
from grader.feedback.nbgrader_page import FeedbackPage
from grader.feedback.own_cells import OwnCell, OwnCells, Written
from grader.feedback.page import Handed
from grader.feedback.page import render as render_feedback
from grader.feedback.text import as_html
from grader.paths import NOTEBOOKS, ROOT
from grader.report.author_page import render_author_page
from grader.report.class_page import render
from grader.report.falling import TermLine
from grader.report.regraded_page import render_regraded
from grader.report.similarity.similar_page import Similar, render_similar
from grader.report.summary import summarise
from grader.report.talk_reasons import Reason
from grader.report.term_page import TermReport, render_term
from tests.support.pages import active, has_policy, tags

LESSON = LESSONS[0].topic


def _progress() -> str:
    memory = Progress()
    return progress_page(standing(memory), memory)


def _report() -> str:
    facts = {"topic": LESSON, "status": "unreadable", "seed": 1, "submission": "", "graded_at": ""}
    return render(summarise([GradeRecord(student="<img src=x onerror=a()>", reason="<svg onload=a()>", **facts)]), "today")


def _term() -> str:
    nasty = "<img src=x onerror=a()>"
    line = TermLine(nasty, {LESSON: 0.2}, {LESSON: "graded"}, -0.1, (Reason(nasty, 3.0),))
    return render_term(TermReport([LESSON], [line], [], {LESSON: 0.9}, {LESSON: {nasty: 0.2}}, None, {}, {}), "today")


def _feedback() -> str:
    nasty = "<img src=https://a.example/x onerror=a()><script>a()</script>"
    exercise = entries_of(LESSON)[0]
    verdict = stopped(find_exercise(exercise.id), "wrong", "values", nasty)
    facts = {"student": nasty, "topic": LESSON, "seed": 1, "submission": "", "graded_at": "2026-03-01T12:00:00+00:00"}
    record = GradeRecord(status="graded", results=[verdict], notes=[nasty], written={"why": True}, **facts)
    own = OwnCells({exercise.grade_id: OwnCell(nasty, nasty, 1)}, (OwnCell(nasty),), (Written("why", nasty, nasty),))
    mark = CellMark(1, 2, waits=True, by_hand=True)
    marks = Marks({f"{exercise.grade_id}-check": mark, "why": mark}, {exercise.grade_id: nasty, "why": nasty})
    return render_feedback(Handed(record, Course((LESSON,), name=nasty), own, marks))


PAGES = {
    "feedback": _feedback,
    "progress": _progress,
    "report": _report,
    "term": _term,
    "similar": lambda: render_similar(Similar([], 0, [], 8)),
    "regraded": lambda: render_regraded("03.renorm_rows", [], [], "backups/one.db"),
    "exercises": lambda: render_author_page([], 0, "today"),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs_nothing_and_asks_no_other_host(name: str) -> None:
    page = PAGES[name]()
    assert has_policy(page) and policy(pictures=name == "feedback") in page
    assert active(page, drawings=True) == []
    assert "@import" not in page and not re.search(r"url\((?!#)", page)


def test_no_other_page_is_written() -> None:
    """Whoever adds one gives it a policy, and a line above."""
    folders = (ROOT / "grader", ROOT / "embedding_course")
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in (".py", ".j2")]
    pages = {path.name for path in files if re.search("<!doctype html", path.read_text(encoding="utf-8"), re.IGNORECASE)}
    assert pages == {
        "page.py",
        "page.html.j2",
        "author_page.html.j2",
        "class_page.html.j2",
        "similar.html.j2",
        "regraded_page.html.j2",
        "term_page.html.j2",
    }


def test_the_exporter_of_feedback_has_no_address_of_its_own() -> None:
    """nbconvert's addresses of libraries are named nowhere in what our template makes."""
    folder = Path(ROOT / "grader/feedback/nbgrader_templates/course_feedback")
    assert "http" not in "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.j2"))
    assert FeedbackPage().markdown2html({}, "$x$").startswith("<p><math")


def _texts() -> list[str]:
    texts = []
    for path in sorted(NOTEBOOKS.glob("*/*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts += ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    return texts


class _Formulas(IPythonRenderer):
    """Gathers the formulas of a text."""

    def __init__(self) -> None:
        super().__init__(escape=False)
        self.found: list[str] = []

    def inline_math(self, body: str) -> str:
        self.found.append(body)
        return ""

    block_math = inline_math

    def latex_environment(self, name: str, body: str) -> str:
        return self.inline_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")


def test_every_formula_of_the_lessons_is_drawn() -> None:
    renderer = _Formulas()
    for text in _texts():
        MarkdownWithMath(renderer=renderer).render(text)
    assert len(renderer.found) >= 100
    assert [tex for tex in renderer.found if not mathml(tex).startswith("<math")] == []


def test_words_in_a_formula_lose_the_backslashes_that_tex_wants() -> None:
    assert "<mtext>max_norm</mtext>" in mathml(r"\min(1,\text{max\_norm}/\lVert e\rVert)")
    assert "<mtext>5%</mtext>" in mathml(r"\text{5\%}")


def _words(page: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", page))


def test_nothing_of_a_lesson_is_lost() -> None:
    """Apart from formulas, our page has the tags, the places and the words that nbconvert's has."""
    for text in _texts():
        ours, theirs = as_html(text), markdown2html_mistune(text)
        assert active(ours) == []
        kept = [element for element in tags(ours) if element[0] not in TAGS]
        assert Counter(tag for tag, _ in kept) == Counter(tag for tag, _ in tags(theirs))
        assert [attributes.get("id") for _, attributes in kept] == [attributes.get("id") for _, attributes in tags(theirs)]
        if "$" not in text:
            assert _words(ours) == _words(theirs)


@pytest.mark.parametrize(
    "tex",
    [
        r"\left(", r"\unknown{x}", "", "{" * 1900, "x" * 2001, r"\begin{" * 200, r"\sqrt{" * 300 + "}" * 300, r"\frac" * 300,
        "^", "_", "&", r"\\", "}", r"\begin{array}{", "\ud800", "\x00", r"\hspace{", r"\color",
    ],
)  # fmt: skip
def test_what_cannot_be_read_as_a_formula_is_shown_as_it_was_written(tex: str) -> None:
    assert mathml(tex).startswith(("<code>", "<math"))
    if "unknown" in tex or "left" in tex or len(tex) > 2000:
        assert mathml(tex) == f"<code>{tex}</code>"


def test_a_formula_holds_no_markup() -> None:
    for tex in (
        r"\text{<script>a(1)</script>}",
        r"\href{javascript:a(1)}{x}",
        r"\style{color:red}{x}",
        r"\mathrm{<img src=x>}",
    ):
        page = as_html(f"${tex}$")
        assert active(page) == [] and "style" not in page and "<math" in page


def test_a_table_keeps_its_columns_and_a_list_its_ticks() -> None:
    page = as_html("| a | b |\n|--:|:-:|\n| 1 | 2 |\n\n- [x] done\n- [ ] open\n")
    assert 'style="text-align:right"' in page and 'style="text-align:center"' in page
    assert "☑ " in page and "☐ " in page and "<input" not in page
