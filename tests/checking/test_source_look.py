"""What shows in the text of an answer is said, with its line, and only where it is true."""

import ast
import textwrap
from collections.abc import Iterator

import pytest
import torch

from embedding_course.checking.source.answer_tree import Written, find_written
from embedding_course.checking.source.axes import shapes_taken_apart
from embedding_course.checking.source.find_slip import first_slip, sure_slip
from embedding_course.checking.source.suspects import in_place_of
from embedding_course.messages import as_text


def written(text: str) -> Written:
    code = find_written(textwrap.dedent(text).strip(), "answer" if "def answer" in text else "Answer")
    assert code is not None
    return code


def slip(text: str, *given: str, **how: bool) -> str:
    finding = first_slip(written(text), dict.fromkeys(given), **how)
    return str(finding.says) if finding else ""


def module(*forward: str, init: tuple[str, ...] = ("self.a = nn.Linear(3, 3)",), base: str = "nn.Module") -> str:
    lines = ["super().__init__()", *init]
    head = [f"class Answer({base}):", "    def __init__(self):", *(f"        {line}" for line in lines)]
    return "\n".join([*head, "    def forward(self, x):", *(f"        {line}" for line in forward)])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def answer(x):\n    return nn.Linear(3, 3)(x)", "Line 2 makes a new `nn.Linear` whenever it runs"),
        ("def answer(x):\n    a, b = nn.Linear(3, 3), 2\n    return a(x) * b", "Line 2 makes a new `nn.Linear`"),
        (module("return nn.LayerNorm(3)(self.a(x))"), "Line 6 makes a new `nn.LayerNorm` whenever it runs: its weights are 1"),
        ("def answer(x):\n    return torch.multinomial(x, 1)", "Line 2 draws at random (`torch.multinomial`)"),
        ("def answer(x):\n    return Categorical(x).sample()", "Line 2 draws at random"),
        ("def answer(x):\n    return F.dropout(x, 0.1)", "Line 2 drops numbers in every call"),
        ("def answer(x):\n    return F.softmax(x)", "Line 2: `F.softmax(x)` does not say along which axis. torch guesses"),
        ("def answer(x):\n    return nn.Softmax()(x)", "Line 2: `nn.Softmax()` does not say along which axis."),
        ("def answer(x):\n    return torch.softmax(x)", "torch asks for it."),
        ("def answer(x):\n    return nn.ReLU(x)", "Line 2: `nn.ReLU(x)` makes a layer and does not call it"),
        ("def answer(x):\n    return 2", "`x` is never read in `answer`."),
        ("def answer(x):\n    x = torch.ones(3)\n    return x", "`x` as it is given is never read: line 2 puts something else"),
        (module("return x"), "`self.a` is made in `__init__` and never used."),
        (
            module("return self.a(self.b(x))", init=("self.a = nn.Linear(3, 3)", "self.b = self.a")),
            "Line 5 gives `self.b` the same layer as `self.a`",
        ),
        (module("return self.a(self.b(x))", init=("self.a = self.b = nn.Linear(3, 3)",)), "the same layer as `self.a`"),
        (
            module("return self.a(self.b(x))", init=("one = nn.Linear(3, 3)", "self.a = one", "self.b = one")),
            "Line 6 gives `self.b` the same layer as `self.a`",
        ),
        ("def answer(x):\n    m, std = x.mean(), x.std()\n    return x - m / std", "in `x - m / std` Python divides first"),
    ],
)  # fmt: skip
def test_a_slip_is_told_with_its_line(text: str, says: str) -> None:
    assert says in slip(text, "x")


