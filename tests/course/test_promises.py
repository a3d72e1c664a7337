"""Every sentence of a docstring is somebody's case, and every example in one is a case too."""

import pytest

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.exercises import known
from grader.authoring.reference_page import promises, sentences
from grader.course_source.catalogue import reference
from tests.support.recorded_calls import calls_in_case, calls_in_docstring, same_call

EXERCISES = [pytest.param(exercise, id=exercise.id) for exercise in known().values()]
EXAMPLE = "docstring example"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_sentence_of_the_docstring_is_tried(exercise: Exercise) -> None:
    cases = list(exercise.cases(RandomInputs(PUBLIC_SEED, exercise.id)))
    tried = promises(exercise, cases)
    for words in {words for part in (*exercise.criteria, *cases) for words in part.tries}:
        matches = [sentence for sentence in tried if words in sentence]
        assert len(matches) == 1, f"{words!r} stands in {len(matches)} sentences of the docstring of {exercise.id}: {matches}"
    _, *others = sentences(exercise)  # the first paragraph is the title
    untried = [sentence for paragraph in others for sentence in paragraph if not tried[sentence]]
    assert not untried, f"{exercise.id} promises what no case tries: {untried}"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_examples_of_the_docstring_are_cases(exercise: Exercise) -> None:
    """The same calls, whichever way the driver makes them."""
    cases = [case for case in exercise.cases(RandomInputs(PUBLIC_SEED, exercise.id)) if case.name.startswith(EXAMPLE)]
    made = [call for case in cases for call in calls_in_case(exercise, reference(exercise), case)]
    for wanted in calls_in_docstring(exercise, reference(exercise)):
        assert any(same_call(wanted, candidate) for candidate in made), (
            f"{exercise.id}: no case “{EXAMPLE}” calls it with {wanted}"
        )
