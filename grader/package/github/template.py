"""The template from which GitHub Classroom makes each student's repository.

Its owner can read every file of it, change its workflow, and with that read every secret that the workflow is given. So it
holds the learner's wheel alone, asks for no secret, and its points are those of the public cases.
"""

import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from embedding_course.files import STATE_FOLDER
from embedding_course.subject.course import course as course_in_use
from embedding_course.subject.lessons import lesson

from ...classroom.policy.course import Course
from ...classroom.release import release
from ..settings import CannotPackage

_TEXTS = Path(__file__).with_name("texts")
#: Dollars belong to the shell and to GitHub.
_WORD = re.compile(r"@\{([A-Z]+)\}")


def fill(name: str, target: Path, words: Mapping[str, str]) -> None:
    """Write one of the texts with its placeholders replaced.

    Parameters
    ----------
    name : str
        Name of a file in texts/.
    target : Path
        File to write.
    words : mapping of str to str
        Replacement of each `@{WORD}`, by the word.

    Raises
    ------
    KeyError
        If a word is missing.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    text = (_TEXTS / name).read_text(encoding="utf-8")
    target.write_text(_WORD.sub(lambda match: words[match[1]], text), encoding="utf-8")


@contextmanager
def into_new(folder: Path) -> Iterator[Path]:
    """Make a folder to write into, which must not hold anything yet; remove what was begun where it fails."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotPackage(f"--into: {folder} holds something already; name a new folder, and copy over what you want.")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder)
        raise


def torch_line(index: str) -> str:
    """Return the line of a workflow that installs torch first, where an index is named for it; else pip's own settings decide.

    >>> torch_line("https://example.org/cpu")
    'python -m pip install --quiet --index-url "https://example.org/cpu" "torch>=2.6"'
    """
    return f'python -m pip install --quiet --index-url "{index}" "torch>=2.6"' if index else ": # torch comes along below"


def student_template(into: Path, topic: str, course: Course | None = None, torch_index: str = "") -> Path:
    """Write the template repository of one notebook, and return its folder.

    Parameters
    ----------
    into : Path
        Folder of the repository, empty or new.
    topic : str
        Name of the notebook.
    course : Course, optional
        Course of a class, whose points and deadlines the notebook's text then states.
    torch_index : str, optional
        Address of the package index for torch; "" for the usual one.

    Raises
    ------
    CannotPackage
        If the folder holds anything.
    CalledProcessError
        If the wheel cannot be built.
    """
    with into_new(into) as folder, tempfile.TemporaryDirectory() as temporary_folder:
        tree, wheel = release(Path(temporary_folder), course=course)
        assert wheel is not None
        shutil.copy2(tree / "notebooks" / topic / f"{topic}.ipynb", folder)
        shutil.copy2(wheel, folder)  # beside the notebook, where its first cell looks for it on Colab
        if (tree / "LICENSE").exists():  # a course of one's own may have none
            shutil.copy2(tree / "LICENSE", folder)
        words = {
            "TOPIC": topic,
            "TITLE": lesson(topic).title,
            "TORCH": torch_line(torch_index),
            "PACKAGE": course_in_use().package,
            "WHEEL": f"{wheel.name.partition('-')[0]}-*.whl",
        }
        fill("student.yml", folder / ".github" / "workflows" / "feedback.yml", words)
        fill("student.md", folder / "README.md", words)
        (folder / ".gitignore").write_text(f".ipynb_checkpoints/\n{STATE_FOLDER}/\n.venv/\n", encoding="utf-8")
    return into
