"""Choose functions of notebook 09's search engine that exist under the same name in several libraries."""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors import SafetensorError
from safetensors.torch import load_file

from ...checking.render import Panel, show_panel
from ...learner.own_tables import Table, table
from ...messages import say

LIBRARIES = ("numpy", "torch", "scipy", "sklearn", "matplotlib", "math", "statistics", "random")
#: Folders in which notebook 09 saves its engine: beside this notebook, or in a neighbouring folder.
_FOLDERS = ("my_engine", "../09_contrastive_training/my_engine")
WIDTH, MOST = 64, 280


def library(name: str) -> str:
    """Return the first part of a full name, such as "numpy" for "numpy.linalg.svd"."""
    return name.split(".")[0]


def purpose(name: str) -> str:
    """Return the last part of a full name, such as "svd" for "numpy.linalg.svd"."""
    return name.split(".")[-1]


def choose(names: Sequence[str], most: int = MOST) -> list[int]:
    """Return rows of functions whose last name occurs in at least two libraries; each library keeps its shortest full name."""
    rows_by_purpose: dict[str, dict[str, int]] = defaultdict(dict)
    for row, name in enumerate(names):
        home, last = library(name), purpose(name)
        if home not in LIBRARIES or not last.islower() or len(last) < 3:
            continue
        if home not in rows_by_purpose[last] or len(name) < len(names[rows_by_purpose[last][home]]):
            rows_by_purpose[last][home] = row
    shared = [rows for rows in rows_by_purpose.values() if len(rows) > 1]
    step = max(1, -(-sum(map(len, shared)) // most))
    return sorted(row for rows in shared[::step] for row in rows.values())


def functions() -> Table | None:
    """Return names and vectors of the functions for the map; None, with a printed line, if no engine has been trained."""
    table = _saved()
    if table is None:
        text = "This map waits for the search engine: run notebook 09 first, it keeps the vectors of its functions."
        show_panel(Panel(text, f"<p>{text}</p>"))
    return table


def _chosen(names: Sequence[str], vectors: torch.Tensor, own: bool) -> Table:
    rows = choose(names)
    return Table(F.normalize(vectors[rows], dim=1), tuple(names[row] for row in rows), own)


def _saved() -> Table | None:
    """Return the learner's own engine, or else the recorded vectors."""
    for folder in map(Path, _FOLDERS):
        try:
            entries = json.loads((folder / "engine.json").read_text(encoding="utf-8"))["entries"]
            vectors = load_file(folder / "engine.safetensors")["vectors"]
            functions = _chosen([str(entry["name"]) for entry in entries], vectors, own=True)
            say(
                "Your search engine of notebook 09: {some} of its {all:,} functions.",
                some=len(functions.words),
                all=len(entries),
            )
            return functions
        except (OSError, ValueError, KeyError, TypeError, SafetensorError):
            continue
    try:
        return table("09_functions")
    except FileNotFoundError:
        return None


def namesakes(table: Table) -> tuple[list[tuple[int, int]], float]:
    """Return pairs of rows with the same last name, and the share of functions whose nearest neighbour is a namesake."""
    last = [purpose(name) for name in table.words]
    pairs = [(a, b) for a in range(len(last)) for b in range(a + 1, len(last)) if last[a] == last[b]]
    unit = F.normalize(table.vectors, dim=1)
    nearest = (unit @ unit.T - 2 * torch.eye(len(unit))).argmax(dim=1).tolist()
    return pairs, sum(last[near] == name for name, near in zip(last, nearest, strict=True)) / len(last)


def make(info_nce: Callable[..., Any], warmup_cosine: Callable[..., float]) -> Table:
    """Train the engine of notebook 09 as in that lesson, and keep `WIDTH` dimensions of the functions of the map."""
    from ...data import api_search
    from ..contrastive_training.search_engine import SearchEngine
    from ..contrastive_training.search_training import train

    engine = SearchEngine(train(info_nce, warmup_cosine, api_search.pairs("train")).encoder, api_search.everything())
    table = _chosen([entry.name for entry in engine.entries], engine.vectors, own=True)
    _, _, directions = torch.linalg.svd(table.vectors, full_matrices=False)
    return Table(F.normalize(table.vectors @ directions[:WIDTH].T, dim=1), table.words)
