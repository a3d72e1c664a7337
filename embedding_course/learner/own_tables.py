"""Trained tables that go from one notebook to a later one: the learner's own, or the recorded one where it is missing.

A notebook ends a training with `keep_table("04_words", vectors, words)`; a later one asks `table("04_words")`. A table is a
safetensors file of its vectors with the words in its header, beside the learner's progress record; the recorded ones were made
with the reference answers by `grader curves` and lie in `data/tables`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from ..data.files import data_file
from ..files import atomic_write, state_file

__all__ = ["Table", "keep_table", "read_table", "table", "write_table"]


@dataclass(frozen=True)
class Table:
    """`vectors` (V, d), row i that of `words[i]`; `own`: trained by this learner, not recorded."""

    vectors: torch.Tensor
    words: tuple[str, ...]
    own: bool = True

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.words):
            got = f"{tuple(self.vectors.shape)} and {len(self.words)} words"
            raise ValueError(f"a table needs vectors (V, d) and V words, not {got}")


def write_table(found: Table, path: Path) -> None:
    """Written in one step: a crash leaves the old file whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    vectors = found.vectors.detach().float().cpu().contiguous().clone()
    atomic_write(path, save({"vectors": vectors}, metadata={"words": json.dumps(found.words, ensure_ascii=False)}))


def read_table(path: Path, own: bool = True) -> Table:
    """The table in a file; ValueError when it is none."""
    try:
        with safe_open(path, framework="pt") as file:
            words = json.loads((file.metadata() or {})["words"])
            return Table(file.get_tensor("vectors"), tuple(map(str, words)), own)
    except (SafetensorError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path.name} is not a table") from error


def keep_table(name: str, vectors: torch.Tensor, words: Sequence[str]) -> None:
    """Keep a trained table for later notebooks. A folder that cannot be written costs the table, not the notebook."""
    found = Table(vectors, tuple(words))
    try:
        write_table(found, _own(name))
    except OSError:
        print(f"The table {name} could not be kept; later notebooks use the recorded one.")


def table(name: str) -> Table:
    """The learner's own table, or else the recorded one; says which in a line. FileNotFoundError for an unknown name.

    >>> found = table("04_words")
    The table 04_words as recorded with the reference answers: 235 words, 16 numbers each.
    >>> found.words[4]
    'the'
    """
    try:
        found = read_table(_own(name))
    except (OSError, ValueError):
        found = read_table(data_file(f"tables/{name}.safetensors"), own=False)
    whose = "as you trained it" if found.own else "as recorded with the reference answers"
    print(f"The table {name} {whose}: {len(found.words):,} words, {found.vectors.shape[1]} numbers each.")
    return found


def _own(name: str) -> Path:
    return state_file().parent / "tables" / f"{name}.safetensors"
