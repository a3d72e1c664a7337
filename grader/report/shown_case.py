"""A public case that exposes a known mistake: what is called, what the mistake gives and what is right."""

from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.judge import told
from embedding_course.checking.observe import observe
from embedding_course.exercises import find_exercise

from ..course_source.catalogue import mistakes_of, reference
from ..course_source.prepared import prepared


def shown_case(exercise_id: str, slug: str, case_name: str) -> str:
    """Return one sentence, with values; empty where catalogue or case have changed since the class was graded, or the mistake
    happens to be right in the public case."""
    try:
        exercise = find_exercise(exercise_id)
        ready = prepared(exercise_id, PUBLIC_SEED)
        index = next(place for place, case in enumerate(ready.cases) if case.name == case_name)
        mistake = next(one for one in mistakes_of(exercise) if one.slug == slug)
        case = ready.cases[index]
        right = observe(exercise, reference(exercise), case)
        fault = exercise.compare(right, ready.mistaken(mistake, index), case)
    except Exception:  # the catalogue may be another one by now; the rest of the report stands without this sentence
        return ""
    return told(exercise, case, fault) if fault else ""
