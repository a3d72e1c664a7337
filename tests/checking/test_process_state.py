"""What a notebook switched for its whole process changes no verdict on its answers, and stays as it was."""

import contextlib

import numpy as np
import pytest
import torch

from embedding_course import case, check
from embedding_course.checking import expected
from embedding_course.checking.observe import observe
from embedding_course.exercises import exercises_of, find_exercise
from grader.course_source.catalogue import mistakes_of, reference
from grader.course_source.lesson import given_cells
from grader.course_source.prepared import Prepared

EXERCISES = {exercise.name: exercise for exercise in exercises_of("03_max_norm")}


@pytest.mark.parametrize("name", EXERCISES)
def test_switches_of_a_notebook_do_not_count(name: str) -> None:
    ready = Prepared(EXERCISES[name], 3)
    assert ready.expected
    errors = np.seterr(all="raise")
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    torch.set_default_device("meta")
    try:
        seen = [observe(ready.exercise, reference(ready.exercise), case) for case in ready.cases]
        assert torch.get_default_dtype() == torch.float64 and not torch.is_grad_enabled()
        assert torch.get_default_device().type == "meta" and np.geterr()["over"] == "raise"
    finally:
        torch.set_default_device(None)
        torch.set_grad_enabled(True)
        torch.set_default_dtype(torch.float32)
        np.seterr(**errors)
    assert ready.judge(seen).passed


@contextlib.contextmanager
def everywhere(device: str):
    """As a notebook says it in one of its first cells."""
    torch.set_default_device(device)
    try:
        yield
    finally:
        torch.set_default_device(None)


def said_of(candidate: object, name: str, capsys: pytest.CaptureFixture) -> str:
    """The whole verdict of the public check, read from files that nothing has read before."""
    expected.forget()
    capsys.readouterr()
    check(name, candidate)
    return capsys.readouterr().out


@pytest.mark.parametrize("switch", [everywhere, torch.device], ids=["set_default_device", "with torch.device"])
@pytest.mark.parametrize("name", ["01.one_hot", "02.embedding_grad", "03.renorm_rows", "05.masked_cross_entropy"])
def test_a_default_device_changes_nothing_in_a_check(name: str, switch, capsys: pytest.CaptureFixture) -> None:
    """To `meta` nothing can be computed: what is made there by accident fails."""
    exercise = find_exercise(name)
    wrong: dict = {}
    for cell in given_cells(exercise.lesson.topic):
        exec(cell, wrong)
    exec(mistakes_of(exercise)[0].source, wrong)
    answers = reference(exercise), wrong[exercise.name]
    plain = [said_of(answer, name, capsys) for answer in answers]
    assert "✔" in plain[0] and "✘" in plain[1]
    with switch("meta"):
        assert [said_of(answer, name, capsys) for answer in answers] == plain
        assert torch.zeros(1).device.type == torch.get_default_device().type == "meta", "the setting is as it was"
        given = case(name, 1)
    assert torch.zeros(1).device.type == "cpu"
    assert given and all(value.device.type == "cpu" for value in given.values() if isinstance(value, torch.Tensor))


def test_what_an_answer_switches_is_put_back(capsys: pytest.CaptureFixture) -> None:
    def one_hot(ids, num_classes):
        torch.set_default_device("meta")
        torch.set_default_dtype(torch.float64)
        raise ValueError

    for before in (None, "meta"):
        torch.set_default_device(before)
        try:
            check("01.one_hot", one_hot)
            assert torch.get_default_device().type == (before or "cpu") and torch.get_default_dtype() == torch.float32
            assert torch.zeros(1).device.type == (before or "cpu")
        finally:
            torch.set_default_device(None)
    assert torch.zeros(1).device.type == "cpu"
