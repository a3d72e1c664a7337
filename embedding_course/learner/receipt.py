"""The receipt in a file that `submit` wrote: which file, what time the machine's clock said, what the public checks gave there.

It holds hashes and no signature: a key on a learner's machine would be in the learner's hands. So it can be said of a file
whether it is the one that its receipt speaks of, and nothing else: anybody can write a receipt by hand, or copy one with its
file. Who wrote either of them and when, whether the points were earned and whether the file was handed in, no receipt shows.
Its *code* can do more: somebody to whom it was sent can say later that this very file was there by then.
"""

from __future__ import annotations

import copy
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from ..checking.intake.cells import KEY
from .notebook_tree import answers_digest

if TYPE_CHECKING:
    from .doctor.report import Report

__all__ = ["Receipt", "Verified", "code_of", "notebook_digest", "stamped", "verify"]


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """`notebook` is the hash of the whole file but for the receipt, `answers` that of what its cells say; `time` is the
    learner's clock, in UTC; the scores are what the public checks gave on the learner's machine. All of it is a claim."""

    format: int = 1
    topic: str
    time: str
    notebook: str
    answers: str
    score: float
    max_score: float
    extra: float
    exercises: dict[str, float]
    how: str
    versions: dict[str, str]


@dataclass(frozen=True)
class Verified:
    """A receipt held against the file it stands in. `whole`: it speaks of just this file; `answers`: of a file whose cells have
    the same text."""

    receipt: Receipt | None
    whole: bool = False
    answers: bool = False


def notebook_digest(tree: dict[str, Any]) -> str:
    """A hash of a notebook's content, without its receipt; line ends and indentation of the file do not enter."""
    text = json.dumps(_without(tree), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def stamped(tree: dict[str, Any], report: Report, time: str) -> tuple[dict[str, Any], Receipt]:
    """The notebook with a receipt in its metadata, and the receipt."""
    receipt = Receipt(
        topic=report.topic, time=time, notebook=notebook_digest(tree), answers=answers_digest(tree), score=float(report.score),
        max_score=float(report.max_score), extra=float(report.extra), how=report.how, versions=report.versions,
        exercises={result.exercise: float(result.score) for result in report.results},
    )  # fmt: skip
    tree = _without(tree)
    metadata = tree.setdefault("metadata", {})
    metadata[KEY] = {**_mapping(metadata.get(KEY)), "receipt": msgspec.to_builtins(receipt)}
    return tree, receipt


def code_of(receipt: Receipt) -> str:
    """Sixteen hexadecimal digits for this receipt, short enough for an e-mail or a form. By chance another one has them once in
    2^64 times.

    A learner's machine can compute it, so it proves nothing by itself; only having received it early does.
    """
    digits = hashlib.sha256(msgspec.json.encode(msgspec.to_builtins(receipt), order="sorted")).hexdigest()[:16]
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def verify(tree: dict[str, Any]) -> Verified:
    """Hold the receipt of a notebook against the notebook. Without one, or with one that cannot be read, `receipt` is None."""
    told = _mapping(_mapping(tree.get("metadata")).get(KEY)).get("receipt")
    try:
        receipt = msgspec.convert(told, Receipt)
    except msgspec.ValidationError:
        return Verified(None)
    whole = receipt.notebook == notebook_digest(tree) and receipt.answers == answers_digest(tree)
    return Verified(receipt, whole, receipt.answers == answers_digest(tree))


def _without(tree: dict[str, Any]) -> dict[str, Any]:
    tree = copy.deepcopy(tree)
    ours = _mapping(_mapping(tree.get("metadata")).get(KEY))
    ours.pop("receipt", None)
    if not ours:
        _mapping(tree.get("metadata")).pop(KEY, None)
    return tree


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
