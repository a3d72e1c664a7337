"""What a notebook switched for its whole process changes no verdict on its answers, and stays as it was."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from embedding_course.checking.observe import observe
from embedding_course.exercises import exercises_of
from grader.course_source.catalogue import reference
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
