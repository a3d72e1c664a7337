"""Where a learner stands: points, the next step, the page, and the start page that `make lab` opens."""

import json
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import msgspec
import nbformat
import pytest

from embedding_course import progress
from embedding_course.exercises import exercises_of, known
from embedding_course.learner.lab.__main__ import main
from embedding_course.learner.lab.start_page import CONFIG, MAP, START, write_start
from embedding_course.learner.progress.page import progress_page
from embedding_course.learner.progress.record import ProgressRecord, update
from embedding_course.learner.progress.summary import standing
from embedding_course.messages import in_language
from embedding_course.subject.errors import CourseError
from embedding_course.subject.lessons import LESSONS

TOPICS = [lesson.topic for lesson in LESSONS if lesson.written]


#: The core points of the first notebook.
POINTS = f"{sum(exercise.points for exercise in exercises_of(TOPICS[0]) if exercise.core):g}"


def done(*topics: str, further: bool = False) -> ProgressRecord:
    chosen = [exercise for topic in topics for exercise in exercises_of(topic) if exercise.core or further]
    return ProgressRecord(best={exercise.id: exercise.points for exercise in chosen})


def first_core(topic: str) -> str:
    return next(exercise.id for exercise in exercises_of(topic) if exercise.core)


def test_the_next_step() -> None:
    def following(memory: ProgressRecord) -> str | None:
        next_exercise = standing(memory).following
        return None if next_exercise is None else next_exercise.id

    assert following(ProgressRecord()) == first_core(TOPICS[0])
    assert following(done(TOPICS[0])) == first_core("02_gradients")
    begun = done(TOPICS[0])
    begun.best[first_core("06_positional_encoding")] = 0.5
    assert following(begun) == first_core("06_positional_encoding"), "what is begun is finished first"
    whole = standing(done(*TOPICS))
    assert whole.following is not None and not whole.following.core and "extra credit" in str(whole.why)
    assert following(done(*TOPICS, further=True)) is None


def test_points_are_added_up() -> None:
    state = standing(done(TOPICS[0], further=True))
    assert state.earned == sum(exercise.points for exercise in exercises_of(TOPICS[0]) if exercise.core)
    assert state.extra == sum(exercise.points for exercise in exercises_of(TOPICS[0]) if not exercise.core)
    assert state.points == sum(exercise.points for exercise in known().values() if exercise.core)
    assert state.scores["01"].mark == "✔" and state.scores["02"].mark == "○"


def test_the_page_holds_all_and_fetches_nothing() -> None:
    memory = done(TOPICS[0])
    page = progress_page(standing(memory), memory, {TOPICS[1]: f"{TOPICS[1]}/{TOPICS[1]}.ipynb"})
    for exercise in known().values():
        assert f"<code>{exercise.name}</code>" in page
    for lesson in LESSONS:
        assert lesson.question in page
    assert f'href="{TOPICS[1]}/{TOPICS[1]}.ipynb"' in page and "Next: 02." in page and "<svg" in page
    assert "<script" not in page and "@import" not in page
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "prefers-color-scheme: dark" in page and "width=device-width" in page
    body = page[page.index("<body>") : page.index("</body>") + len("</body>")]
    ElementTree.fromstring(body)  # every tag is closed


