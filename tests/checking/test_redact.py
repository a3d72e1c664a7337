"""What a hidden verdict repeats of an answer: kinds, axes and names that are ours; no word or number of the answer's own."""

import pytest
import torch

from embedding_course.checking.call_fault import modified_fault, raised_fault
from embedding_course.checking.case import Case
from embedding_course.checking.compare import Comparison
from embedding_course.checking.mismatch import RESULT, Mismatch
from embedding_course.checking.observation import Observation, Place, Raised
from embedding_course.checking.redact import MAX_LISTED, redact, vocabulary
from embedding_course.checking.wire_data import NamedParts, OtherObject
from embedding_course.messages import Code, Count, Listing, Message
from tests.support.samples import double_reference, sample, verdict

CASE = Case("one", {"x": 1}, "all", {"mask": 2})
WORDS = vocabulary(CASE)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (Message("it gave {value}", value=0.582947), "it gave …"),
        (Message("it gave {value}", value=58), "it gave …"),
        (Message("it gave {value}", value="Seen_7"), "it gave …"),
        (Message("it gave {value}", value=["ab"]), "it gave …"),
        (Message("it gave {value}", value=Message("only {text}", text="0.12345")), "it gave only …"),
        (Message("a {kind}", kind="float32"), "a float32"),
        (Message("a {kind}", kind="generator"), "a generator"),
        (Message("raised {type}", type="ValueError"), "raised ValueError"),
        (Message("raised {type}", type="Told_58"), "raised …"),
        (Message("the argument `{name}`", name="x"), "the argument `x`"),
        (Message("the argument `{name}`", name="58.29471"), "the argument `…`"),
        (Message("{count} axes, line {line}", count=Count(3), line=Count(7)), "3 axes, line 7"),
        (Message("there is {code}", code=Code("`hidden.weight`")), "there is `hidden.weight`"),
        (Message("{names}", names=Listing(["x", "58", Code("y")])), "x, … and y"),
        (Message.plural("{count} entry", "{count} entries", 1), "… entries"),
        (Message.plural("{count} axis", "{count} axes", Count(1)), "1 axis"),
        (Message("the text holds {braces}: 58"), "the text holds {braces}: 58"),
    ],
)
def test_what_is_repeated(message: Message, shown: str) -> None:
    assert str(redact(message, WORDS)) == shown


class Word(str):
    """A class of a learner's own, as the vocabulary never holds it."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("x")


def test_a_value_that_claims_to_be_a_known_word_is_not_shown() -> None:
    assert str(redact(Message("{name}", name=Word("58")), WORDS)) == "…"


def test_a_listing_has_an_end() -> None:
    long = Message("{names}", names=Listing([Code("word")] * 5_000))
    assert str(redact(long, WORDS)).count("word") == MAX_LISTED


@pytest.mark.parametrize(
    ("expected", "received", "shown"),
    [
        (torch.ones(3, 2), torch.ones(3, 47), "The size of the result along axis 1 is not the expected one."),
        (
            torch.ones(3, 2, 5),
            torch.ones(9, 2, 47),
            "The sizes of the result along the axes 0 and 2 are not the expected ones.",
        ),
        (torch.ones(3, 2), torch.ones(47), "The number of axes of the result is 1; 2 was expected."),
        (torch.ones(3), OtherObject("Seen_7"), "a tensor with 1 axis was expected; an object of type … came back."),
        (torch.ones(3), OtherObject("generator"), "a tensor with 1 axis was expected; an object of type generator came back."),
        (torch.ones(3), ["Seen_7"] * 47, "a tensor with 1 axis was expected; a list or tuple came back."),
        (torch.ones(3), torch.ones(3).double(), "The dtype of the result is float64; float32 was expected."),
        (torch.ones(3), torch.tensor([1, 0.582, 1]), "Some entries of the result are wrong."),
        ([1, 2], [1] * 47, "There are too many entries in the result."),
        ([1, 2], [1, 47], "The value of entry … of the result is wrong."),
        ({"a": 1}, {"a": 47}, "An entry of the result is wrong."),
        ({"a": 1}, {"Seen_7": 47}, "some are missing and some are too many."),
        ("word", "Seen_7", "The value of the result is wrong."),
        (2.0, torch.ones(47), "a single number was expected; a tensor of type float32 with 1 axis came back."),
    ],
)
def test_no_value_and_no_size_of_a_hidden_case_is_shown(expected: object, received: object, shown: str) -> None:
    mismatch = Comparison().leaf(expected, received, RESULT)
    assert mismatch is not None
    text = _redacted(mismatch)
    assert shown in text and not any(secret in text for secret in ("47", "Seen", "582"))


def test_a_part_is_named_as_the_exercise_names_it() -> None:
    expected, received = NamedParts(loss=1.0), NamedParts(loss=47.0, seen_7=1.0)
    mismatch = Comparison()(Observation(expected), Observation(received), CASE)
    assert mismatch is not None and _redacted(mismatch) == "The value of the loss is wrong."


def test_an_exception_keeps_only_a_type_of_python_s_own() -> None:
    for name, shown in (("ValueError", "The answer raised ValueError."), ("Seen_7", "The answer raised an exception.")):
        raised = Raised((name, "Exception"), "58.29471", Place(47, "58.29471", "forward", "Seen_7", 58))
        assert _redacted(raised_fault(Observation(raised=raised))) == shown


def test_only_arguments_that_a_case_passes_are_named_as_changed() -> None:
    seen = Observation(1, modified=("mask", "58.29471"))
    assert "`mask` and `…`" in _redacted(modified_fault(seen))


def test_a_hidden_verdict_shows_a_message_only_redacted() -> None:
    leak = Mismatch("property", Message("It is {value}.", value=58.29471))
    exercise = sample(lambda draw: iter([Case("one", {"x": 1}, "all")]), compare=lambda expected, got, case: leak)
    assert "58.29471" in verdict(exercise, double_reference, double_reference).message
    assert "It is …." in verdict(exercise, double_reference, double_reference, hidden=True).message


def _redacted(mismatch: Mismatch) -> str:
    return str(redact(mismatch.hidden or mismatch.message, WORDS))
