"""The shipped expectations: public inputs, right results and the fingerprints of known mistakes.

One file an exercise, made by `grader build`. They let the learner's kernel judge an answer at once without holding a line of
reference code. A file is msgpack packed by zlib: a tree of plain data, and the tensors that it refers to as safetensors, each
once however often it occurs.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ..subject.course import course
from ..subject.tensors import torch
from .carried import key_of, read_pool, write_pool
from .case import Case
from .codec import decode, decode_observation, encode, encode_observation
from .fingerprint import Fingerprint, Trace
from .observation import Observation
from .process_state import as_at_the_start
from .two_mistakes import PairPrints

if TYPE_CHECKING:
    from .exercise import Exercise

__all__ = ["FOLDER", "PUBLIC_SEED", "Expectation", "encode_case", "file_of", "forget", "load", "save"]

FOLDER = course().home / "expected"
#: The seed of the public cases. Hidden ones use a fresh seed each time.
PUBLIC_SEED = 20


@dataclass(frozen=True)
class Expectation:
    """Everything that is shipped for the public check of one exercise."""

    cases: tuple[Case, ...]
    expected: tuple[Observation, ...]
    fingerprints: tuple[Fingerprint, ...]
    pairs: PairPrints | None = None


def file_of(exercise: Exercise, folder: Path | None = None) -> Path:
    """Return the file with the expected results of an exercise, such as `expected/05_lstm_seq2seq/attend.bin`."""
    return (folder or FOLDER) / exercise.lesson.topic / f"{exercise.stem}.bin"


def save(exercise: Exercise, expectation: Expectation, folder: Path | None = None) -> None:
    """Write the file of one exercise, unless it holds the same already."""
    path, body = file_of(exercise, folder), _packed(expectation)
    if path.exists() and _unpacked(path.read_bytes()) == body:
        return  # two versions of zlib may pack the same in two ways
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(zlib.compress(body, level=9))


def load(exercise: Exercise, folder: Path | None = None) -> Expectation:
    """Read the file of one exercise. FileNotFoundError when it was never built."""
    return _load(file_of(exercise, folder))


@cache
@as_at_the_start()
def _load(path: Path) -> Expectation:
    tree, indices, pool = msgspec.msgpack.decode(_unpacked(path.read_bytes()))
    kept = read_pool(pool)
    return _decode(tree, [kept[str(index)] for index in indices])


def forget() -> None:
    """Forget the files that were read, because they have been built again."""
    _load.cache_clear()


def _packed(expectation: Expectation) -> bytes:
    tensors: list[torch.Tensor] = []
    tree = _encode(expectation, tensors)
    pool: dict[tuple[Any, ...], int] = {}
    indices = [pool.setdefault(key_of(tensor), len(pool)) for tensor in tensors]
    kept = {str(index): tensor for index, tensor in zip(indices, tensors, strict=True)}
    return msgspec.msgpack.encode([tree, indices, write_pool(kept)])


def _unpacked(packed: bytes) -> bytes:
    """Return the unpacked content, or nothing if the file is damaged."""
    try:
        return zlib.decompress(packed)
    except zlib.error:
        return b""


def _encode(expectation: Expectation, tensors: list[torch.Tensor]) -> dict[str, Any]:
    prints = expectation.pairs
    pairs = [list(prints.places), prints.pairs, encode(prints.numbers, tensors)] if prints else None
    return {
        **({"pairs": pairs} if pairs else {}),
        "cases": [encode_case(case, tensors) for case in expectation.cases],
        "expected": [encode_observation(observation, tensors) for observation in expectation.expected],
        "fingerprints": [
            {
                "slug": fingerprint.slug,
                "diagnosis": fingerprint.diagnosis,
                "next_step": fingerprint.next_step,
                **({"removes": list(fingerprint.removes)} if fingerprint.removes else {}),
                "traces": [trace and _encode_trace(trace, tensors) for trace in fingerprint.traces],
            }
            for fingerprint in expectation.fingerprints
        ],
    }


def _encode_trace(trace: Trace, tensors: list[torch.Tensor]) -> list[Any]:
    return [trace.stage, trace.checksum, encode_observation(trace.outline, tensors)]


def encode_case(case: Case, tensors: list[torch.Tensor]) -> dict[str, Any]:
    """Return a case as a tree of plain values; its tensors are appended to `tensors`."""
    return {
        "name": case.name,
        "criterion": case.criterion,
        "args": encode(dict(case.args), tensors),
        "options": encode(dict(case.options), tensors),
        "call": case.call,
        "because": case.because,
    }


def _decode(tree: dict[str, Any], tensors: Sequence[torch.Tensor]) -> Expectation:
    cases = tuple(
        Case(
            name=subtree["name"],
            criterion=subtree["criterion"],
            args=decode(subtree["args"], tensors),
            options=decode(subtree["options"], tensors),
            call=subtree["call"],
            because=subtree["because"],
        )
        for subtree in tree["cases"]
    )
    fingerprints = tuple(_fingerprint(subtree, tensors) for subtree in tree["fingerprints"])
    return Expectation(cases, _observations(tree["expected"], tensors), fingerprints, _pair_prints(tree.get("pairs"), tensors))


def _pair_prints(tree: list[Any] | None, tensors: Sequence[torch.Tensor]) -> PairPrints | None:
    if tree is None:
        return None
    positions, names, numbers = tree
    return PairPrints(tuple(positions), tuple((first, second) for first, second in names), decode(numbers, tensors))


def _observations(trees: Iterable[dict[str, Any]], tensors: Sequence[torch.Tensor]) -> tuple[Observation, ...]:
    return tuple(decode_observation(tree, tensors) for tree in trees)


def _fingerprint(tree: dict[str, Any], tensors: Sequence[torch.Tensor]) -> Fingerprint:
    traces = tuple(trace and _trace(trace, tensors) for trace in tree["traces"])
    return Fingerprint(tree["slug"], tree["diagnosis"], tree["next_step"], traces, tuple(tree.get("removes", ())))


def _trace(tree: list[Any], tensors: Sequence[torch.Tensor]) -> Trace:
    stage, checksum, outlined = tree
    return Trace(stage, checksum, decode_observation(outlined, tensors))
