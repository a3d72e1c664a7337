"""Each notebook alone: in an empty folder, with the base package from its built wheel, and with the network cut off.

The kernel is an ordinary ipykernel of an environment that has no checkout, no nbgrader and no JupyterLab (`base_only.py`
tells how it is made). The tests talk to it through files, so that it needs no network, not even a local one.
"""

import json
from pathlib import Path

import nbformat
import pytest
from nbformat.notebooknode import NotebookNode

from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import topics
from grader.classroom.solutions_wheel import solutions_wheel
from grader.paths import ROOT
from tests.support.alone import (
    CUT_OFF,
    FIGURE,
    HINT,
    PROGRESS,
    SETUP,
    beginning,
    checks,
    execute,
    install,
    pictures,
    released,
    shown,
    with_hint_and_progress,
)
from tests.support.base_only import BaseOnly, built_wheel
from tests.support.classes import perfect

pytestmark = pytest.mark.xdist_group("alone")  # what its fixtures make is made once
#: What any notebook imports is imported below as well; `make test-all` runs each of them to its end.
TOPIC = "03_max_norm"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> BaseOnly:
    """Colab before the setup cell: all but the course."""
    return BaseOnly.make(tmp_path_factory.mktemp("bare") / "venv", wheel)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> BaseOnly:
    """The same, and the course installed from its wheel."""
    made = BaseOnly.make(tmp_path_factory.mktemp("installed") / "venv", wheel)
    install(made, wheel)
    if CUT_OFF is None:  # no namespaces here: the processes themselves refuse the network
        made.guard()
    return made


def judge(topic: str, notebook: NotebookNode, folder: Path) -> None:
    """What holds of every run: quiet setup, no stderr, hint and progress shown and kept beside the notebook."""
    exercises = exercises_of(topic)
    assert shown(notebook, SETUP) == ""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"]
    assert exercises[0].hints[0].split("`")[0][:30] in shown(notebook, HINT)
    assert "image/png" in shown(notebook, FIGURE) and "<svg" in shown(notebook, PROGRESS)
    assert all(exercise.id in shown(notebook, PROGRESS) for exercise in exercises)
    record = json.loads((folder / ".embedding_course" / "progress.json").read_text(encoding="utf-8"))
    assert record["hints"] == {exercises[0].id: 1}
    assert {path.name for path in folder.iterdir()} - {".ipython", ".cache", ".config"} == {
        f"{topic}.ipynb",
        ".embedding_course",
    }


