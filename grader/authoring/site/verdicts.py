"""For each exercise: what the check says to a typical mistake, folded below the check."""

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.render import as_html
from embedding_course.checking.result import Result
from embedding_course.learner.check import public_result

from ...course_source.catalogue import Mistake, callable_of, mistakes_of

#: A mistake that gives wrong numbers teaches more than one that stops; and one that never ends is not tried here.
_ORDER = ("values", "shape", "property", "type", "dtype", "not finite", "raises")


def typical(exercise: Exercise) -> Result:
    """The public verdict on a known mistake that it names. LookupError where no known mistake is named."""
    for mistake in sorted(_tried(exercise), key=lambda entry: _ORDER.index(entry.stages[0])):
        found = public_result(exercise, callable_of(mistake.source, exercise))
        if found.mistake == mistake.slug:
            return found
    raise LookupError(f"{exercise.id}: the public check names none of its known mistakes")


def _tried(exercise: Exercise) -> list[Mistake]:
    return [entry for entry in mistakes_of(exercise) if entry.stages[0] in _ORDER]


def folded(verdict: Result) -> str:
    """The verdict as HTML that a reader unfolds. Blank lines would end it in Markdown."""
    said = "\n".join(line for line in as_html(verdict).splitlines() if line.strip())
    return f'<details class="typical-mistake"><summary>What the check says to a typical mistake</summary>\n{said}\n</details>'
