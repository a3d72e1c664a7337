"""What learners typed and no verdict explained: each is told now, with the cause that stands in the cell."""

import dataclasses

import pytest
import torch

from embedding_course.checking.compare import Comparison
from embedding_course.checking.mismatch import RESULT
from embedding_course.checking.observation import Observation
from embedding_course.checking.observe import observe
from embedding_course.checking.render import as_html, as_text
from embedding_course.checking.result import Result
from embedding_course.exercises import find_exercise
from grader.course_source.catalogue import callable_of, reference_source
from grader.course_source.prepared import prepared

pytestmark = pytest.mark.slow

IMPORTS = "import math\nimport numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"
SEED = 11


def judged(name: str, text: str) -> Result:
    """The hidden verdict on an answer with this text."""
    ready = prepared(name, SEED)
    answer = callable_of(text, ready.exercise)
    seen = [observe(ready.exercise, answer, case) for case in ready.cases]
    return ready.judge(seen, [text])


def verdict(name: str, changes: dict[str, str]) -> Result:
    """The hidden verdict on the right answer with these passages replaced."""
    text = reference_source(find_exercise(name))
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return judged(name, text)


@pytest.mark.parametrize(
    ("name", "changes", "says", "step"),
    [
        ("02.moved_rows", {'== "adamw"': '== "adamW"'}, "compares `optimizer` with 'adamW', which is never passed", "letter"),
        ("06.LearnedPositions", {"x.shape[1]": "x.shape[0]"}, "takes B, the number of sentences", "T is `x.shape[1]`"),
        ("06.input_embedding", {"tokens.shape[1]": "tokens.shape[0]"}, "takes B, the number of sentences", "T is"),
        ("09.LogitScale", {"self.log.clamp_(": "self.log.clamp("}, "returns a new tensor, which is thrown away", "clamp_"),
        (
            "03.renorm_rows",
            {"return weight": "norms.clamp(min=max_norm)\n    return weight", ".clamp(min=max_norm))": ")"},
            "`norms.clamp(min=max_norm)` returns a new tensor, which is thrown away",
            "clamp_",
        ),
        ("04.train_step", {"optimizer.step()": "optimizer.step"}, "names `optimizer.step` and does not call it", "step()"),
        ("09.mine_hard_negatives", {">= limit": "> limit"}, "comes back as a negative", ">="),
        ("06.sinusoidal_positions", {"(even_columns / d)": "even_columns / d"}, "takes the power", "(even_columns / d)"),
        ("06.apply_rope", {"rope_angles(": "rope_angle("}, "did you mean `rope_angles`?", "rope_angles"),
        ("01.one_hot", {"torch.eye(": "torch.eyes("}, "did you mean `eye`?", "eye"),
        (
            "09.info_nce",
            {"F.normalize(candidates)": "F.normalize(candidates, dmi=1)"},
            "has no argument `dmi`. Did you mean `dim`?",
            "dim",
        ),
        ("08.pool_max", {".amax(dim=1)": ".max(dim=1)"}, "a tuple is used as if it were one tensor", "[0]"),
        (
            "03.lookup_with_max_norm_",
            {"weight[rows] = renorm_rows(weight[rows], ": "return renorm_rows(weight[ids], "},
            "`weight` should have changed, and it is as it was",
            "Write into the tensor",
        ),
        ("09.warmup_cosine", {"math.pi * passed": "passed"}, "from 0 to 1 and not from 0 to pi", "cos(pi p)"),
        ("11.inverted_file_search", {'float("-inf")': "-1"}, "puts -1 where something is to be left out", "-inf"),
    ],
)
def test_the_cause_is_told(name: str, changes: dict[str, str], says: str, step: str) -> None:
    result = verdict(name, changes)
    assert not result.passed and says.lower() in result.diagnosis.lower() and step in result.next_step


