"""What is right stays right on top of the learner's own earlier answers, in whatever right form those are."""

import random

import pytest

from embedding_course.checking.observe import observe
from embedding_course.exercises import find_exercise
from grader.course_source.catalogue import reference_source, right_forms_of
from grader.course_source.prepared import Prepared

_IMPORTS = "import math\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


@pytest.mark.parametrize(
    "name",
    [
        "05.greedy_decode",
        "07.TransformerBlock",
        pytest.param("07.TinyLM", marks=pytest.mark.slow),
        pytest.param("08.TextEncoder", marks=pytest.mark.slow),
    ],
)
def test_right_forms_stand_on_one_another(name: str) -> None:
    """Where a gradient is 0 in theory, say, each way of computing leaves other noise, and none of it costs a point."""
    exercise, choose = find_exercise(name), random.Random(name)
    for seed in range(6):
        ready, cell = Prepared(exercise, seed), {"__name__": "__main__"}
        forms = []
        for current in (*(find_exercise(f"{name[:2]}.{earlier}") for earlier in exercise.uses), exercise):
            known = [(form.slug, form.source) for form in right_forms_of(current)]
            slug, source = choose.choice([*known, ("the reference", reference_source(current))])
            exec(_IMPORTS + source.replace("from __future__ import annotations\n", ""), cell)
            forms.append(f"{current.name}: {slug}")
        seen = [observe(exercise, cell[exercise.name], case) for case in ready.cases]
        verdict = ready.judge(seen)
        assert verdict.passed, (seed, forms, verdict.message)
