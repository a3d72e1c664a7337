"""Catalogues follow the English texts, keep what must stay, and reach learners compiled, without model answers."""

import gettext
import io
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from embedding_course import messages
from embedding_course.messages import DOMAIN, in_language, translate
from grader.authoring import translations
from grader.authoring.translation_faults import faults_of
from grader.authoring.translations import complete
from grader.course_source.lesson import read_cells
from grader.paths import SOLUTIONS


@pytest.mark.parametrize(
    ("text", "translation", "fault"),
    [
        ("Case {case} failed.", "用例 {cas} 没有通过。", "slot lost {case}, added {cas}"),
        ("{share:.0%} of them", "{share} 的行", "slot lost {share:.0%}, added {share}"),
        ("Use `x.mean(0)`.", "用 `x.mean()`。", "code lost `x.mean(0)`, added `x.mean()`".replace("`", "")),
        ("It is $x^2$.", "它是 $x^3$。", "formula lost $x^2$, added $x^3$"),
        ("See [here](a.md).", "见[这里](b.md)。", "link lost a.md, added b.md"),
        ("A row.", "表的row。", "no space between Chinese and Latin"),
        ("Yes, a row.", "对,一行。", "half-width punctuation"),
        ("Look at it.", "请您看。", "您"),
        ("The mask is wrong.", "遮罩错了。", "mask is 掩码 in the glossary"),
    ],
)
def test_what_is_wrong_with_a_translation(text: str, translation: str, fault: str) -> None:
    found = list(faults_of(Message(text, translation, flags=["python-brace-format"])))
    assert len(found) == 1 and found[0].startswith(fault)


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("Case {case}: `f(x)` gives $y$, see [the page](a.md#b).", "用例 {case}：`f(x)` 得到 $y$，见[这一页](a.md#b)。"),
        ("> “它的 query” (*its query*; S4)\n\nThe mask hides it.", "> “它的query, 一个,向量” （S4）\n\n掩码遮住了它。"),
        ("A special token has a row of 2.5 numbers.", "特殊词元有一行 2.5 个数。"),
    ],
)
def test_a_translation_that_fits(text: str, translation: str) -> None:
    assert list(faults_of(Message(text, translation, flags=["python-brace-format"]))) == []


@pytest.fixture
def one_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A language of two texts, one of which is translated."""
    monkeypatch.setattr(translations, "LOCALE", tmp_path)
    monkeypatch.setattr(translations, "CATALOGUES", tmp_path / "compiled")
    monkeypatch.setattr(translations, "GRADERS_CATALOGUES", tmp_path / "secret")
    monkeypatch.setattr(translations, "templates", lambda: {DOMAIN: texts("The stub is still there.", "A new text.")})
    path = translations.file_of("zh", DOMAIN)
    path.parent.mkdir(parents=True)
    entries = {"The stub is still there.": "这里还是空的。", "Gone.": "没有了。"}
    path.write_text("".join(f'msgid "{text}"\nmsgstr "{its}"\n\n' for text, its in entries.items()), encoding="utf-8")
    return path


def texts(*ids: str) -> Catalog:
    catalogue = Catalog()
    for text in ids:
        catalogue.add(text)
    return catalogue


def test_a_catalogue_is_brought_up_to_date_and_loses_nothing(one_catalogue: Path) -> None:
    (state,) = translations.update("zh")
    assert (state.messages, state.missing, state.stale, state.faults, state.complete) == (2, 1, 1, [], False)
    with one_catalogue.open("rb") as file:
        kept = read_po(file)
    assert kept["The stub is still there."].string == "这里还是空的。" and "Gone." in kept.obsolete
    before = one_catalogue.read_bytes()
    translations.update("zh")
    assert one_catalogue.read_bytes() == before


def test_set_language_reads_what_was_compiled(one_catalogue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    translations.compile_all()
    monkeypatch.setattr("embedding_course.messages.CATALOGUES", translations.CATALOGUES)
    messages._catalogue.cache_clear()
    with in_language("zh"):
        assert translate("The stub is still there.") == "这里还是空的。" and translate("A new text.") == "A new text."
    messages._catalogue.cache_clear()


def test_no_model_answer_is_compiled() -> None:
    cells = read_cells(SOLUTIONS / "03_max_norm" / "lesson.py")
    (answer,) = [cell.source for cell in cells if cell.meta.get("model_answer")]
    assert answer in {message.id for message in translations.templates()["03_max_norm"]}
    kept_back = translations.instructors_texts()
    assert ("reflection-model", answer) in kept_back
    learners = {message.rpartition("\x04")[2] for message in catalogue_of("zh") if isinstance(message, str)}
    assert learners and not {text for _, text in kept_back} & learners
    assert any(answer in message for message in catalogue_of("zh", secret=True)) or "03_max_norm" not in complete("zh")


def catalogue_of(language: str, *, secret: bool = False) -> dict[str, str]:
    return texts_in(translations.compiled_file(language, secret=secret).read_bytes())


def texts_in(body: bytes) -> dict[str, str]:
    return {**gettext.GNUTranslations(io.BytesIO(body))._catalog, "": ""}  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_what_is_shipped_follows_from_the_catalogues(language: str) -> None:
    for secret in (False, True):
        fresh = texts_in(translations.compiled(language, secret=secret))
        assert catalogue_of(language, secret=secret) == fresh, "run `make locale` and commit"


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_a_text_without_a_context_means_the_same_everywhere(language: str) -> None:
    assert translations.clashes(language) == []


@pytest.mark.parametrize("language", translations.LANGUAGES)
def test_complete_catalogues_lack_nothing(language: str) -> None:
    for state in translations.states(language):
        assert not state.faults, "\n".join(state.faults)
        if state.complete:
            assert (state.missing, state.stale) == (0, 0), f"{state.name}: run `make locale`"