ENTROPY = """
def conditional_probabilities(distances, perplexity):
    result = torch.zeros_like(distances)
    for i, row in enumerate(distances.double()):
        low, high = -40.0, 40.0
        for _ in range(60):
            middle = (low + high) / 2
            p = torch.exp(-math.exp(middle) * row)
            p[i] = 0
            p = p / p.sum()
            entropy = -(p * p.log()).sum()
            low, high = (middle, high) if entropy > math.log(perplexity) else (low, middle)
        result[i] = p.to(distances.dtype)
    return result
"""
SEEN_GET_0 = """
def recommend(users, items, seen, k):
    scores = F.normalize(users) @ F.normalize(items).T
    scores[seen] = 0
    return scores.topk(min(k, len(items)), dim=1).indices
"""
ZIPPED = """
def embedding_grad(ids, grad_output, num_embeddings):
    gradient = grad_output.new_zeros(num_embeddings, grad_output.shape[-1])
    for row, vector in zip(ids.flatten(), grad_output):
        gradient[row] += vector
    return gradient
"""
OF_ALL_ROWS = """
def softmax_cross_entropy_grad(logits, targets):
    p = logits.exp() / logits.exp().sum()
    p[range(len(p)), targets] -= 1
    return p / len(p)
"""


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("10.conditional_probabilities", ENTROPY, "every comparison with nan is False"),
        ("10.conditional_probabilities", ENTROPY.replace("p.log()", "torch.log(p)"), "every comparison with nan is False"),
        ("09.recommend", SEEN_GET_0, "0 is above every number that is smaller"),
        ("09.recommend", SEEN_GET_0.replace("scores[seen] = 0", "scores = scores.masked_fill(seen, 0)"), "0 is above"),
        ("02.embedding_grad", ZIPPED, "with the first axis of `grad_output`"),
        ("02.softmax_cross_entropy_grad", OF_ALL_ROWS, "over the whole matrix"),
    ],
)
def test_the_cause_is_told_of_answers_written_anew(name: str, text: str, says: str) -> None:
    result = judged(name, IMPORTS + text)
    assert not result.passed and says in result.diagnosis and result.next_step


def test_nan_is_said_before_a_mistake_is_named() -> None:
    result = verdict("08.pool_mean", {".clamp(min=1)": ""})
    assert result.mistake == "nan_for_an_empty_row"
    assert result.diagnosis.startswith("Your result holds nan in this case.")


def test_nan_that_nothing_known_explains_gets_its_line() -> None:
    result = verdict("04.sgns_loss", {"F.logsigmoid(near)": "torch.log(torch.sigmoid(near))"})
    assert result.diagnosis.startswith("Your result holds nan in this case. Line ") and "`torch.log(" in result.diagnosis


def test_two_mistakes_at_once_are_told_of_hidden_cases_too() -> None:
    result = verdict("07.scaled_dot_product_attention", {" / math.sqrt(q.shape[-1])": "", "dim=-1)": "dim=-2)"})
    assert result.mistake == "no_scale" and "The second: The softmax goes over the queries" in result.diagnosis


def test_where_a_case_fails_by_its_type_no_other_cause_comes_first() -> None:
    changes = {
        "matrix[padding_idx], found[padding_idx] = 0, False": "pass",
        "dtype=torch.float32, generator": "dtype=torch.float64, generator",
    }
    result = verdict("02.load_pretrained", changes)
    assert result.stage == "dtype" and result.diagnosis.startswith("Besides the wrong type: `padding_idx` is never read")
    assert "dtype" in result.next_step


@pytest.mark.parametrize(
    ("right", "other", "says"),
    [
        (torch.tensor([1, 2, 9]), torch.tensor([1, 3, 40]), "The first is at index 1: 3, not 2"),
        (torch.tensor([1.0, 2, 9]), torch.tensor([1.0, 3, 40]), "The largest difference is at index 2: 40, not 9"),
    ],
)
def test_how_far_apart_two_indices_lie_is_never_said(right: torch.Tensor, other: torch.Tensor, says: str) -> None:
    fault = Comparison().leaf(right, other, RESULT)
    assert fault is not None and says in str(fault.message)


