"""Messages are looked up when they are shown, and a verdict holds nothing that is not."""

import gettext
import re
from collections.abc import Iterator
from typing import ClassVar

import pytest

from embedding_course.checking import expected
from embedding_course.checking.judge import judge
from embedding_course.checking.observe import observe
from embedding_course.checking.redact import redact
from embedding_course.checking.render import as_html, as_text
from embedding_course.checking.result import Result
from embedding_course.checking.source.answer_tree import find_written
from embedding_course.exercises import find_exercise, known
from embedding_course.messages import Count, Listing, Message, UnknownLanguage, in_language, set_language, translate
from grader.course_source.catalogue import callable_of, mistakes_of
from tests.support.pseudo_language import outside, pseudo_language
from tests.support.samples import cases_of, double, double_reference, double_squared, double_squared_print, verdict


@pytest.fixture
def pseudo() -> Iterator[None]:
    with pseudo_language():
        yield


def test_a_message_is_looked_up_when_it_is_shown() -> None:
    axes = Message.plural("{count} axis", "{count} axes", Count(2))
    message = Message("The result has {axes}: {names}.", axes=axes, names=Listing(["a", "b"]))
    assert str(message) == "The result has 2 axes: a and b."
    with pseudo_language():
        assert str(message) == "⟦The result has ⟨⟦⟨2⟩ axes⟧⟩: ⟨⟦⟨a⟩ and ⟨b⟩⟧⟩.⟧"
    assert str(message) == "The result has 2 axes: a and b."


def test_a_language_without_a_catalogue_is_named() -> None:
    with pytest.raises(UnknownLanguage, match="There is no language 'xx'; there are 'en' and 'zh'"):
        set_language("xx")
    assert str(Message("The stub is still there.")) == "The stub is still there."


def test_braces_stay_where_there_are_no_slots() -> None:
    assert str(Message("`{word: count}`")) == "`{word: count}`"
    assert str(Message("It is {value}.", value="{0}")) == "It is {0}."


def test_a_slot_has_the_format_of_its_template() -> None:
    message = Message("{share:.0%} of the points", share=0.25)
    assert str(message) == "25% of the points"
    assert str(redact(message, frozenset())) == "… of the points"


class Labels(gettext.NullTranslations):
    _catalog: ClassVar = {"# rows": "# 行", "# of # kept": "留 # 个，共 # 个", "scale #": "缩放 #"}


def test_a_label_that_begins_with_a_number_is_looked_up() -> None:
    with in_language(Labels()):
        assert translate("16 rows") == "16 行" and translate("1,024 rows") == "1,024 行"
        assert translate("2 of 8 kept") == "留 2 个，共 8 个"
        assert translate("all rows") == "all rows" and translate("scale 20") == "缩放 20"


#: What a verdict shows beside sentences: marks, points, the id of the exercise, the name of a mistake.
_DATA = re.compile(r"^[\s\d./·:()✔◐✘○▪\[\]]*$")


def nothing_stands_outside(result: Result) -> None:
    for sentence in (result.message, result.diagnosis, result.next_step, *(part.message for part in result.criteria)):
        assert not outside(sentence), sentence
    for part in result.criteria:
        assert not outside(part.says), part.says
    text = as_text(result).replace(result.exercise, "").replace(f"[{result.mistake}]", "")
    assert _DATA.match(outside(text)), outside(text)
    assert "⟦" in as_html(result)


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("hidden", [False, True])
def test_nothing_of_a_verdict_stands_outside_a_template(hidden: bool) -> None:
    for answer in (double_reference, double_squared, lambda x: x, lambda x: x.no_such(), lambda x: None, lambda x: [1]):
        nothing_stands_outside(verdict(double, double_reference, answer, lambda: [double_squared_print()], hidden=hidden))
    assert cases_of(double)


SOME = ("03.renorm_rows", "07.layer_norm", "01.merge_pair")


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("name", [*SOME, *(pytest.param(name, marks=pytest.mark.slow) for name in known() if name not in SOME)])
def test_nothing_of_a_known_mistake_s_public_verdict_stands_outside_a_template(name: str) -> None:
    """With the catalogue as it is; and of every fourth one as if nobody knew it, so that relations and slips are tried."""
    exercise = find_exercise(name)
    shipped = expected.load(exercise)
    for index, mistake in enumerate(mistakes_of(exercise)):
        answer = callable_of(mistake.source, exercise)
        seen = [observe(exercise, answer, case) for case in shipped.cases]
        for fingerprints in (shipped.fingerprints, ()) if index % 4 == 0 else (shipped.fingerprints,):
            result = judge(
                exercise,
                shipped.cases,
                shipped.expected,
                seen,
                lambda known=fingerprints: known,
                written=lambda text=mistake.source: find_written(text, exercise.name),
                pairs=lambda: shipped.pairs,
            )
            nothing_stands_outside(result)
