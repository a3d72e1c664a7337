"""Keep trained tables for later notebooks; the recorded table is used if the learner has none.

A notebook ends a training run with `keep_table("04_words", vectors, words)`; a later one calls `table("04_words")`. A table is
a safetensors file of its vectors with the words in its header, beside the learner's progress record. The recorded tables in
`data/tables` were made with the reference answers by `grader curves`.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from ..data.files import data_file
from ..files import atomic_write, state_file
from ..messages import Message


@dataclass(frozen=True)
class Table:
    """Hold `vectors` (V, d), row i for `words[i]`. `own` is true if this learner trained it, and false if it was recorded."""

    vectors: torch.Tensor
    words: tuple[str, ...]
    own: bool = True

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.words):
            got = f"{tuple(self.vectors.shape)} and {len(self.words)} words"
            raise ValueError(f"a table needs vectors (V, d) and V words, not {got}")


def write_table(table: Table, path: Path) -> None:
    """Write a table atomically: a crash leaves the old file intact."""
    path.parent.mkdir(parents=True, exist_ok=True)
    vectors = table.vectors.detach().float().cpu().contiguous().clone()
    atomic_write(path, save({"vectors": vectors}, metadata={"words": json.dumps(table.words, ensure_ascii=False)}))


def read_table(path: Path, own: bool = True) -> Table:
    """Return the table in a file. Raise ValueError if the file is no table."""
    try:
        with safe_open(path, framework="pt") as file:
            words = json.loads((file.metadata() or {})["words"])
            return Table(file.get_tensor("vectors"), tuple(map(str, words)), own)
    except (SafetensorError, KeyError, TypeError, json.JSONDecodeError) as error:
        raise ValueError(f"{path.name} is not a table") from error


def keep_table(name: str, vectors: torch.Tensor, words: Sequence[str]) -> None:
    """Keep a trained table for later notebooks. If it cannot be written, print a message and go on.

    Parameters
    ----------
    name
        Name of the table, such as "04_words".
    vectors
        Matrix (V, d).
    words
        The V words of its rows.
    """
    kept = Table(vectors, tuple(words))
    try:
        write_table(kept, _own(name))
    except OSError:
        print(Message("The table {name} could not be kept; later notebooks use the recorded one.", name=name))


def table(name: str) -> Table:
    """Return the learner's own table, or else the recorded one, and print which of them it is.

    Raises
    ------
    FileNotFoundError
        If there is no table of that name.

    Examples
    --------
    >>> found = table("04_words")
    The table 04_words as recorded with the reference answers: 235 words, 16 numbers each.
    >>> found.words[4]
    'the'
    """
    try:
        kept = read_table(_own(name))
    except (OSError, ValueError):
        kept = read_table(data_file(f"tables/{name}.safetensors"), own=False)
    message = Message("The table {name} as recorded with the reference answers: {words:,} words, {dimension} numbers each.")
    if kept.own:
        message = Message("The table {name} as you trained it: {words:,} words, {dimension} numbers each.")
    print(message.fill(name=name, words=len(kept.words), dimension=kept.vectors.shape[1]))
    return kept


def _own(name: str) -> Path:
    return state_file().parent / "tables" / f"{name}.safetensors"
