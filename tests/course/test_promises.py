"""Every sentence of a docstring is somebody's case, and every example in one is a case too."""

import ast
import re

import pytest

from embedding_course.checking.exercise import Exercise
from embedding_course.checking.expected import PUBLIC_SEED
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.exercises import known
from grader.course_source.catalogue import reference, reference_source
from grader.course_source.stub import definition
from tests.support.recorded_calls import calls_in_case, calls_in_docstring, same_call

EXERCISES = [pytest.param(entry, id=entry.id) for entry in known().values()]
EXAMPLE = "docstring example"


def _docstring(exercise: Exercise) -> str:
    """The docstring of a function; of a class its own and those of the methods that the stub keeps."""
    node = ast.parse(definition(reference_source(exercise), exercise.name)).body[0]
    assert isinstance(node, (ast.FunctionDef, ast.ClassDef))
    texts = [ast.get_docstring(part) for part in ast.walk(node) if isinstance(part, (ast.FunctionDef, ast.ClassDef))]
    return "\n\n".join(text for text in texts if text)


def _words(text: str) -> str:
    return " ".join(text.split())


def _sentences(docstring: str) -> list[str]:
    """The sentences of a docstring without its examples, its source and its first line, which is the title; the description
    of each parameter is one or several of them, without the parameter's name."""
    found: list[str] = []
    for paragraph in docstring.split("\n\n")[1:]:
        if paragraph.lstrip().startswith((">>>", "From ")):
            continue
        entries = re.split(r"\n(?=\S)", paragraph)
        named = all(re.match(r"\S+(, \S+)*  +\S", entry) for entry in entries)
        for entry in entries if named else [paragraph]:
            text = re.sub(r"^\S+(, \S+)*  +", "", entry) if named else entry
            found += [part for part in re.split(r"(?<=[.;])\s+", _words(text)) if part]
    return found


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_sentence_of_the_docstring_is_tried(exercise: Exercise) -> None:
    text = _words(_docstring(exercise))
    cases = {case.name for case in exercise.cases(RandomInputs(PUBLIC_SEED, exercise.id))}
    for words, names in exercise.promises.items():
        assert _words(words) in text, f"the docstring of {exercise.id} does not say {words!r}"
        assert names and set(names) <= cases, f"{exercise.id}: there is no case {sorted(set(names) - cases)}"
    promised = [_words(words) for words in exercise.promises]
    untried = [one for one in _sentences(_docstring(exercise)) if not any(part in one or one in part for part in promised)]
    assert not untried, f"{exercise.id} promises what no case tries: {untried}"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_examples_of_the_docstring_are_cases(exercise: Exercise) -> None:
    """The same calls, whichever way the driver makes them."""
    cases = [case for case in exercise.cases(RandomInputs(PUBLIC_SEED, exercise.id)) if case.name.startswith(EXAMPLE)]
    made = [call for case in cases for call in calls_in_case(exercise, reference(exercise), case)]
    for wanted in calls_in_docstring(exercise, reference(exercise)):
        assert any(same_call(wanted, one) for one in made), f"{exercise.id}: no case “{EXAMPLE}” calls it with {wanted}"
