"""A class that works in two languages: the same answers earn the same, and each learner reads their own language."""

import re
from pathlib import Path

import pytest

from embedding_course.messages import in_language
from grader.classroom import records
from grader.classroom.class_folder import Classroom
from grader.classroom.grade_record import GradeRecord
from grader.classroom.policy.course import load_course
from grader.course_source.notebook import release, source, translated
from grader.engine.fork_server import Learners
from grader.feedback.write_pages import write_pages
from grader.marking.grade_class import grade_class
from grader.marking.run import Run
from grader.quality.demo.personas import PERSONAS, fill
from tests.support.classes import hand_in

TOPIC = "02_gradients"
EDITIONS = {"en": release(source(TOPIC)), "zh": release(translated(TOPIC, "zh"))}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, learners: Learners) -> Path:
    """Each kind of student of the demo class, once in each edition, graded with the same hidden cases."""
    home = tmp_path_factory.mktemp("two-languages")
    for number, persona in enumerate(PERSONAS):
        for language, notebook in EDITIONS.items():
            hand_in(home, f"{persona.replace(' ', '-')}.{language}", fill(TOPIC, notebook, persona, number).content, TOPIC)
    list(grade_class(Classroom(home), [TOPIC], Run(seed=5), shared=learners))
    list(write_pages(Classroom(home), load_course(home), [TOPIC]))
    return home


@pytest.mark.slow
@pytest.mark.parametrize("persona", [name.replace(" ", "-") for name in PERSONAS])
def test_the_same_answers_earn_the_same(graded: Path, persona: str) -> None:
    english, chinese = (records.load(graded, TOPIC, f"{persona}.{language}") for language in EDITIONS)
    assert english is not None and chinese is not None and (english.language, chinese.language) == ("en", "zh")
    facts = [
        [(result.exercise, result.score, result.status, result.stage, result.mistake, result.case) for result in record.results]
        for record in (english, chinese)
    ]
    assert facts[0] == facts[1]
    assert english.written == chinese.written and len(english.notes) == len(chinese.notes)


@pytest.mark.slow
def test_each_page_is_in_one_language(graded: Path) -> None:
    pages = {
        language: (graded / "feedback" / f"mistaken.{language}" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
        for language in EDITIONS
    }
    assert '<html lang="en">' in pages["en"] and '<html lang="zh-CN">' in pages["zh"]
    assert "What to look at again" in pages["en"] and "What to look at again" not in pages["zh"]
    text = re.sub(r"<(style|pre|code|script)\b.*?</\1>|<[^>]+>", " ", pages["zh"], flags=re.DOTALL)
    sentences = [found for found in re.findall(r"(?:[A-Za-z]{2,}[ ,.]+){4,}", text) if "linear layer" not in found]
    assert sentences == [], "all but the learner's own text"


def test_a_record_without_a_language_is_english() -> None:
    with in_language("zh"):
        assert GradeRecord.__struct_fields__.index("language") >= 0
    old = GradeRecord(student="ada", topic=TOPIC, status="graded", seed=1, submission="", graded_at="")
    assert old.language == "en"
