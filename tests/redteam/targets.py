"""What is attacked: exercises of every kind, in all notebooks."""

import textwrap

from embedding_course.checking.exercise import Exercise
from embedding_course.exercises import find_exercise, known
from embedding_course.subject.course import course
from embedding_course.subject.tensors import TENSORS
from grader.course_source.catalogue import reference

#: Functions on strings, tensors and graphs, one that works in place, modules, and tests that a learner writes
#: (`is_relative`, `cluster_test`). Two of them borrow from earlier exercises.
_OURS = (
    "02.embedding_grad",
    "01.train_bpe",
    "03.lookup_with_max_norm_",
    "04.NPLM",
    "05.Encoder",
    "06.is_relative",
    "07.MultiHeadAttention",
    "08.pool_mean",
    "09.info_nce",
    "10.cluster_test",
    "02.numeric_grad",
)
#: In another course, all of its core exercises: an attack that names others is tried on one of these.
TARGETS = (
    tuple(find_exercise(name) for name in _OURS)
    if course().ours
    else tuple(exercise for exercise in known().values() if exercise.core) or tuple(known().values())
)

#: One of each sort, for attacks on what all answers go through.
EACH_SORT = ("02.embedding_grad", "01.train_bpe", "03.lookup_with_max_norm_", "05.Encoder", "06.is_relative")

#: One in each notebook whose public results are no answer to its hidden cases.
EACH_NOTEBOOK = (
    "01.train_bpe",
    "02.embedding_grad",
    "03.lookup_with_max_norm_",
    "04.make_ngrams",
    "05.Encoder",
    "06.apply_rope",
    "07.MultiHeadAttention",
    "08.pool_mean",
    "09.info_nce",
    "10.cluster_test",
)

_FUNCTION = """
def {name}(*args, **options):
{body}
"""
_MODULE = """
import torch

class {name}(torch.nn.Module):
    def __init__(self, *args, **options):
        super().__init__()
        self.forward(*args, **options)

    def forward(self, *args, **options):
{body}
"""


def answering(exercise: Exercise, code: str) -> str:
    """Return a function, or a module where one is asked for, that runs this code whenever it is called or made."""
    module = isinstance(reference(exercise), type)
    body = textwrap.indent(code.strip(), "    " * (2 if module else 1))
    return (_MODULE if module else _FUNCTION).format(name=exercise.name, body=body).lstrip()


def wrong_answer(exercise: Exercise) -> str:
    """Return an answer that earns nothing."""
    return answering(exercise, "import torch\nreturn torch.zeros(1)" if TENSORS else "return None")
