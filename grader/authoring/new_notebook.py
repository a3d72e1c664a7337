"""A new notebook of a course, with one exercise that is finished: it can be built, audited and graded as it stands."""

import json
import re
from pathlib import Path

from embedding_course.subject.course import SUBJECT, CourseInUse

from .scaffold import CannotMake, filled_in, template, write_new

_NAME = "count_above"
_QUESTION = "What does one ask here?"


def make_notebook(own: CourseInUse, topic: str) -> tuple[Path, ...]:
    """Write the files of a notebook such as "11_my_topic", and add it to the course's `subject.toml`.

    Returns
    -------
    tuple of Path
        The files that were written; `subject.toml` is the last.

    Raises
    ------
    CannotMake
        If the name cannot be used or is taken. Nothing is written then.
    """
    number, slug = _checked(own, topic)
    title = slug.replace("_", " ").capitalize()
    public, private = own.home / "exercises" / topic, own.root / "solutions" / topic
    for folder in (public, private):
        if folder.exists():
            raise CannotMake(f"{folder} is there already: choose another name, or go on with that folder.")
    name = _free_name(own, number)
    facts = {
        "number": number,
        "slug": slug,
        "title": title,
        "lower_title": title.lower(),
        "question": _QUESTION,
        "name": name,
        "package": own.package,
        "engine": ".." if own.ours else "embedding_course",
    }
    made = write_new(
        {
            private / "lesson.py": filled_in(template("notebook/lesson"), facts),
            public / "__init__.py": filled_in(template("notebook/list"), facts),
            public / f"{name}.py": filled_in(template("notebook/public"), facts),
            private / "reference" / f"{name}.py": filled_in(template("notebook/reference"), facts),
            private / "mistakes" / f"{name}.py": filled_in(template("notebook/mistakes"), facts),
        },
        own.root,
    )
    listed = own.home / SUBJECT
    entry = {"number": number, "slug": slug, "title": title, "question": _QUESTION}
    lines = "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in entry.items())
    listed.write_text(f"{listed.read_text(encoding='utf-8').rstrip()}\n\n[[notebook]]\n{lines}", encoding="utf-8")
    return (*made, listed)


def _checked(own: CourseInUse, topic: str) -> tuple[str, str]:
    match = re.fullmatch(r"(\d\d)_([a-z][a-z0-9]*(?:_[a-z0-9]+)*)", topic)
    if match is None:
        raise CannotMake(
            f"{topic!r} is no notebook's name: two digits, an underscore, and small letters and digits, as in 11_my_topic."
        )
    number, slug = match.groups()
    if number == "00":
        raise CannotMake("00 is the number of the warm-up: a notebook with exercises has another one.")
    taken = next((notebook for notebook in own.subject.notebook if notebook.number == number), None)
    if taken is not None:
        raise CannotMake(f"There is a notebook {number} already, {taken.number}_{taken.slug}: choose another number.")
    return number, slug


def _free_name(own: CourseInUse, number: str) -> str:
    """Return a name that no notebook of the course has yet."""
    taken = any((own.home / "exercises").glob(f"*/{_NAME}.py"))
    return f"{_NAME}_{number}" if taken else _NAME
