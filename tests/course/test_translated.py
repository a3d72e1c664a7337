"""Notebook 03, built and executed in a language of brackets: what stands outside is not looked up."""

import json
import os
import re

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises.index import entries
from embedding_course.experiments.five_questions import QUESTIONS
from embedding_course.subject.lessons import LESSONS, lesson
from grader.authoring.messages import machinery_messages, notebook_messages
from grader.course_source.notebook import source, translated
from grader.paths import ROOT
from tests.support.pseudo_language import Pseudo, text_of_page, words_outside

TOPIC = "03_max_norm"
#: Collects the texts of all figures, and what is looked up, in the kernel that executes the notebook.
_BEFORE = f"""
import json, sys
from pathlib import Path
sys.path.insert(0, {str(ROOT)!r})
from matplotlib.figure import Figure
from matplotlib.text import Text
from embedding_course.messages import in_language
from tests.course.test_translated import Recorder
recorder, texts_drawn, savefig = Recorder(), set(), Figure.savefig
def collect(figure, *values, **options):
    texts_drawn.update(text.get_text() for text in figure.findobj(Text))
    return savefig(figure, *values, **options)
Figure.savefig = collect
language = in_language(recorder)
language.__enter__()  # for the whole kernel
"""
_AFTER = "Path('seen.json').write_text(json.dumps([sorted(texts_drawn), sorted(recorder.seen)]), encoding='utf-8')"
#: Names and data, which are the same in every language: words of the example, questions to an English collection, names of
#: optimizers and of Python.
_DATA = re.compile(
    r"wǒ|ài|shū|māo|gǒu|shuǐ|\bI\b|\blove\b|\bbooks?\b|\bcat\b|\bdog\b|\bwater\b"
    r"|tensor|dtype|torch|float\d\d|True|False|nan|inf\b|grad_fn=<\w+>|requires_grad|Embedding|no_grad|inference_mode"
    rf"|{'|'.join(re.escape(question.text) for question in QUESTIONS)}"
    r"|### (?:BEGIN|END) SOLUTION|RuntimeError:.*|clamp|max_norm|norm_type|PyTorch|Adam|SGD"
)


class Recorder(Pseudo):
    """Keeps what is looked up: its context and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[tuple[str, str]] = set()

    def gettext(self, message: str) -> str:
        self.seen.add(("", message))
        return super().gettext(message)

    def pgettext(self, context: str, message: str) -> str:
        self.seen.add((context, message))
        return super().gettext(message)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> tuple[NotebookNode, list[str], set[tuple[str, str]]]:
    """The notebook, the texts of its figures, and what was looked up."""
    folder, recorder = tmp_path_factory.mktemp("translated"), Recorder()
    notebook = translated(TOPIC, recorder)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(_BEFORE))
    notebook.cells.append(nbformat.v4.new_code_cell(_AFTER))
    os.environ["EMBEDDING_COURSE_STATE"] = str(folder)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    drawn, seen = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    return notebook, drawn, recorder.seen | {(context, text) for context, text in seen}


def words(text: str) -> list[str]:
    return words_outside(_DATA.sub("", text))


def test_only_text_differs_and_all_of_it_does() -> None:
    english, other = source(TOPIC), translated(TOPIC, Recorder())
    assert [(cell.id, cell.metadata) for cell in english.cells] == [(cell.id, cell.metadata) for cell in other.cells]
    for cell, its in zip(english.cells, other.cells, strict=True):
        if cell.cell_type == "markdown":
            assert not words(its.source), its.source
        elif not cell.metadata.get("nbgrader", {}).get("solution"):
            assert cell.source == its.source


def test_docstrings_of_stubs_are_looked_up_and_their_code_stays() -> None:
    english, other = (
        {cell.id: cell.source for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("solution")}
        for notebook in (source(TOPIC), translated(TOPIC, Recorder()))
    )
    for key, text in english.items():
        if '"""' in text:
            before, after = text.split('"""'), other[key].split('"""')
            assert not words(after[1]) and [*before[:1], *before[2:]] == [*after[:1], *after[2:]]


@pytest.mark.slow
def test_nothing_that_a_cell_prints_stands_outside_a_template(executed: tuple[NotebookNode, list[str], set]) -> None:
    for cell in executed[0].cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            page = data.get("text/html", "")
            texts = [output.get("text", ""), data.get("text/plain", ""), text_of_page(page) if "⟦" in page else ""]
            for text in texts:
                assert not words(text), f"{cell.id}: {text}"


@pytest.mark.slow
def test_nothing_in_a_figure_stands_outside_a_template(executed: tuple[NotebookNode, list[str], set]) -> None:
    drawn = executed[1]
    assert len(drawn) > 60
    assert [text for text in drawn if words(text)] == []


@pytest.mark.slow
def test_a_translator_gets_all_that_is_looked_up(executed: tuple[NotebookNode, list[str], set]) -> None:
    extracted = [*machinery_messages(), *notebook_messages(lesson(TOPIC))]
    texts = {(message.context, text) for message in extracted for text in (message.text, message.several)}
    texts |= {("", exercise.title) for exercise in entries().values()}  # `progress` lists those of all notebooks.
    texts |= {("", text) for other in LESSONS for text in (other.title, other.question)}
    missing = [(context, text) for context, text in executed[2] - texts if words(text)]
    assert not missing, missing
