"""Code that may cut a graph or change a dtype or a shape, which a next step suggests to remove."""

import re
from collections.abc import Sequence

from ...messages import Code, Count, Listing, Message
from .answer_tree import Written

_QUOTED = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[^\W\d]\w*")
#: What may cut a graph, change the type of the entries, or change the shape.
_SUSPECTS = {
    "type": (
        "float", "double", "half", "float32", "float64", "FloatTensor", "type", "astype", "to", "numpy", "item", "tolist",
        "tensor", "as_tensor", "zeros", "ones", "full", "empty", "eye", "arange", "linspace", "dtype",
    ),
    "graph": (
        "detach", "no_grad", "inference_mode", "data", "item", "tolist", "numpy", "from_numpy", "tensor", "as_tensor",
        "requires_grad_", "Parameter", "argmax", "argsort", "round", "long", "int",
    ),
    "shape": (),
}  # fmt: skip
#: The words by which a topic is known.
_TOPICS = {
    "type": {"float", "double", "half", "float32", "dtype", "astype"},
    "graph": {"detach", "data", "no_grad", "inference_mode", "item", "tolist", "numpy", "tensor", "requires_grad"},
    "shape": {"squeeze", "unsqueeze", "flatten", "view", "reshape", "keepdim", "transpose"},
}
_LOOK = {
    "type": Message("Print `.dtype` of what each line makes: the first that is not the input's is where it changes."),
    "graph": Message(
        "Print `.requires_grad` of what each line makes: the first False behind a True is where the gradient stops."
    ),
    "shape": Message("Print `.shape` of what each line makes, and find the first that you did not expect."),
}


def code_to_remove(next_step: str, mistake: str, right: str) -> tuple[str, ...]:
    """Return the code that a next step asks to remove or to replace.

    Parameters
    ----------
    next_step : str
        The next step of a known mistake, with code in backquotes.
    mistake, right : str
        The texts of the mistake and of the right answer. None of this code stands in the second, and some of it in the first.

    Examples
    --------
    >>> code_to_remove("Leave `.float()` out, and use `x.sum()`.", "return x.float().sum()", "return x.sum()")
    ('.float()',)
    """
    bare = {piece: piece.removesuffix("()") for piece in _QUOTED.findall(next_step) if _topic([piece])}
    pieces = tuple(piece for piece, text in bare.items() if text not in right)
    return pieces if any(bare[piece] in mistake for piece in pieces) else ()


def in_place_of(removes: Sequence[str], written: Written) -> list[Message]:
    """Return what to look at in an answer that does not hold the code which a next step asks to remove."""
    here = [piece for piece in removes if written.line_of(piece)]
    if len(here) == len(removes):
        return []
    if here:
        locations = [Message("`{code}` in line {line}", code=Code(piece), line=Count(written.line_of(piece))) for piece in here]
        return [Message("In your answer that is {places}.", places=Listing(locations))]
    absent = Message("Your answer does not hold {code}.", code=Listing([Code(f"`{piece}`") for piece in removes], _OR))
    return [absent, *suspects(_topic(removes), written)]


def suspects(topic: str, written: Written) -> list[Message]:
    """Return the first lines of an answer that may change a type, or cut a graph, and how to find the line that does."""
    lines = sorted({(written.words[word], word) for word in _SUSPECTS[topic] if word in written.words})
    locations = [Message("`{code}` in line {line}", code=Code(word), line=Count(line)) for line, word in lines[:2]]
    first = [Message("Look first at {places}.", places=Listing(locations))] if locations else []
    return [*first, _LOOK[topic]]


_OR = Message("{names} or {last}")


def _topic(pieces: Sequence[str]) -> str:
    words = {word for piece in pieces for word in _WORD.findall(piece)}
    return next((topic for topic, known in _TOPICS.items() if words & known), "")
