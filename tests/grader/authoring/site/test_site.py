"""What the site's pages are made of: links, figures, verdicts, lessons. No page is built here, and Sphinx is not needed."""

import base64
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_output
from typer.testing import CliRunner

from embedding_course.exercises import exercises_of, find_exercise
from embedding_course.subject.lessons import topics
from grader.authoring.site.first_page import first_page
from grader.authoring.site.lesson_page import folded, lesson_page, typical, with_files
from grader.authoring.site.links import mended
from grader.authoring.site.pages import CHAPTERS, documents, pages_of
from grader.authoring.site.policy import POLICY
from grader.cli import app
from grader.course_source.notebook import release, source
from grader.course_source.setting import Setting
from grader.feedback.formulas import mathml
from grader.paths import ROOT
from tests.redteam.attack import ATTACKS
from tests.redteam.stage import attempts
from tests.redteam.table_page import PAGE as ATTACKS_PAGE
from tests.redteam.table_page import cell

TOPIC = "03_max_norm"
PUBLIC = Setting(repository="https://github.com/some/where")
PIXEL = base64.b64encode(b"one pixel").decode("ascii")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[a](grading.md#where-code-runs)", "[a](grading.md#where-code-runs)"),
        ("[a](../README.md)", "a"),
        ("see [`b`](../LICENSE) and [c](#here)", "see `b` and [c](#here)"),
        ("[a](https://example.org/x)", "[a](https://example.org/x)"),
        ("```\n[a](../README.md)\n```\n[b](../README.md)\n", "```\n[a](../README.md)\n```\nb\n"),
        ("[a](../notebooks/glossary.md#language-models)", "[a](glossary.md#language-models)"),
        ("x[0](y)", "x[0](y)"),
    ],
)
def test_links_lead_to_pages_or_are_words(text: str, wanted: str) -> None:
    assert mended(text, "docs/teaching.md", pages_of(topics()), Setting()) == wanted


def test_with_a_repository_other_files_are_linked_there() -> None:
    text = mended("[a](../README.md#two-commands)", "docs/teaching.md", pages_of(topics()), PUBLIC)
    assert text == "[a](https://github.com/some/where/blob/main/README.md#two-commands)"


def test_a_picture_becomes_a_file_and_keeps_its_words(tmp_path: Path) -> None:
    shown = new_output("display_data", {"text/html": f'<img alt="two bars" src="data:image/png;base64,{PIXEL}">'})
    page = with_files(shown, tmp_path, "../../").data["text/html"]
    (file,) = (tmp_path / "figures").iterdir()
    assert file.read_bytes() == b"one pixel"
    assert f'src="../../figures/{file.name}"' in page and 'alt="two bars"' in page


@pytest.mark.parametrize(
    "data",
    [
        {"image/png": PIXEL},
        {"text/html": f'<img src="data:image/png;base64,{PIXEL}">'},
        {"text/html": f'<img alt=" " src="data:image/png;base64,{PIXEL}">'},
    ],
)
def test_a_picture_without_words_is_refused(data: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="without text that stands for it"):
        with_files(new_output("display_data", data), tmp_path, "../../")


@pytest.mark.parametrize("name", [exercise.id for exercise in exercises_of(TOPIC)[:3]])
def test_a_typical_mistake_is_named_and_costs_something(name: str) -> None:
    verdict = typical(find_exercise(name))
    assert verdict.mistake and verdict.diagnosis and verdict.next_step and verdict.score < verdict.max_score
    html = folded(verdict)
    assert verdict.mistake in html and "\n\n" not in html and html.count("<div") == html.count("</div>")


@pytest.mark.slow
def test_every_exercise_has_a_typical_mistake() -> None:
    for exercise in (known_exercise for topic in topics() for known_exercise in exercises_of(topic)):
        assert typical(exercise).mistake, exercise.id