def test_progress_writes_the_page_where_it_is_asked_for(
    own_memory: Path, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    update(done(TOPICS[0]))
    progress()
    assert not (own_memory / "progress.html").exists(), "nobody asked"
    progress(page=True)
    assert "Next: 02." in (own_memory / "progress.html").read_text(encoding="utf-8")
    progress(page=tmp_path / "here" / "mine.html")
    assert (tmp_path / "here" / "mine.html").exists() and "mine.html" in capsys.readouterr().out
    update(done(*TOPICS))
    progress()
    assert "extra credit" in (own_memory / "progress.html").read_text(encoding="utf-8"), "a page that is there is renewed"
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(CourseError, match="could not be written"):
        progress(page=tmp_path / "file" / "mine.html")


def test_the_start_page_leads_everywhere(tmp_path: Path) -> None:
    work = tmp_path / "work"
    (work / ".embedding_course").mkdir(parents=True)
    (work / ".embedding_course" / "progress.json").write_bytes(msgspec.json.encode(done(TOPICS[0])))
    write_start(work)
    page = nbformat.read(work / START, as_version=4)
    nbformat.validate(page)
    text = page.cells[0].source
    for topic in TOPICS:
        assert f"({topic}/{topic}.ipynb)" in text
    assert f"({MAP})" in text and (work / MAP).exists() and "**Next:** `02." in text and f"✔ {POINTS}/{POINTS}" in text
    assert (work / "progress.html").exists() and "progress.html" in page.cells[1].source
    assert "progress(page=True)" in page.cells[2].source


def test_the_start_page_of_an_edition_links_the_page_that_progress_renews(tmp_path: Path) -> None:
    work, topic = tmp_path / "work", TOPICS[0]
    (work / ".embedding_course").mkdir(parents=True)
    (work / "zh" / topic).mkdir(parents=True)
    (work / "zh" / topic / f"{topic}.ipynb").write_text("{}", encoding="utf-8")
    with in_language("zh"):
        write_start(work / "zh")
    assert "(../progress.html)" in nbformat.read(work / "zh" / START, as_version=4).cells[1].source
    assert f'href="zh/{topic}/{topic}.ipynb"' in (work / "progress.html").read_text(encoding="utf-8")


def test_a_start_page_is_renewed_until_the_learner_changes_it(tmp_path: Path) -> None:
    write_start(tmp_path)
    before = (tmp_path / START).read_bytes()
    (tmp_path / ".embedding_course").mkdir()
    (tmp_path / ".embedding_course" / "progress.json").write_bytes(msgspec.json.encode(done(TOPICS[0])))
    page = json.loads(before)
    page["cells"][2]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "saved by JupyterLab"}]
    (tmp_path / START).write_text(json.dumps(page), encoding="utf-8")
    write_start(tmp_path)
    assert f"✔ {POINTS}/{POINTS}" in (tmp_path / START).read_text(encoding="utf-8")
    page["cells"].append({"cell_type": "markdown", "id": "mine", "metadata": {}, "source": "my notes"})
    (tmp_path / START).write_text(json.dumps(page), encoding="utf-8")
    (tmp_path / CONFIG).write_text("# mine", encoding="utf-8")
    write_start(tmp_path)
    assert "my notes" in (tmp_path / START).read_text(encoding="utf-8")
    assert (tmp_path / CONFIG).read_text(encoding="utf-8") == "# mine"


def test_the_validate_button_gives_lessons_time(tmp_path: Path) -> None:
    """What nbgrader's server extension reads: the configuration in the folder in which JupyterLab was started."""
    from traitlets.config.loader import PyFileConfigLoader

    write_start(tmp_path)
    config = PyFileConfigLoader(CONFIG, path=str(tmp_path)).load_config()
    assert config.Execute.timeout >= 300


def test_lab_opens_the_start_page_or_the_notebook_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[list[str]] = []
    monkeypatch.setattr(subprocess, "call", lambda command, cwd: opened.append(command[3:]) or 0)
    (tmp_path / "notebooks" / TOPICS[0]).mkdir(parents=True)
    empty = nbformat.v4.new_notebook()
    nbformat.write(empty, tmp_path / "notebooks" / TOPICS[0] / f"{TOPICS[0]}.ipynb")
    assert main([], tmp_path) == 0 and main(["1"], tmp_path) == 0
    root = f"--ServerApp.root_dir={tmp_path / 'work'}"  # whichever notebook is opened, the others are in sight
    assert opened == [[root, START], [root, f"{TOPICS[0]}/{TOPICS[0]}.ipynb"]]
