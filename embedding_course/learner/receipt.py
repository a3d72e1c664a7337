"""Write and verify the receipt in a submitted file: hashes of the file, local time, and results of the public checks.

A receipt holds hashes and no signature: a key on a learner's machine would be in the learner's hands. It can show whether a
file is the one that its receipt describes, and nothing else: anybody can write a receipt by hand, or copy one with its file.
A receipt does not prove who wrote the file and when, that the points were earned, or that the file was handed in. Its *code*
can do more: whoever received it can later confirm that this very file existed by then.
"""

from __future__ import annotations

import copy
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from ..checking.intake.cells import KEY
from ..checking.public_version import CHECKS, public_version
from .notebook_tree import answers_digest

if TYPE_CHECKING:
    from .doctor.report import Report


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Hold the claims of a submitted file about itself.

    `notebook` is the hash of the whole file without the receipt, `answers` that of its cell sources; `time` is the learner's
    clock, in UTC; the scores are those of the public checks on the learner's machine. `versions` are those of Python, of
    packages, and of the public checks.
    """

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
    """Hold a receipt and its comparison with the file that contains it.

    `whole` is true if it describes this very file, `answers` if it describes a file with the same cell sources.
    """

    receipt: Receipt | None
    whole: bool = False
    answers: bool = False


def notebook_digest(tree: dict[str, Any]) -> str:
    """Return a hash of a notebook's content without its receipt; line ends and indentation of the file are ignored."""
    text = json.dumps(_without_receipt(tree), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def stamped(tree: dict[str, Any], report: Report, time: str) -> tuple[dict[str, Any], Receipt]:
    """Return the notebook with a receipt in its metadata, and the receipt."""
    receipt = Receipt(
        topic=report.topic,
        time=time,
        notebook=notebook_digest(tree),
        answers=answers_digest(tree),
        score=float(report.score),
        max_score=float(report.max_score),
        extra=float(report.extra),
        how=report.how,
        versions={**report.versions, CHECKS: public_version(report.topic)},
        exercises={result.exercise: float(result.score) for result in report.results},
    )
    tree = _without_receipt(tree)
    metadata = tree.setdefault("metadata", {})
    metadata[KEY] = {**_mapping(metadata.get(KEY)), "receipt": msgspec.to_builtins(receipt)}
    return tree, receipt


def code_of(receipt: Receipt) -> str:
    """Return a code of sixteen hexadecimal digits for a receipt, short enough for an e-mail or a form.

    Another receipt has the same code with a probability of 2^-64. A learner's machine can compute it, so it proves nothing by
    itself; only having received it early does.
    """
    digits = hashlib.sha256(msgspec.json.encode(msgspec.to_builtins(receipt), order="sorted")).hexdigest()[:16]
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def verify(tree: dict[str, Any]) -> Verified:
    """Compare the receipt of a notebook with the notebook. Without a readable receipt, `receipt` is None."""
    content = _mapping(_mapping(tree.get("metadata")).get(KEY)).get("receipt")
    try:
        receipt = msgspec.convert(content, Receipt)
    except msgspec.ValidationError:
        return Verified(None)
    whole = receipt.notebook == notebook_digest(tree) and receipt.answers == answers_digest(tree)
    return Verified(receipt, whole, receipt.answers == answers_digest(tree))


def _without_receipt(tree: dict[str, Any]) -> dict[str, Any]:
    tree = copy.deepcopy(tree)
    ours = _mapping(_mapping(tree.get("metadata")).get(KEY))
    ours.pop("receipt", None)
    if not ours:
        _mapping(tree.get("metadata")).pop(KEY, None)
    return tree


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
