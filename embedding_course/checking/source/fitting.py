"""A next step that speaks of the learner's own code: what it asks to take away has to stand there."""

from __future__ import annotations

import re

from ..grammar import in_a_row
from .written import Written

__all__ = ["fitting"]

#: A clause that asks to take something away: "Leave `squeeze` out", "no `.float()`", "without `.detach()` or `.data`".
_TAKES_AWAY = re.compile(
    r"(?P<start>^|[.;:,]? )(?P<clause>"
    r"(?:[Ll]eave|[Tt]ake) (?P<out>[^.;:]*?`[^;:]*?) (?:out|away)\b(?: of [^.;:,]*)?"
    r"|[Ll]eave out (?P<left>`[^;:]*?)(?=[.;:,](?:\s|$)|$)"
    r"|(?P<how>[Nn]o|[Ww]ithout) (?P<no>`[^;:]*?)(?=[.;:](?:\s|$)|$)"
    r"|[Ll]ook for (?P<look>an? `[^;:]*?)(?=[.;:](?:\s|$)|$)"
    r")"
)
_QUOTED = re.compile(r"`([^`]+)`")
#: What may cut a graph, and what may change the type of the entries, where the usual words do not stand in the answer.
_SUSPECTS = {
    "graph": ("detach", "no_grad", "inference_mode", "data", "item", "tolist", "numpy", "from_numpy", "tensor", "as_tensor",
              "requires_grad_", "Parameter", "argmax", "argsort", "round", "long", "int"),
    "type": ("float", "double", "half", "float32", "float64", "FloatTensor", "type", "astype", "to", "numpy", "item", "tolist",
             "tensor", "as_tensor", "zeros", "ones", "full", "empty", "eye", "arange", "linspace", "dtype"),
}  # fmt: skip
_NEUTRAL = {
    "graph": "Print `.requires_grad` of what each line makes: the first False behind a True is where the gradient stops.",
    "type": "Print `.dtype` of what each line makes: the first that is not the input's is where it changes.",
    "shape": "Print `.shape` of what each line makes, and find the first that you did not expect.",
    "": "Which line of yours does that? Print what each of them makes.",
}
_OF_THE_GRAPH = {"detach", "data", "no_grad", "inference_mode", "item", "tolist", "numpy", "tensor", "requires_grad"}
_OF_THE_TYPE = {"float", "double", "half", "float32", "dtype", "astype"}
_OF_THE_SHAPE = {"squeeze", "unsqueeze", "flatten", "view", "reshape", "keepdim", "transpose"}


def fitting(step: str, written: Written | None) -> str:
    """The next step, naming of what is to be taken away only what stands in the answer; where nothing of it does, a step that
    can be taken in any code.

    Where the text of the answer is not known, the step as it is.
    """
    if written is None:
        return step
    for found in _TAKES_AWAY.finditer(step):
        if found["clause"].endswith((" on it", " is needed")):  # of one thing among others that have it too; no request
            continue
        named = _QUOTED.findall(found["out"] or found["left"] or found["no"] or found["look"] or "")
        there = [name for name in named if written.line_of(name)]
        if named and len(there) == len(named):
            continue
        if there:
            return _only(there, step, found, written)
        return _another(named, step, found, written)
    return step


def _only(there: list[str], step: str, found: re.Match[str], written: Written) -> str:
    """Of several pieces of code those that stand in the answer, with the line of each."""
    said = in_a_row([f"`{name}` (line {written.line_of(name)})" for name in there])
    return _put(f"Leave {said} out", step, found)


def _another(named: list[str], step: str, found: re.Match[str], written: Written) -> str:
    """None of them stands there: what else may do the same, and how to find the line."""
    topic = _topic(named)
    lines = sorted({(written.words[word], word) for word in _SUSPECTS.get(topic, ()) if word in written.words})
    neutral = _NEUTRAL[topic]
    if lines:
        neutral = f"Look first at {in_a_row([f'`{word}` in line {line}' for line, word in lines[:2]])}. {neutral}"
    rest = _rest(step, found)
    return f"{rest} {neutral}" if rest else neutral


def _topic(named: list[str]) -> str:
    words = {word for name in named for word in re.findall(r"\w+", name)}
    topics = {"type": _OF_THE_TYPE, "graph": _OF_THE_GRAPH, "shape": _OF_THE_SHAPE}
    return next((topic for topic, known in topics.items() if words & known), "")


def _put(clause: str, step: str, found: re.Match[str]) -> str:
    before, after = step[: found.start()].rstrip(" ,:;"), step[found.end() :]
    if not before:
        return f"{clause}{after}"
    return f"{before}{'' if before.endswith('.') else '.'} {clause}{after}"


def _rest(step: str, found: re.Match[str]) -> str:
    """What the step says beside the clause."""
    before = re.sub(r",? (?:and|then)$", "", step[: found.start()].rstrip(" ,:;"))
    after = re.sub(r"^(?:or|and) ", "", step[found.end() :].lstrip(" ,:;."))
    parts = [part if part.endswith((".", "?")) else f"{part}." for part in (before, after) if part]
    return " ".join(part[0].upper() + part[1:] for part in parts)
