"""A public case that exposes a known mistake: what is called, what the mistake gives and what is right."""

from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.observe import observe
from embedding_course.checking.wording import call_of
from embedding_course.exercises import find_exercise
from embedding_course.messages import Message

from ..course_source.catalogue import mistakes_of, reference
from ..course_source.prepared import prepared


def shown_case(exercise_id: str, slug: str, case_name: str) -> str:
    """Return one sentence, with values, that shows a mistake in a public case.

    Returns an empty string if the catalogue or the case has changed since the class was graded, or if the mistake happens to
    be right in this case.

    Parameters
    ----------
    exercise_id : str
    slug : str
        Name of the mistake.
    case_name : str
        Name of the public case.
    """
    try:
        exercise = find_exercise(exercise_id)
        ready = prepared(exercise_id, PUBLIC_SEED)
        index = next(position for position, case in enumerate(ready.cases) if case.name == case_name)
        mistake = next(candidate for candidate in mistakes_of(exercise) if candidate.slug == slug)
        case = ready.cases[index]
        right = observe(exercise, reference(exercise), case)
        fault = exercise.compare(right, ready.mistaken(mistake, index), case)
    except Exception:  # the catalogue may be another one by now; the rest of the report stands without this sentence
        return ""
    return str(Message("`{call}`: {fault}", call=call_of(exercise, case), fault=fault.message)) if fault else ""
