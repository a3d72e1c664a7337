"""`progress(save_to=...)`: answers and tables go along, a new kernel finds them, and an unmounted Drive is refused."""

import os
import subprocess
import sys
import types
from pathlib import Path

import pytest
import torch

from embedding_course import files, progress
from embedding_course.files import learners_folder, state_file
from embedding_course.learner.own_answers import own
from embedding_course.learner.own_tables import keep_table, table
from embedding_course.learner.progress.record import load, update
from embedding_course.subject.errors import CourseError
from embedding_course.subject.lessons import LESSONS
from grader.paths import ROOT


def keep_answer(text: str, modified: float | None = None) -> Path:
    """As `check` keeps an answer to 05.attend in the folder in use."""
    path = state_file().parent / "pieces" / "05_attend.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if modified:
        os.utime(path, (modified, modified))
    return path


def new_kernel(monkeypatch: pytest.MonkeyPatch, machine: Path | None = None) -> None:
    """Forget what this process chose; with `machine`, what the computer kept as well."""
    monkeypatch.setattr(files, "_chosen", None)
    if machine:
        monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(machine))


def test_answers_and_tables_come_to_a_new_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    keep_answer("def attend():\n    return 3\n")
    keep_table("04_words", torch.ones(1, 2), ["x"])
    progress(save_to=tmp_path / "drive")
    keep_table("05_chinese", torch.ones(1, 2), ["y"])  # after the choice as well
    new_kernel(monkeypatch, tmp_path / "new machine")
    assert own("05.attend") is None and not table("04_words").own
    progress(save_to=tmp_path / "drive")
    capsys.readouterr()
    assert own("05.attend")() == 3 and table("04_words").own and table("05_chinese").own
    assert "drive" in capsys.readouterr().out, "the line names the folder"


_NEW_KERNEL = """
import os, sys
{first}
from embedding_course.learner.own_answers import own
from embedding_course.learner.progress.record import load
print(own("05.attend")(), load().best)
"""


@pytest.mark.parametrize(
    "first", ["", "from embedding_course import progress; progress(save_to=sys.argv[1])"], ids=["same machine", "called again"]
)
def test_another_process_finds_all_of_it(first: str, tmp_path: Path) -> None:
    memory = load()
    memory.best["05.attend"] = 3.0
    update(memory)
    keep_answer("def attend():\n    return 3\n")
    progress(save_to=tmp_path / "drive")
    done = subprocess.run(
        [sys.executable, "-c", _NEW_KERNEL.format(first=first), str(tmp_path / "drive")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.splitlines()[-1:] == ["3 {'05.attend': 3.0}"], done.stderr


def test_of_two_versions_the_newer_counts_and_the_older_stays_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_answer("def attend():\n    return 'old'\n", 1000)
    progress(save_to=tmp_path / "drive")
    new_kernel(monkeypatch, tmp_path / "new machine")
    keep_answer("def attend():\n    return 'new'\n", 2000)
    progress(save_to=tmp_path / "drive")
    assert own("05.attend")() == "new"
    (backup,) = (tmp_path / "drive" / "pieces").glob("*.backup-*")
    assert "'old'" in backup.read_text(encoding="utf-8")
    new_kernel(monkeypatch, tmp_path / "third machine")
    older = keep_answer("def attend():\n    return 'older'\n", 500)
    progress(save_to=tmp_path / "drive")
    assert own("05.attend")() == "new" and "older" in older.read_text(encoding="utf-8")
    assert len(list((tmp_path / "drive" / "pieces").iterdir())) == 2, "no backup of a backup"


def test_a_folder_that_is_gone_is_not_made_anew(own_memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Drive may be unmounted while the kernel lives: what comes then goes into the machine's own folder."""
    progress(save_to=tmp_path / "drive" / "embeddings")
    (tmp_path / "drive").rename(tmp_path / "unmounted")
    keep_table("04_words", torch.ones(1, 2), ["x"])
    assert table("04_words").own and not (tmp_path / "drive").exists() and state_file().parent == own_memory
    new_kernel(monkeypatch)
    assert state_file().parent == own_memory
    (tmp_path / "unmounted").rename(tmp_path / "drive")
    assert state_file().parent == tmp_path / "drive" / "embeddings"
    progress(save_to=own_memory)
    new_kernel(monkeypatch)
    assert state_file().parent == own_memory, "the way back"


def test_a_relative_folder_stays_the_same_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    progress(save_to="kept")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert state_file().parent == tmp_path / "kept" == learners_folder()


@pytest.mark.parametrize("folder", ["drive/MyDrive/embeddings", "drive", "gdrive/MyDrive/a/b"])
def test_an_unmounted_drive_is_refused_in_one_sentence(
    folder: str, tmp_path: Path, own_memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "_DRIVE", tmp_path / "drive")
    monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    (tmp_path / "drive").mkdir()  # an empty folder is no Drive either
    monkeypatch.chdir(tmp_path)
    for named in (folder, tmp_path / folder):
        with pytest.raises(CourseError, match=r"Google Drive is not mounted at .*drive\.mount") as error:
            progress(save_to=named)
        assert "\n" not in str(error.value)
    assert list((tmp_path / "drive").iterdir()) == [] and not (tmp_path / "gdrive").exists()
    assert state_file().parent == own_memory, "what was in use stays in use"


def test_a_mounted_drive_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_DRIVE", tmp_path / "drive")
    monkeypatch.setattr(Path, "is_mount", lambda path: path == tmp_path / "drive")
    progress(save_to=tmp_path / "drive" / "MyDrive" / "embeddings")
    assert state_file().parent == tmp_path / "drive" / "MyDrive" / "embeddings"


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path: Path, own_memory: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    with pytest.raises(CourseError, match="Nothing can be kept in"):
        progress(save_to=tmp_path / "file" / "inside")
    assert state_file().parent == own_memory


@pytest.mark.parametrize("notebook", [3, "3", "03", " 03 ", "03_max_norm"])
def test_a_notebook_is_named_by_its_number(notebook: int | str, capsys: pytest.CaptureFixture) -> None:
    progress(notebook)
    output = capsys.readouterr().out
    assert "03.renorm_rows" in output and "02.numeric_grad" not in output


@pytest.mark.parametrize("notebook", [0, 12, -3, 3.5, True, "", "drive", "03.renorm_rows"])
def test_a_notebook_that_does_not_exist_is_told_with_those_that_do(notebook: object) -> None:
    with pytest.raises(CourseError, match=f"the notebooks are 01 to {LESSONS[-1].number}"):
        progress(notebook)  # type: ignore[arg-type]