@pytest.mark.parametrize(
    "text",
    [
        "def answer(x):\n    a = nn.Linear(3, 3)\n    a.weight.data = x\n    return a(x)",
        "def answer(x):\n    a = nn.LSTMCell(3, 3)\n    a.load_state_dict(x)\n    return a(x)",
        module("if x is None:", "    self.b = nn.Linear(3, 3)", "return self.b(self.a(x))"),
        module("return self.a(x)"),
        module("return helper(self, x)"),
        module("return x", base="Above"),
        "def answer(x, generator):\n    return torch.multinomial(x, 1, generator=generator)",
        "def answer(x):\n    torch.manual_seed(0)\n    return torch.rand(3) + x",
        "def answer(x):\n    return self_made.sample(x)",
        "def answer(x):\n    return F.dropout(x, 0.1, training=False)",
        "def answer(x):\n    return F.softmax(x, -1) + nn.Softmax(-1)(x) + nn.Softmax(dim=1)(x) + x.softmax(0) + softmax(x)",
        "def answer(x):\n    x = x + 1\n    return x",
        "def answer(x):\n    if x is None:\n        x = 3\n    return x",
        "def answer(x):\n    return locals()",
        "def answer(x):\n    return (x - x.mean()) / x.std() + 1",
        "def answer(x):\n    kernel, equal = x, x\n    return x - kernel / kernel.sum() + equal / 2",
        module("return self.b[0](x)", init=("self.a = nn.ModuleList([nn.Linear(3, 3)])", "self.b = self.a")),
    ],
)
def test_of_sound_code_nothing_is_said(text: str) -> None:
    assert slip(text, "x", "generator") == ""


def test_where_an_answer_may_draw_nothing_is_said_of_it() -> None:
    assert slip("def answer(x):\n    return torch.rand(3) + x", "x", draws=True) == ""


def test_where_it_raised_only_what_raises_is_looked_for() -> None:
    assert slip("def answer(x):\n    return 2 @ 2", "x", raised=True) == ""
    assert "torch asks for it" in slip("def answer(x):\n    return torch.softmax(x)", "x", raised=True)


def test_only_arguments_of_the_case_count() -> None:
    assert slip("def answer(x, mask=None):\n    return x", "x") == ""
    assert slip("def answer(x, mask=None):\n    return x", "x", "mask") == "`mask` is never read in `answer`."


def test_the_last_definition_counts_and_a_broken_cell_is_passed_over() -> None:
    code = find_written(["def answer(x):\n    return 1", "def answer(x):\n    return 2", "def answer(x) return"], "answer")
    assert code is not None and "return 2" in code.code
    assert find_written("answer = 3", "answer") is None and find_written("", "answer") is None


@pytest.mark.parametrize(
    ("removes", "text", "says"),
    [
        ((".float()",), "return x.float()", ""),
        ((), "return x.float()", ""),
        (("torch.no_grad()", ".detach()", ".data"), "return x.detach()", "In your answer that is `.detach()` in line 2."),
        ((".float()",), "return torch.zeros(3) + x",
         "Your answer does not hold `.float()`. Look first at `zeros` in line 2. Print `.dtype` of what each line makes: the "
         "first that is not the input's is where it changes."),
        ((".detach()", ".data"), "return x",
         "Your answer does not hold `.detach()` or `.data`. Print `.requires_grad` of what each line makes: the first False "
         "behind a True is where the gradient stops."),
        (("squeeze",), "return x[0]",
         "Your answer does not hold `squeeze`. Print `.shape` of what each line makes, and find the first that you did not "
         "expect."),
    ],
)  # fmt: skip
def test_a_next_step_fits_the_code_that_stands_in_the_answer(removes: tuple[str, ...], text: str, says: str) -> None:
    assert as_text(in_place_of(removes, written(f"def answer(x):\n    {text}"))) == says


#: Lines that could be looked at again and again, or named at any length.
COSTLY = [
    "b(nn.Linear(1))",
    "a = nn.Linear(1); a.weight",
    "nn.Softmax(1)",
    "torch.rand(generator=g)",
    "y = x - y / z",
    "self.a{} = nn.Linear(1, 1)",
]


