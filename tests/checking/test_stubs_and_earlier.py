"""A stub that is still there, an earlier exercise that is wrong, a missing attribute: what a verdict says of them."""

import sys
import types
from collections.abc import Iterator

import pytest
import torch

from embedding_course import check
from embedding_course.checking.case import Case
from embedding_course.checking.compare import Comparison
from embedding_course.checking.difference import difference
from embedding_course.checking.observation import Observation, Raised
from embedding_course.checking.random_inputs import RandomInputs
from embedding_course.exercises import find_exercise
from embedding_course.learner.check import globals_named
from grader.course_source.catalogue import reference_source
from grader.course_source.lesson import given_cells
from tests.support.samples import sample, verdict

ATTENTION, SPLIT, MULTI, BLOCK = (
    "07.scaled_dot_product_attention",
    "07.split_heads",
    "07.MultiHeadAttention",
    "07.TransformerBlock",
)
STUB = "raise NotImplementedError()"
#: Let the right answer call the learner's `split_heads`, as most learners' answers do.
CALLS_SPLIT = (
    "rows.unflatten(-1, (self.heads, -1)).transpose(1, 2) for rows in projected",
    "split_heads(rows, self.heads) for rows in projected",
)


class Notebook:
    """A kernel in which cells with answers are run, each under a name of its own, and then checked."""

    def __init__(self, scope: dict) -> None:
        self.scope, self.cells = scope, 0
        for cell in given_cells("07_attention"):
            exec(cell, scope)

    def run(self, source: str) -> None:
        self.cells += 1
        exec(compile(source, f"<cell {self.cells}>", "exec"), self.scope)

    def write(self, exercise: str, *replaced: tuple[str, str]) -> None:
        """Run a right answer in which something is replaced."""
        source = reference_source(find_exercise(exercise))
        for old, new in replaced:
            assert old in source
            source = source.replace(old, new)
        self.run(source)


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Notebook:
    module = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", module)
    made = Notebook(vars(module))
    for exercise in (ATTENTION, SPLIT, "07.merge_heads"):
        made.write(exercise)
    return made


SHORT = """
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, heads, bias=True):
        super().__init__()
        {}

    def forward(self, x, context=None, mask=None):
        {}
"""


LAYERS = """self.heads = heads
        self.q_proj, self.k_proj, self.v_proj, self.out_proj = (nn.Linear(d_model, d_model, bias=bias) for _ in range(4))"""


@pytest.mark.parametrize(
    ("constructor", "forward", "method"), [(STUB, "return x", "__init__"), (LAYERS, STUB, "forward"), (STUB, STUB, "__init__")]
)
def test_the_method_that_is_not_written_is_named(
    constructor: str, forward: str, method: str, notebook: Notebook, capsys: pytest.CaptureFixture
) -> None:
    notebook.run(SHORT.format(constructor, forward))
    assert check(MULTI) == 0
    output = capsys.readouterr().out
    assert "not attempted" in output and f"The stub of `{method}` is still there" in output


def test_an_earlier_stub_is_no_stub_of_this_exercise(notebook: Notebook, capsys: pytest.CaptureFixture) -> None:
    notebook.run(f"def split_heads(x, heads):\n    {STUB}")
    notebook.write(MULTI, CALLS_SPLIT)
    assert check(MULTI) == 0
    output = capsys.readouterr().out
    assert "Nothing here yet" not in output and "not attempted" not in output
    assert (
        "of the cell of your `split_heads`" in output
        and "Your `split_heads` is not right yet, and this exercise calls it: mend" in output
    )


def test_an_earlier_fault_is_said_before_the_mistake_that_it_looks_like(
    notebook: Notebook, capsys: pytest.CaptureFixture
) -> None:
    notebook.run("def split_heads(x, heads):\n    B, T, d = x.shape\n    return x.reshape(B, heads, T, d // heads)")
    notebook.write(MULTI, CALLS_SPLIT)
    notebook.write(BLOCK)
    for exercise in (MULTI, BLOCK):
        check(exercise)
        output = capsys.readouterr().out
        assert "Next: Your `split_heads` is not right yet" in output
        assert "[" not in output.split("\n")[1] or output.split("\n")[1].strip().startswith(
            "Your `split_heads` is not right yet"
        )


def test_a_pair_that_was_not_unpacked(notebook: Notebook, capsys: pytest.CaptureFixture) -> None:
    notebook.run(
        SHORT.format(
            LAYERS,
            "source = x if context is None else context\n"
            "        q, k, v = self.q_proj(x), self.k_proj(source), self.v_proj(source)\n"
            "        q, k, v = (split_heads(one, self.heads) for one in (q, k, v))\n"
            "        return self.out_proj(merge_heads(scaled_dot_product_attention(q, k, v, mask)))",
        )
    )
    check(MULTI)
    output = capsys.readouterr().out
    assert "super" not in output and "'tuple' object has no attribute" in output and "returns two things" in output


@pytest.mark.parametrize(
    ("left", "right", "differ"),
    [
        ("cannot assign module before Module.__init__() call", "cannot assign parameters before Module.__init__() call", False),
        ("cannot assign module before Module.__init__() call", "'tuple' object has no attribute 'shape'", True),
        ("'list' object has no attribute 'sum'", "'list' object has no attribute 'mean'", False),
        ("'list' object has no attribute 'sum'", "module 'torch' has no attribute 'gelu'", True),
    ],
)
def test_attribute_errors_differ_by_what_lacks_the_attribute(left: str, right: str, differ: bool) -> None:
    first, second = (Observation(raised=Raised(("AttributeError", "Exception"), message)) for message in (left, right))
    assert difference(first, second, Case("a", {}, "all")) is differ


def numbers(draw: RandomInputs) -> Iterator[Case]:
    for name in ("one", "two", "three"):
        yield Case(name, {"n": draw.integer(5000, 9000)}, "all")


def test_a_count_is_no_exponential() -> None:
    result = verdict(sample(numbers, compare=Comparison()), lambda n: n * n, lambda n: n * n - n % 7 - 1)
    assert not result.passed and "exponential" not in result.diagnosis


@pytest.mark.parametrize(
    ("right", "wrong", "advice"),
    [(torch.bool, torch.int64, "True and False"), (torch.int64, torch.int32, "int64"), (torch.float32, torch.bool, "floating")],
)
def test_the_type_that_was_expected_is_spoken_of(right: torch.dtype, wrong: torch.dtype, advice: str) -> None:
    def rows(draw: RandomInputs) -> Iterator[Case]:
        yield Case("a row", {"x": draw.normal(5)}, "all")

    result = verdict(sample(rows, compare=Comparison()), lambda x: (x > 0).to(right), lambda x: (x < 0).to(wrong))
    assert result.stage == "dtype" and advice in result.next_step


def test_names_in_methods_and_comprehensions_are_found() -> None:
    class Inner:
        def forward(self, rows: list) -> list:
            return [len(row) for row in rows]

    assert "len" in globals_named(Inner)
    assert globals_named(3) == set()