def test_it_begins_alone(installed: BaseOnly, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    notebook = with_hint_and_progress(TOPIC, beginning(released(TOPIC, folder)))
    notebook = execute(notebook, installed, folder)
    judge(TOPIC, notebook, folder)
    check = next(cell.id for cell in notebook.cells if cell.id.endswith("-check"))
    assert "not attempted" in shown(notebook, check)


@pytest.mark.long
@pytest.mark.parametrize("topic", topics())
def test_it_runs_to_its_end_alone(topic: str, installed: BaseOnly, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    notebook = execute(with_hint_and_progress(topic, released(topic, folder)), installed, folder)
    judge(topic, notebook, folder)
    for exercise in exercises_of(topic):
        assert "not attempted" in shown(notebook, f"{exercise.grade_id.replace('_', '-').lower()}-check")
    assert pictures(notebook) > 1


@pytest.mark.slow
def test_a_solved_notebook_has_full_marks_alone_and_can_be_compared(wheel: Path, tmp_path: Path) -> None:
    """03 with right answers; then the optional part is installed, and the answers laid beside the worked ones."""
    where = BaseOnly.make(tmp_path / "venv", wheel)
    install(where, wheel)
    install(where, solutions_wheel(tmp_path / "optional"))
    folder = tmp_path / "empty"
    folder.mkdir()
    notebook = with_hint_and_progress(TOPIC, perfect(TOPIC))
    ask = "from embedding_course import compare_with_solution, solution\n"
    for key, text in {"compare": "compare_with_solution('03.renorm_rows')", "read": "solution('03.renorm_rows')"}.items():
        notebook.cells.insert(-1, nbformat.v4.new_code_cell(ask + text, id=key))
    notebook = execute(notebook, where, folder)
    entries = {f"{exercise.grade_id.replace('_', '-').lower()}-check": exercise for exercise in exercises_of(TOPIC)}
    assert checks(notebook) == {key: exercise.points if exercise.core else 0 for key, exercise in entries.items()}
    assert "Line for line, the two are the same." in shown(notebook, "compare")
    assert "Worked solution" in shown(notebook, "read") and "def renorm_rows" in shown(notebook, "read")
    assert "solution read since" in shown(notebook, PROGRESS)


def test_the_setup_cell_installs_the_wheel_that_lies_beside_it(bare: BaseOnly, wheel: Path, tmp_path: Path) -> None:
    """On a machine with no index and no network. Without the wheel a sentence says what to do, and the cell works later."""
    folder = tmp_path / "empty"
    notebook = released(TOPIC, folder)
    setup = next(cell for cell in notebook.cells if cell.id == SETUP)
    look = "import importlib.util\nprint(importlib.util.find_spec('embedding_course') is not None)"
    upload = f"import shutil\n_ = shutil.copy({str(wheel)!r}, {f'{wheel.stem} (1).whl'!r})"  # as a browser names a second one
    notebook.cells = [
        *(nbformat.v4.new_code_cell(text, id=key) for key, text in (("setup", setup.source), ("before", look))),
        *(nbformat.v4.new_code_cell(text, id=key) for key, text in (("upload", upload), ("again", setup.source))),
        nbformat.v4.new_code_cell(f"{look}\nimport embedding_course\nembedding_course.progress()", id="after"),
    ]
    notebook = execute(notebook, bare, folder)
    (sentence,) = [line for line in shown(notebook, "setup").splitlines() if "could not be installed" in line]
    assert "upload its wheel" in sentence and "run this cell again" in sentence
    assert shown(notebook, "before").startswith("False") and shown(notebook, "again") == ""
    assert shown(notebook, "after").startswith("True") and "01.build_vocab" in shown(notebook, "after")


def test_nothing_but_the_base_package_can_be_imported(installed: BaseOnly, tmp_path: Path) -> None:
    code = """
import importlib.util, sys
print(*[name for name in sys.argv[1:] if importlib.util.find_spec(name)])
import embedding_course
print(embedding_course.__file__)
"""
    absent = "nbgrader jupyterlab nbformat nbclient nbconvert jupytext typer rich nh3 pytest dask solutions tests"
    code = code.replace("sys.argv[1:]", repr([*absent.split(), "embedding_course_solutions"]))
    done = installed.run(code, tmp_path)
    there, package_path = done.stdout.splitlines()
    assert there == "" and package_path.startswith(str(installed.home)), done.stderr


_DATA = """
import importlib, pkgutil
import embedding_course
from embedding_course.exercises import known
from embedding_course.checking import expected

def missing(name):
    raise ImportError(name)

for module in pkgutil.walk_packages(embedding_course.__path__, "embedding_course.", missing):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
for exercise in known().values():
    assert expected.load(exercise).cases, exercise.id

from embedding_course.data import (
    api_gather, digits_captions, dog_and_machine, language_reference, library_loans, paraphrase_groups, sentence_tasks,
)
from embedding_course.data.files import data_file
from embedding_course.data.micro import micro_language
from embedding_course.data.tiktoken_facts import token_count
from embedding_course.experiments import curves
from safetensors.torch import load_file

assert len(language_reference.words()) > 100_000 and language_reference.sentences("test")
assert micro_language() and paraphrase_groups.twins() and sentence_tasks.sentence_tasks()
assert digits_captions.digits("train", 3) and library_loans.loans() and dog_and_machine.story()
assert token_count("我爱机器学习", "cl100k_base") == 8
curve = data_file("curves/06_race.json")
assert all(curves.load(path.stem) for path in curve.parent.glob("*.json"))
assert all(load_file(path) for path in (curve.parent.parent / "tables").glob("*.safetensors"))
found = api_gather.gather({"numpy": api_gather.installed()["numpy"]})
assert len(found.entries) > 300 and set(found.versions) == {"numpy"}

import regex, tiktoken  # the learner's merges in tiktoken's engine, which fetches rank files only if one asks by name
ranks = {bytes([one]): one for one in range(256)} | {b"ab": 256}
assert tiktoken.Encoding("mine", pat_str=".+", mergeable_ranks=ranks, special_tokens={}).encode("abc") == [256, 99]
print("all there")
"""


def test_all_data_are_there_with_the_network_cut_off(installed: BaseOnly, tmp_path: Path) -> None:
    done = installed.run(_DATA, tmp_path, before=CUT_OFF or ())
    assert done.returncode == 0 and done.stdout.splitlines()[-1] == "all there", done.stderr


@pytest.mark.parametrize("how", ["namespace", "guard"])
def test_the_network_is_cut_off_indeed(how: str, bare: BaseOnly, wheel: Path, tmp_path: Path) -> None:
    """What the other tests rest on. The address is one that documentation uses and nobody has."""
    if how == "namespace" and CUT_OFF is None:
        pytest.skip("this machine does not allow `unshare --net`; the guard stands in, and is tried beside this")
    where = bare
    if how == "guard":
        where = BaseOnly.make(tmp_path / "venv", wheel)
        where.guard()
    code = """
import socket, urllib.request
for attempt in (
    lambda: socket.create_connection(("192.0.2.1", 80), timeout=5), lambda: socket.getaddrinfo("example.org", 80),
    lambda: urllib.request.urlopen("http://192.0.2.1", timeout=5),
):
    try:
        attempt()
    except TimeoutError as error:
        print("tried to reach it:", error)
    except OSError as error:
        print("refused")
"""
    done = where.run(code, tmp_path, before=(CUT_OFF or ()) if how == "namespace" else ())
    assert done.stdout.split() == ["refused"] * 3, done.stdout + done.stderr


def test_no_lesson_asks_tiktoken_for_a_file_that_it_would_fetch() -> None:
    files = [*(ROOT / "embedding_course").rglob("*.py"), *(ROOT / "solutions").rglob("*.py")]
    calls = {"get_encoding", "encoding_for_model", "load_tiktoken_bpe", "fetch_openml", "load_state_dict_from_url"}
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not [name for name in calls if f"{name}(" in text], path
