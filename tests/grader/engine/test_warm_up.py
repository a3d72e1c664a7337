"""What every submission imports is there before the fork: no learner's process pays for it again."""

import pytest

from embedding_course.subject.lessons import topics
from grader.course_source.notebook import source
from grader.engine.fork_server import Learners
from grader.submission.rebuild import runnable

BEFORE = "import sys\n_before = set(sys.modules)"
AFTER = "_late = sorted(set(sys.modules) - _before)\nif _late:\n    raise ImportError(', '.join(_late)[:150])"


@pytest.mark.parametrize("topic", topics())
def test_a_notebooks_first_cell_imports_nothing_new(topic: str, learners: Learners) -> None:
    first = runnable(source(topic))[0]
    assert "embedding_course import" in first.source and not first.answers
    with learners.start() as learner:
        learner.run(BEFORE, first.source, AFTER)
        assert learner.errors == [None, None, None], learner.error_text
