"""The shipped expectations: public inputs, right results and the fingerprints of known mistakes.

One JSON and one safetensors file per notebook, made by `grader build`. They let the learner's kernel judge an
answer at once without holding a line of reference code.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors.torch import load_file, save_file

from .codec import decode, decode_observation, encode, encode_observation
from .exercise import Case
from .fingerprint import Fingerprint
from .observation import Observation

__all__ = ["FOLDER", "PUBLIC_SEED", "Expectation", "load", "save"]

FOLDER = Path(__file__).parent.parent / "expected"
#: The seed of the public cases. Hidden ones use a fresh seed each time.
PUBLIC_SEED = 20


@dataclass(frozen=True)
class Expectation:
    """All that is shipped of one exercise's public check."""

    cases: tuple[Case, ...]
    expected: tuple[Observation, ...]
    fingerprints: tuple[Fingerprint, ...]


def save(topic: str, expectations: dict[str, Expectation], folder: Path = FOLDER) -> None:
    """Write the two files of one notebook."""
    tensors: list[torch.Tensor] = []
    tree = {name: _encode(entry, tensors) for name, entry in expectations.items()}
    folder.mkdir(parents=True, exist_ok=True)
    text = msgspec.json.format(msgspec.json.encode(tree), indent=1)
    (folder / f"{topic}.json").write_bytes(text + b"\n")
    path = folder / f"{topic}.safetensors"
    save_file({str(index): tensor.clone() for index, tensor in enumerate(tensors)}, path)
    path.chmod(0o644)


@cache
def load(topic: str, folder: Path = FOLDER) -> dict[str, Expectation]:
    """Read the two files of one notebook. FileNotFoundError when they were never built."""
    tree = msgspec.json.decode((folder / f"{topic}.json").read_bytes())
    named = load_file(folder / f"{topic}.safetensors")
    tensors = [named[str(index)] for index in range(len(named))]
    return {name: _decode(entry, tensors) for name, entry in tree.items()}


def _encode(entry: Expectation, tensors: list[torch.Tensor]) -> dict[str, Any]:
    return {
        "cases": [_encode_case(case, tensors) for case in entry.cases],
        "expected": [encode_observation(one, tensors) for one in entry.expected],
        "fingerprints": [
            {
                "slug": one.slug,
                "diagnosis": one.diagnosis,
                "next_step": one.next_step,
                "observations": [_maybe(seen, tensors) for seen in one.observations],
            }
            for one in entry.fingerprints
        ],
    }


def _maybe(seen: Observation | None, tensors: list[torch.Tensor]) -> dict[str, Any] | None:
    return None if seen is None else encode_observation(seen, tensors)


def _encode_case(case: Case, tensors: list[torch.Tensor]) -> dict[str, Any]:
    return {
        "name": case.name, "criterion": case.criterion, "args": encode(dict(case.args), tensors),
        "options": encode(dict(case.options), tensors), "call": case.call, "because": case.because,
    }  # fmt: skip


def _decode(tree: dict[str, Any], tensors: list[torch.Tensor]) -> Expectation:
    cases = tuple(
        Case(
            name=one["name"], criterion=one["criterion"], args=decode(one["args"], tensors),
            options=decode(one["options"], tensors), call=one["call"], because=one["because"],
        )
        for one in tree["cases"]
    )  # fmt: skip
    fingerprints = tuple(_fingerprint(one, tensors) for one in tree["fingerprints"])
    return Expectation(cases, _observations(tree["expected"], tensors), fingerprints)


def _observations(trees: Iterable[dict[str, Any]], tensors: list[torch.Tensor]) -> tuple[Observation, ...]:
    return tuple(decode_observation(one, tensors) for one in trees)


def _fingerprint(tree: dict[str, Any], tensors: list[torch.Tensor]) -> Fingerprint:
    seen = tuple(None if one is None else decode_observation(one, tensors) for one in tree["observations"])
    return Fingerprint(tree["slug"], tree["diagnosis"], tree["next_step"], seen)
