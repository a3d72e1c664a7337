"""Names of files and folders that no platform wrote: which notebook they speak of, and which person."""

import re
from collections.abc import Iterator, Sequence

from embedding_course.subject.lessons import LESSONS

from .kinds import stem_of

_AGAIN = re.compile(r"(?:-([1-9]\d{0,2})|\s?\((\d{1,3})\)|-Copy(\d{1,3}))$")
#: A copy that a person or a file manager made.
_COPY = re.compile(r"(?:[\s_-]*(?:copy|kopie|copie|copia|副本))+$", re.IGNORECASE)
_COPY_OF = re.compile(r"^(?:(?:copy of|kopie von|copie de|copia de)\s|副本)\s*", re.IGNORECASE)
#: Words that name neither a notebook nor anybody.
_NOBODY = frozenset({
    "", "abgaben", "answers", "assignment", "assignments", "copy", "download", "downloads", "final", "homework", "hw",
    "kopie", "notebook", "notebooks", "solution", "submission", "submissions", "submitted", "unpacked", "untitled", "upload",
    "uploads", "work",
})  # fmt: skip
#: Folders in which the work of many lies.
_AROUND = re.compile(
    r"(?:week|woche|semaine|semana|周|第|lab|session|unit|lecture|sheet|blatt|übung|uebung|exercise|aufgabe|hw|homework|group|gruppe"
    r"|groupe|grupo|section|class|kurs|course|组)[\W_]*(?:\d+|[a-z])?[\W_]*周?",
    re.IGNORECASE,
)
#: Numbers that are no notebook's: dates, groups, counters, versions.
_OTHER_NUMBERS = re.compile(
    r"\d{1,4}([.\-_/])\d{1,2}\1\d{1,4}|\d{1,2}\.\d{1,2}\.?(?!\d)|\d{1,2}[:h]\d{2}|\(\d+\)|-[1-9]\d{0,2}$"
    r"|(?:gruppe|group|groupe|grupo|team|组|copy|v|ver|version|attempt|versuch|draft)[\W_]*\d+",
    re.IGNORECASE,
)
#: A number by itself, or behind a word for an exercise.
_NUMBER = re.compile(
    r"(?:(?<![^\W_])|(?<![^\W_])(?:hw|homework|nb|notebook|lesson|assignment|exercise|ex|blatt|übung|uebung|aufgabe|作业))(\d\d)(?![^\W_])",
    re.IGNORECASE,
)


def topic_in(text: str) -> str:
    """Return the notebook that a name means, or an empty string if it means none or two.

    >>> topic_in("03_max_norm-1"), topic_in("student_07"), topic_in("ada"), topic_in("my answers 10.03")
    ('03_max_norm', '07_attention', '', '')
    """
    full = full_topic_in(text)
    if full:
        return full
    words = [lesson.topic for lesson in LESSONS if re.search(_slug(lesson.topic), text, re.IGNORECASE)]
    if len(words) == 1:
        return words[0]
    numbers = set(_NUMBER.findall(_OTHER_NUMBERS.sub(" ", text)))
    named = [lesson.topic for lesson in LESSONS if lesson.number in numbers]
    return named[0] if len(named) == 1 else ""


def full_topic_in(text: str) -> str:
    """Return the notebook whose number and name stand in a text, or an empty string if there is none.

    >>> full_topic_in("03-Max-Norm (1)"), full_topic_in("03")
    ('03_max_norm', '')
    """
    plain = re.sub(r"[\W_]+", "", text.casefold())
    return next((lesson.topic for lesson in LESSONS if lesson.topic.replace("_", "").casefold() in plain), "")


def topic_of_path(parts: Sequence[str]) -> str:
    """Return the notebook that a file's name means, or else the one that the innermost folder with such a name means."""
    named = (topic_in(part) for part in (stem_of(parts[-1]), *reversed(parts[:-1])))
    return next(filter(None, named), "")


def turn_of(name: str) -> int:
    """Return the number that a platform gave to a file handed in again: 03_max_norm-1.ipynb came after 03_max_norm.ipynb."""
    match = _AGAIN.search(stem_of(name))
    return int(match[1] or match[2] or match[3]) if match else 0


def names_nobody(part: str) -> bool:
    """Return True if the folder is named as a notebook, a week or a word such as submissions, and not as a person."""
    return (
        part.casefold() in _NOBODY
        or bool(_AROUND.fullmatch(part) or full_topic_in(part))
        or not without_topic(part, topic_in(part))
    )


def without_topic(stem: str, topic: str, *, number: bool = True) -> str:
    """Return what a name holds beside the name of its notebook.

    Parameters
    ----------
    stem : str
        Name of a file or folder, without its ending.
    topic : str
        Name of the notebook; "" if it is not known.
    number : bool, optional
        True if the number of the notebook, standing by itself, is removed as well.

    Examples
    --------
    >>> without_topic("03_max_norm_ada", "03_max_norm"), without_topic("abl03", "03_max_norm")
    ('ada', 'abl03')
    """
    stem = _COPY_OF.sub("", _COPY.sub("", _AGAIN.sub("", stem)))
    if topic:
        spelled = r"[\W_]*".join(map(re.escape, topic.split("_")))
        kinds = [rf"(?<!\d){spelled}", _slug(topic)]
        kinds += [rf"(?<![^\W_]){topic[:2]}(?![^\W_])"] if number else []
        for kind in kinds:
            shorter, count = re.subn(kind, " ", stem, count=1, flags=re.IGNORECASE)
            if count:
                stem = re.sub(r"[\s_.-]*\s[\s_.-]*", lambda gap: _gap(gap[0]), shorter)
                break
    stem = stem.strip("_-. ")
    return "" if stem.casefold() in _NOBODY else stem


def _slug(topic: str) -> str:
    """Return a pattern for a notebook's name without its number, as words of their own."""
    return rf"(?<![^\W_]){'[^a-z0-9]*'.join(map(re.escape, topic.split('_')[1:]))}(?![^\W_])"


def _gap(text: str) -> str:
    """Return the separator that stays between two words when the word between them is removed."""
    plain = text.strip()
    return plain[0] if plain else " "


def stems_of(stem: str, topic: str) -> Iterator[str]:
    """Yield the parts of a file's name that may be the name of a person, the whole name first."""
    yield stem
    yield without_topic(stem, "")
    yield without_topic(stem, topic, number=False)
    yield without_topic(stem, topic)


def number_in(stem: str) -> tuple[str, str]:
    """Return a stem without the number that stands by itself in it, and that number (empty if there is none).

    >>> number_in("student_07"), number_in("abl03")
    (('student', '07'), ('abl03', ''))
    """
    numbers = re.findall(r"(?<![^\W_])\d\d(?![^\W_])", stem)
    if len(numbers) != 1:
        return stem, ""
    return re.sub(rf"[\s_.-]*(?<![^\W_]){numbers[0]}(?![^\W_])", "", stem, count=1).strip("_-. "), numbers[0]


def spans_of(stem: str) -> Iterator[tuple[int, int, str]]:
    """Yield each sequence of up to six words of a name with its start and end; a hyphen belongs to its word."""
    words = [match.span() for match in re.finditer(r"[^\s_.,;()\[\]+&]+", stem)]
    for first in range(len(words)):
        for last in range(first, min(first + 6, len(words))):
            start, end = words[first][0], words[last][1]
            yield start, end, stem[start:end]
