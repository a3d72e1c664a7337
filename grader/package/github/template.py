"""The template from which GitHub Classroom makes each student's repository.

Its owner can read every file of it, change its workflow, and with that read every secret that the workflow is given. So it
holds the learner's wheel alone, asks for no secret, and its points are those of the public cases.
"""

import shutil
import tempfile
from pathlib import Path

from embedding_course.files import STATE_FOLDER
from embedding_course.subject.course import course as course_in_use
from embedding_course.subject.lessons import lesson

from ...classroom.policy.course import Course
from ...classroom.release import release
from .text import fill, into_new, torch_line


def student_template(into: Path, topic: str, course: Course | None = None, torch_index: str = "") -> Path:
    """Write the template of one notebook into an empty or a new folder; returns it. CannotPackage where something lies there,
    CalledProcessError where the wheel cannot be built. With the `course` of a class its points and deadlines stand in the
    prose."""
    with into_new(into) as folder, tempfile.TemporaryDirectory() as place:
        tree, wheel = release(Path(place), course=course)
        assert wheel is not None
        shutil.copy2(tree / "notebooks" / topic / f"{topic}.ipynb", folder)
        shutil.copy2(wheel, folder)  # beside the notebook, where its first cell looks for it on Colab
        if (tree / "LICENSE").exists():  # a course of one's own may have none
            shutil.copy2(tree / "LICENSE", folder)
        words = {
            "TOPIC": topic, "TITLE": lesson(topic).title, "TORCH": torch_line(torch_index), "PACKAGE": course_in_use().package,
            "WHEEL": f"{wheel.name.partition('-')[0]}-*.whl",
        }  # fmt: skip
        fill("student.yml", folder / ".github" / "workflows" / "feedback.yml", words)
        fill("student.md", folder / "README.md", words)
        (folder / ".gitignore").write_text(f".ipynb_checkpoints/\n{STATE_FOLDER}/\n.venv/\n", encoding="utf-8")
    return into