def test_a_row_of_indices_in_any_order_says_which_do_not_belong() -> None:
    exercise = find_exercise("09.mine_hard_negatives")
    case = dataclasses.replace(prepared(exercise.id, SEED).cases[0], args={"positives": torch.tensor([3])})
    right, other = Observation(torch.tensor([[5, 7]])), Observation(torch.tensor([[7, 3]]))
    fault = exercise.compare(right, other, case)
    assert fault is not None and str(fault.message) == (
        "1 of 1 rows hold other indices than expected, the row's own positive among them. In row 0 that is 3: [3, 7], not "
        "[5, 7]."
    )
    assert exercise.compare(right, Observation(torch.tensor([[7, 5]])), case) is None


def test_below_a_verdict_further_failures_are_folded() -> None:
    result = verdict("07.scaled_dot_product_attention", {" / math.sqrt(q.shape[-1])": "", "~mask": "mask"})
    failing = [criterion for criterion in result.criteria if criterion.message]
    assert len(failing) > 1
    folded = as_html(result)
    assert folded.count("<details>") == len(failing) - 1
    assert as_text(result).count("In a hidden case") == 1 and "(fails in “" in as_text(result)


TRAIN_STEP = """
def train_step(model, batch, loss_fn, optimizer):
    x, y = batch
    loss = loss_fn(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
"""


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("    optimizer.step()\n", "", "no line calls `optimizer.step()`"),
        (
            "    optimizer.step()",
            "    optimizer.zero_grad()\n    optimizer.step()",
            "clears the gradients between backward and step",
        ),
        (
            "    loss.backward()\n    optimizer.step()",
            "    optimizer.step()\n    loss.backward()",
            "takes the step before line",
        ),
        ("    x, y = batch", "    x, y = batch\n    optimizer = torch.optim.Adam(model.parameters())", "makes a new optimizer"),
        ("model(x)", "model(batch)", "A tuple or a list is passed where one tensor is needed"),
        ("model(x), y)", "model(x), y).item()", "`backward` belongs to tensors, and this is a Python number"),
    ],
)
def test_a_training_step_out_of_order_is_told_by_its_line(old: str, new: str, says: str) -> None:
    result = judged("04.train_step", IMPORTS + TRAIN_STEP.replace(old, new, 1))
    assert not result.passed and says in result.diagnosis


def test_an_argument_of_the_constructor_is_no_name_in_forward() -> None:
    result = verdict("04.NPLM", {"if self.direct is None": "if not direct"})
    assert "`direct` is an argument of `__init__`" in result.diagnosis and result.next_step == "Use `self.direct` there."


def test_a_small_number_inside_a_logarithm_is_no_help() -> None:
    result = verdict("04.sgns_loss", {"F.logsigmoid(near)": "torch.log(torch.sigmoid(near) + 1e-9)"})
    assert "the small number in" in result.diagnosis and "F.logsigmoid" in result.next_step


@pytest.mark.parametrize(
    ("line", "mistake", "step"),
    [
        ("scores[~mask] = -1e9", None, "Write `scores = scores.masked_fill(~mask, -1000000000.0)`"),
        ("low[mask] = scores[mask]", "mask_of_full_shape_only", "`mask.expand(scores.shape)`"),
    ],
)
def test_masked_fill_is_advised_only_where_one_number_is_stored(line: str, mistake: str | None, step: str) -> None:
    low = "low = torch.full_like(scores, float('-inf')); " if line.startswith("low") else "low = scores; "
    text = (
        "def scaled_dot_product_attention(q, k, v, mask=None):\n"
        "    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])\n"
        "    if mask is None:\n        weights = torch.softmax(scores, dim=-1)\n        return weights @ v, weights\n"
        f"    {low}{line}\n"
        "    weights = torch.softmax(low, dim=-1).masked_fill(~mask, 0)\n    return weights @ v, weights\n"
    )
    result = judged("07.scaled_dot_product_attention", IMPORTS + text)
    assert result.mistake == mistake and step in result.next_step