def page(setting: Setting, tmp_path: Path) -> list[nbformat.NotebookNode]:
    guess = new_output("display_data", {"text/html": "<p>The answer: 1. (No guess was recorded; it is more fun with one.)</p>"})
    shown = {"five-rows-lookup": [guess], "03-renorm-rows-check": [new_output("stream", text="right")]}
    verdicts = {"03-renorm-rows-check": typical(find_exercise("03.renorm_rows"))}
    released = release(source(TOPIC, setting))
    return lesson_page(released, shown, verdicts, TOPIC, tmp_path, pages_of([TOPIC]), setting).cells


def test_a_lesson_s_page_has_stubs_outputs_and_verdicts(tmp_path: Path) -> None:
    cells = page(Setting(), tmp_path)
    cell_by_id = {page_cell.id: page_cell for page_cell in cells}
    assert "raise NotImplementedError()" in cell_by_id["03-renorm-rows"].source
    assert cell_by_id["03-renorm-rows-check"].outputs[0].text == "right"
    assert [page_cell.id for page_cell in cells].index("03-renorm-rows-check-typical") == [
        page_cell.id for page_cell in cells
    ].index("03-renorm-rows-check") + 1
    assert (
        cell_by_id["five-rows-lookup"].outputs[0].data["text/html"]
        == "<details><summary>The answer</summary><p>1</p></details>"
    )
    assert cell_by_id["setup"].metadata.tags == cell_by_id["imports"].metadata.tags == ["hide-input"]
    assert "tags" not in cell_by_id["five-rows-lookup"].metadata
    assert cells[1].source.startswith("{download}`Download this notebook <../../downloads/03_max_norm.ipynb>`")
    assert "colab" not in cells[1].source


def test_colab_and_binder_are_words_and_no_picture_of_theirs_is_fetched(tmp_path: Path) -> None:
    cells = page(PUBLIC, tmp_path)
    assert "[Open in Colab](https://colab.research.google.com/github/some/where/" in cells[1].source
    assert "[Open on Binder](https://mybinder.org/" in cells[1].source
    assert not [page_cell.id for page_cell in cells if "badge" in page_cell.source]


def test_every_document_is_in_one_chapter_and_the_first_page_leads_to_all() -> None:
    named = [path for paths in CHAPTERS.values() for path in paths]
    assert sorted(named) == sorted(set(documents()))
    text = first_page(topics(), Setting())
    assert all(path.removesuffix(".md") in text for path in named)
    assert all(f"notebooks/{topic}/{topic}.ipynb" in text for topic in topics())
    assert "the whole course" not in text and "(https://github.com/some/where)" in first_page(topics(), PUBLIC)


def test_the_policy_names_no_host() -> None:
    assert POLICY.startswith("default-src 'none'") and "http" not in POLICY and "*" not in POLICY


def test_formulas_of_the_documents_are_drawn() -> None:
    text = (ROOT / "docs" / "formulas.md").read_text(encoding="utf-8")
    formulas = text.split("$")[1::2]
    assert len(formulas) > 100
    assert [formula for formula in formulas if "<math" not in mathml(formula)] == []


def test_the_red_team_s_table_holds_every_attack() -> None:
    lines = ATTACKS_PAGE.read_text(encoding="utf-8").splitlines()
    for attempt in attempts(ATTACKS):
        start = f"| {cell(attempt.attack.name)} | {cell(attempt.attack.tries)} | `{attempt.exercise.id}` | "
        assert [line for line in lines if line.startswith(start)], f"{attempt.attack.name}: run `grader attack --write`"


def test_the_red_team_s_table_is_written_whole_only() -> None:
    done = CliRunner().invoke(app, ["attack", "--write", "--only", "memory"])
    assert done.exit_code == 2 and "leave --only and --level out" in " ".join(done.output.replace("│", " ").split())


def test_a_lesson_that_is_not_there() -> None:
    done = CliRunner().invoke(app, ["site", "99"])
    assert done.exit_code == 2 and "There is no notebook '99'" in done.output


def test_the_languages_that_there_are() -> None:
    done = CliRunner().invoke(app, ["site", "03", "--languages", "en,fr"])
    assert done.exit_code == 2 and "There is no site in the language 'fr'; --languages takes en and zh" in done.output
