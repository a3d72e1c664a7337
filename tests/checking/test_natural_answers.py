"""What two novices typed first into notebooks 05 and 07: each gets a verdict that names what is wrong, or where it stands."""

import linecache
import math
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from embedding_course.checking.explanation import NOT_ALL
from embedding_course.checking.result import Result
from embedding_course.exercises import find_exercise
from embedding_course.learner.check import public_result
from grader.course_source.catalogue import reference_source, references

pytestmark = pytest.mark.slow

LSTM, DECODER, GREEDY = "05.lstm_cell", "05.Decoder", "05.greedy_decode"
ATTENTION, MULTI, BLOCK, LM, NORM = (
    "07.scaled_dot_product_attention",
    "07.MultiHeadAttention",
    "07.TransformerBlock",
    "07.TinyLM",
    "07.layer_norm",
)


def verdict(name: str, text: str) -> Result:
    """The public verdict on a cell with this text, run behind the notebook's right answers."""
    exercise = find_exercise(name)
    scope: dict[str, Any] = {
        **references(exercise.lesson.topic),
        "torch": torch,
        "nn": nn,
        "F": F,
        "math": math,
        "__name__": "__main__",
    }
    where = f"<ipykernel {name}>"
    linecache.cache[where] = (len(text), None, text.splitlines(keepends=True), where)
    exec(compile(text, where, "exec"), scope)
    return public_result(exercise, scope[exercise.name])


def changed(name: str, changes: dict[str, str]) -> str:
    """The right answer with these passages replaced."""
    text = reference_source(find_exercise(name))
    for old, new in changes.items():
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("name", "changes", "says"),
    [
        (LSTM, {"c = torch.sigmoid(f) * c + torch.sigmoid(i)": "f, i, o = f.sigmoid(), i.sigmoid(), o.sigmoid()\n"
                "    c = torch.sigmoid(f) * c + torch.sigmoid(i)"}, "twice"),
        (LSTM, {"torch.sigmoid(f) * c": "(1 - torch.sigmoid(i)) * c"}, "The forget gate is replaced by 1 - i"),
        (DECODER, {"self.output(hidden), state": "torch.relu(self.output(hidden)), state"}, "Scores below 0 are cut off"),
        (DECODER, {"self.output(hidden)": "self.output(nn.functional.dropout(hidden))"}, "drops numbers in every call"),
        (GREEDY, {"range(max_len)": "range(src.shape[1])"}, "max_len is the limit"),
        (GREEDY, {"logits.argmax(dim=-1)": "torch.multinomial(logits[:, -1].softmax(-1), 1)"}, "draws at random"),
        (ATTENTION, {"math.sqrt(q.shape[-1])": "math.sqrt(q.shape[1])"}, "The scale is the root of `q.shape[1]`"),
        (ATTENTION, {"torch.softmax(scores, dim=-1)": "torch.nn.Softmax()(scores)"}, "not told along which axis"),
        (ATTENTION, {"torch.softmax(scores, dim=-1)": "torch.softmax(scores)"}, "does not say along which axis"),
        (ATTENTION, {"torch.softmax(scores, dim=-1)": "torch.nn.Softmax(scores)"}, "makes a layer and does not call it"),
        (MULTI, {"self.k_proj(source)": "self.q_proj(source)", "self.v_proj(source)": "self.q_proj(source)"}, "q_proj makes"),
        (MULTI, {"attention(q, k, v, mask)": "attention(q, v, k, mask)"}, "Keys and values are swapped"),
        (MULTI, {"self.out_proj(mixed": "nn.Linear(x.shape[-1], x.shape[-1])(mixed"}, "makes a new `nn.Linear` whenever"),
        (BLOCK, {"self.norm1, self.norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)":
                 "self.norm1 = self.norm2 = nn.LayerNorm(d_model)"}, "norm1 and norm2 are one and the same layer"),
        (LM, {"length = ids.shape[1]": "length = ids.shape[0]"}, "the number of sentences"),
        (LM, {"x = block(x, seen)": "x = block(self.norm(x), seen)", "self.norm(x) @": "x @"}, "stands before every block"),
        (NORM, {"centred / torch.sqrt(variance + eps)": "(x - x.mean(-1, keepdim=True) / torch.sqrt(variance + eps))"},
         "Only the mean is divided"),
    ],
)  # fmt: skip
def test_it_is_named_or_shown_where_it_stands(name: str, changes: dict[str, str], says: str) -> None:
    result = verdict(name, changed(name, changes))
    assert says in result.diagnosis and result.next_step
    assert not result.passed and str(NOT_ALL) not in result.diagnosis


def test_a_fresh_cell_in_the_function() -> None:
    text = "def lstm_cell(x, state, params):\n    return torch.nn.LSTMCell(x.shape[1], state[0].shape[1])(x, state)\n"
    result = verdict(LSTM, text)
    assert result.diagnosis.startswith("Line 2 makes a new `torch.nn.LSTMCell` whenever it runs, with new random weights")
    assert result.next_step == "Compute with the tensors that `lstm_cell` is given, in place of that layer."


def test_two_mistakes_that_both_have_a_hand_in_every_number_are_both_named() -> None:
    result = verdict(LSTM, changed(LSTM, {"i, f, g, o =": "f, i, g, o =", ' + params["bias_hh"]': ""}))
    assert result.mistake == "input_and_forget_swapped"
    assert result.diagnosis.startswith("Two mistakes meet here.") and "Only bias_ih is added" in result.diagnosis


@pytest.mark.parametrize(
    ("name", "changes", "mistake"),
    [
        (
            DECODER,
            {"hidden, state =": "hidden, (c, h) =", "self.output(hidden), state": "torch.relu(self.output(hidden)), (h, c)"},
            "relu_after_the_output",
        ),
        (
            GREEDY,
            {
                "range(max_len)": "range(src.shape[1])",
                "if word == eos:": "if word == eos and row in going:\n"
                "                    sentences[row].append(word)\n                    going.discard(row)\n"
                "                elif word == eos:",
            },
            "eos_kept",
        ),
    ],
)
def test_of_two_that_show_apart_the_one_that_shows_first_is_named(name: str, changes: dict[str, str], mistake: str) -> None:
    result = verdict(name, changed(name, changes))
    assert result.mistake == mistake and result.diagnosis.endswith(
        (str(NOT_ALL), "Besides, something is wrong with the h: check again when this is fixed.")
    )


def test_lengths_that_are_counted_anew() -> None:
    result = verdict("05.Encoder", changed("05.Encoder", {"vectors =": "lengths = (src != 0).sum(dim=1)\n        vectors ="}))
    assert result.mistake == "lengths_from_zeros"


def test_what_a_known_mistake_asks_to_take_away_stands_in_the_answer() -> None:
    result = verdict(LSTM, changed(LSTM, {"return h, c": "return h.detach(), c.detach()"}))
    assert result.mistake == "no_graph" and result.next_step.endswith("In your answer that is `.detach()` in line 34.")