@pytest.mark.parametrize("line", COSTLY)
@pytest.mark.parametrize("count", [200, 3000])
def test_what_is_sent_decides_neither_how_long_a_verdict_takes_nor_how_long_it_is(
    line: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted by the nodes that are looked at."""
    lines = [line.format(number) for number in range(count)]
    text = module("return x", init=tuple(lines)) if "self" in line else "\n    ".join(["def answer(x):", *lines, "return x"])
    code = find_written(text, "answer" if "def answer" in text else "Answer")
    if count == 3000:
        assert code is None
        return
    assert code is not None
    visits, walk = 0, ast.walk

    def counting(node: ast.AST) -> Iterator[ast.AST]:
        nonlocal visits
        for child in walk(node):
            visits += 1
            yield child

    monkeypatch.setattr(ast, "walk", counting)
    finding = first_slip(code, {"x": None})
    assert visits < 40 * sum(1 for _ in walk(code.node))
    assert finding is None or len(str(finding.says)) + len(str(finding.next_step)) < 500


@pytest.mark.parametrize("text", ["return {}(x)", "return {}.Linear(1)(x)", "{} = x\n    return x", "return f(x, {}=1)"])
def test_a_name_without_end_is_not_repeated(text: str) -> None:
    assert find_written("def answer(x):\n    " + text.format("q" * 81), "answer") is None
    assert find_written("def answer(x):\n    " + text.format("q" * 80), "answer") is not None


@pytest.mark.parametrize("chain", [".a" * 900, "()" * 900, "[0]" * 900, " + x" * 900])
def test_a_text_too_deep_to_be_walked_is_not_looked_into(chain: str) -> None:
    assert find_written(f"def answer(x):\n    return x{chain}", "answer") is None


@pytest.mark.parametrize("taken", ["x.shape", "x.size()"])
def test_a_shape_with_another_number_of_axes_is_named(taken: str) -> None:
    text = f"def answer(x):\n    B, T, d = {taken}\n    return x"
    finding = next(shapes_taken_apart(written(text), {"x": torch.ones(2, 3)}), None)
    assert finding is not None
    assert str(finding.says) == f"Line 2 takes `{taken}` apart into 3 names; here `x` has 2 axes."
    assert not list(shapes_taken_apart(written(text), {"x": torch.ones(2, 3, 4)}))
    starred = text.replace("B, T, d", "*rest, d")
    assert not list(shapes_taken_apart(written(starred), {"x": torch.ones(2, 3)}))
    replaced = text.replace("    B", "    x = x[None]\n    B")
    assert not list(shapes_taken_apart(written(replaced), {"x": torch.ones(2, 3)}))


def test_an_argument_with_the_name_of_a_layer_is_no_layer() -> None:
    text = module("return self.a(x)", init=("self.a = nn.Linear(3, 3)", "self.use_a = a"))
    assert slip(text.replace("__init__(self)", "__init__(self, a)"), "x") == ""
    assert "the same layer as `self.a`" in slip(
        module("return self.a(self.b(x))", init=("self.a = nn.Linear(3, 3)", "self.b = self.a")), "x"
    )


def sure(text: str, given: dict | None = None, **passed: set[str]) -> str:
    finding = sure_slip(written(text), given or {}, passed)
    return str(finding.says) if finding else ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def answer(x):\n    x.masked_fill(x > 0, 1)\n    return x", "`x.masked_fill(x > 0, 1)` returns a new tensor"),
        ("def answer(x):\n    x.lower()\n    return x", "`x.lower()` returns a new text, which is thrown away"),
        ("def answer(x):\n    sorted(x)\n    return x", "`sorted(x)` returns a new list"),
        ("def answer(x):\n    x = x.append(2)\n    return x", "`x.append(2)` changes `x` and returns None"),
        ("def answer(x):\n    x + 1\n    return x", "`x + 1` is computed, and the result is thrown away"),
        ("def answer(x):\n    x == 1\n    return x", "`x == 1` compares, and nothing is done with the result"),
        ("def answer(x):\n    x.step\n    return x", "names `x.step` and does not call it"),
        ("def answer(p):\n    p[0] = 0\n    return -(p * p.log()).sum()", "where `p` is 0, `p * p.log()` is 0 times -inf"),
        ("def answer(mode):\n    return mode == 'Sum'", "compares `mode` with 'Sum', which is never passed"),
    ],
)
def test_a_cause_that_shows_is_told_whatever_else_is_known(text: str, says: str) -> None:
    assert says in sure(text, mode={"sum", "mean"})


@pytest.mark.parametrize(
    "text",
    [
        "def answer(x):\n    x.clamp_(min=0)\n    return x",
        "def answer(x):\n    torch.clamp(x, 0, out=x)\n    x.sort()\n    x.add(3)\n    print(x)\n    return x",
        "def answer(x):\n    x = x.add(2)\n    return x.append(3)",
        "def answer(p):\n    p[0] = 0\n    q = p[p > 0]\n    return -(q * q.log()).sum()",
        "def answer(p):\n    p[0] = 0\n    p = p + 1e-9\n    return -(p * p.log()).sum()",
        "def answer(p):\n    p[0] = 0\n    return torch.special.entr(p).sum() + (p * p.clamp(min=1e-9).log())",
        "def answer(mode):\n    return mode == 'sum' or mode == 'total'",
        "def answer(mode):\n    return mode in ('sum', 'summe')",
    ],
)
def test_sound_code_is_no_cause(text: str) -> None:
    assert sure(text, mode={"sum", "mean"}) == ""


def test_one_axis_for_another_is_told_in_the_letters_of_the_docstring() -> None:
    head = 'def answer(x, table):\n    """\n    x      tensor of shape (B, T, d)\n    table  (L, d) tensor\n    """\n'
    given = {"x": torch.ones(2, 5, 3), "table": torch.ones(7, 3)}
    says = "takes B, the number of sentences; `x` has the shape (B, T, d)"
    for line in ("T = x.shape[0]", "T = len(x)", "length = x.size(0)", "y = x + table[: x.shape[0]]", "y = x + table[:len(x)]"):
        assert says in sure(f"{head}    {line}\n    return x", given), line
    assert f"`T` in `T, B, d = x.shape` {says}" in sure(f"{head}    T, B, d = x.shape\n    return x", given)
    for line in (
        "T = x.shape[1]",
        "B, T, d = x.shape",
        "rows = torch.arange(len(x))",
        "y = x[: len(x)]",
        "d = table.shape[-1]",
    ):
        assert sure(f"{head}    {line}\n    return x", given) == "", line


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("a + b / 2", "`(a + b) / 2`"),
        ("(a - b) / 2 * eps", "`(a - b) / (2 * eps)`"),
        ("a / base ** b / d", "`base ** (b / d)`"),
        ("base ** (2 * b) / d", "`base ** (2 * b / d)`"),
    ],
)
def test_brackets_that_seem_to_be_missing_are_asked_for(line: str, meant: str) -> None:
    finding = first_slip(written(f"def answer(a, b, base, d, eps):\n    return {line}"), {})
    assert finding is not None and meant in str(finding.next_step)


@pytest.mark.parametrize(
    "line", ["(a + b) / 2", "a + 1 / 2", "a ** 2 / d", "2 ** a / d", "a / d * b", "a * b / 2", "a + b / d"]
)
def test_where_brackets_are_not_missing_nothing_is_said(line: str) -> None:
    assert first_slip(written(f"def answer(a, b, d):\n    return {line}"), {}) is None


def test_a_0_for_what_is_left_out_is_told_before_the_largest_is_taken() -> None:
    for mark in ("x[seen] = 0", "x = x.masked_fill(seen, -1)", "x.fill_diagonal_(0)", "x = torch.where(seen, x, 0.0)"):
        for last in ("x.topk(2)", "torch.argmax(x)", "x.softmax(-1)", "x.argsort(descending=True)"):
            finding = first_slip(written(f"def answer(x, seen):\n    {mark}\n    return {last}"), {})
            assert finding is not None and finding.kind == "left out", (mark, last)
    for mark, last in (("x[seen] = -1e9", "x.topk(2)"), ("x[seen] = 0", "x.argsort()"), ("x[0:2] = 0", "x.topk(2)")):
        assert first_slip(written(f"def answer(x, seen):\n    {mark}\n    return {last}"), {}) is None
