"""`python -m benchmarks.engines`, which `make engines` runs: measure search engines on the project's hidden queries.

It needs what `make real` installs. It writes docs/engines.md; with `--record`, it also records the vectors of all-MiniLM-L6-v2
for machines without the model.
"""

from __future__ import annotations

import csv
import json
import platform
import runpy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Annotated

import numpy as np
import torch
import torch.nn.functional as F
import typer
from safetensors.torch import save

from embedding_course.data.api_search import fingerprint
from embedding_course.data.published import glove, minilm, static_table, word_similarity
from embedding_course.data.published.models import BertModel, StaticTable, WordVectors
from embedding_course.data.published.recorded import RECORD
from embedding_course.files import atomic_write
from grader.course_source.catalogue import references
from grader.marking.project.task import PUBLIC, REFERENCES, Query, Task, read_task
from grader.paths import ROOT

from .bert import SentenceEncoder, encode

_DRAWS = 10_000
_FUSION = 20


@dataclass(frozen=True)
class Measured:
    """Hold what an engine did: the rank of the first right document for each query, and its processor seconds.

    `built` are the seconds for all documents, `asked` for all queries.
    """

    name: str
    ranks: np.ndarray
    built: float
    asked: float

    def recall(self, k: int) -> np.ndarray:
        """Return 1 for each query that has a right document among the first k, else 0."""
        return (self.ranks <= k).astype(float)

    def reciprocal(self) -> np.ndarray:
        """Return 1 / rank for each query."""
        return 1 / self.ranks


def interval(values: np.ndarray, seed: int = 0) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean: the queries are drawn again 10,000 times."""
    drawn = np.random.default_rng(seed).integers(len(values), size=(_DRAWS, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def ranks(orders: Sequence[Sequence[int]], queries: Sequence[Query]) -> np.ndarray:
    """Return the rank, from 1, of the first right document in each order of all documents."""
    return np.array([
        next(rank for rank, document in enumerate(order, 1) if document in query.right)
        for order, query in zip(orders, queries, strict=True)
    ])  # fmt: skip


def orders_of(scores: Iterable[torch.Tensor]) -> list[list[int]]:
    """Return the positions of all documents for each row of scores, the highest score first."""
    return [row.argsort(descending=True, stable=True).tolist() for row in scores]


def _measured(
    name: str, task: Task, build: Callable[[], Callable[[list[str]], list[list[int]]]]
) -> tuple[Measured, list[list[int]]]:
    """Return what an engine does, and its orders of all documents. `build` indexes the documents and returns its search."""
    start = process_time()
    search = build()
    built = process_time()
    orders = search([query.text for query in task.hidden])
    return Measured(name, ranks(orders, task.hidden), built - start, process_time() - built), orders


def project_search(task: Task, name: str) -> Callable[[list[str]], list[list[int]]]:
    """Build an engine that the project is graded with, and return its search for all documents."""
    engine = runpy.run_path(str(REFERENCES / f"{name}.py"))["Engine"](task.texts, task.further)
    everything = list(range(len(task.texts)))
    return lambda texts: [engine.search(text, len(everything)) or everything for text in texts]


def bag(table: torch.Tensor, ids: Sequence[Sequence[int]]) -> torch.Tensor:
    """Return the sum of each text's rows, scaled to length 1: (N, d)."""
    return F.normalize(torch.stack([table[list(row)].sum(dim=0) for row in ids]), dim=1)


def static_search(task: Task, table: torch.Tensor, model: StaticTable | WordVectors) -> Callable[[list[str]], list[list[int]]]:
    """Return a function that gives, for each text, all documents by the cosines of bags."""
    documents = bag(table, model.lists(task.texts))
    return lambda texts: orders_of(bag(table, model.lists(texts)) @ documents.T)


def fused(first: Sequence[Sequence[int]], second: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the orders fused by reciprocal ranks with k = 20."""
    fuse = references("11_search_engine")["reciprocal_rank_fusion"]
    return [fuse([one, other], k=_FUSION) for one, other in zip(first, second, strict=True)]


def engines(task: Task, model: BertModel) -> tuple[list[Measured], torch.Tensor]:
    """Return what each engine does, and MiniLM's vectors of the documents."""
    words, tokens, encoder = glove(), static_table(), SentenceEncoder(model)
    documents: list[torch.Tensor] = []

    def encoded() -> Callable[[list[str]], list[list[int]]]:
        documents.append(encode(encoder, model, task.texts))
        return lambda texts: orders_of(encode(encoder, model, texts) @ documents[0].T)

    bm25, by_words = _measured("BM25", task, lambda: project_search(task, "bm25"))
    sentences, by_vectors = _measured("MiniLM", task, encoded)
    both = Measured(
        f"MiniLM and BM25, reciprocal ranks, k = {_FUSION}",
        ranks(fused(by_words, by_vectors), task.hidden),
        bm25.built + sentences.built,
        bm25.asked + sentences.asked,
    )
    added = replace(
        _measured("MiniLM and BM25, scores added, BM25's × 0.3", task, lambda: project_search(task, "course"))[0],
        built=bm25.built + sentences.built,  # the engine itself loads the recorded vectors
    )
    found = [
        bm25,
        _measured("the engine of 09", task, lambda: project_search(task, "engine_of_09"))[0],
        _measured("bag of GloVe", task, lambda: static_search(task, words.vectors, words))[0],
        _measured("bag of WordLlama", task, lambda: static_search(task, tokens.table, tokens))[0],
        sentences,
        both,
        added,
    ]
    return found, documents[0]


def word_tests(model: BertModel) -> list[tuple[str, str, int, float]]:
    """Return table, test, number of pairs and Spearman's correlation of the cosines with what people say."""
    words, tokens, encoder = glove(), static_table(), SentenceEncoder(model)
    spearman = references("09_contrastive_training")["spearman"]
    embed: dict[str, Callable[[Sequence[str]], torch.Tensor]] = {
        "GloVe": lambda texts: bag(words.vectors, words.lists(texts)),
        "WordLlama": lambda texts: bag(tokens.table, tokens.lists(texts)),
        "MiniLM": lambda texts: encode(encoder, model, texts),
    }
    found = []
    for test in ("wordsim353", "simlex999"):
        rated = word_similarity(test)
        left, right = zip(*rated.pairs, strict=True)
        for name, vectors in embed.items():
            cosines = (vectors(left) * vectors(right)).sum(dim=1)
            known = cosines != 0
            found.append((name, test, int(known.sum()), float(spearman(cosines[known], rated.ratings[known]))))
    return found


def record(task: Task, model: BertModel, documents: torch.Tensor) -> Path:
    """Write the vectors of the documents, 8 bits a number, and of the public queries into data/recorded."""
    low, high = documents.amin(dim=1, keepdim=True), documents.amax(dim=1, keepdim=True)
    scale = (high - low) / 255
    with PUBLIC.open(encoding="utf-8", newline="") as file:
        questions = [text for text, _ in csv.reader(file, delimiter="\t")]
    tensors = {
        "documents.codes": ((documents - low) / scale).round().to(torch.uint8),
        "documents.scale": scale,
        "documents.offset": low,
        "queries": encode(SentenceEncoder(model), model, questions),
    }
    notes = {"names": json.dumps(task.names), "questions": json.dumps(questions), "note": fingerprint()}
    path = ROOT / "data" / RECORD
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(path, save(tensors, metadata=notes))
    return path


_HEAD = """# Search engines on real questions

Made by `make engines`, which measures on one machine in one run and rewrites this page. It needs what `make real` installs."""


def page(
    task: Task,
    found: Sequence[Measured],
    tests: Sequence[tuple[str, str, int, float]],
) -> str:
    """Return the whole page as Markdown."""
    bm25 = found[0]
    rows = ["| engine | recall@1 | recall@1 minus BM25's | MRR | recall@10 |", "|---|---|---|---|---|"]
    for engine in found:
        difference = "" if engine is bm25 else _with_interval(engine.recall(1) - bm25.recall(1), sign=True)
        shown = (_with_interval(values) for values in (engine.reciprocal(), engine.recall(10)))
        rows.append(f"| {engine.name} | {_with_interval(engine.recall(1))} | {difference} | {' | '.join(shown)} |")
    times = ["| engine | all documents, s | documents a second | a query, ms |", "|---|---:|---:|---:|"]
    for engine in found:
        each = len(task.texts) / engine.built
        times.append(f"| {engine.name} | {engine.built:.1f} | {each:,.0f} | {1000 * engine.asked / len(task.hidden):.1f} |")
    words = ["| vectors | test | pairs | Spearman |", "|---|---|---:|---:|"]
    words += [f"| {name} | {test} | {pairs} | {value:.2f} |" for name, test, pairs, value in tests]
    return "\n\n".join([
        _HEAD,
        f"Measured with Python {platform.python_version()}, torch {torch.__version__} and tokenizers {version('tokenizers')}, "
        f"on one core ({platform.machine()}).",
        "## What is found",
        f"{len(task.hidden)} hidden queries of the project, written by hand, and {len(task.texts):,} documents: "
        f"{fingerprint()}. Each document is searched as a whole: its name, its first sentence and its details. MiniLM reads "
        "the first 128 tokens. In brackets is the 95 % interval over the queries, by bootstrap. MRR counts the first right "
        "document at any rank. If the interval of a difference holds 0, the difference may be luck.",
        "\n".join(rows),
        "The engine of 09 is trained with the reference answers: first sentences are questions, and details are answers. The "
        "bags are plain sums of the published vectors of all words (GloVe) or tokens (WordLlama), scaled to length 1. MiniLM "
        "runs with the reference answers of 07, 08 and 11. The last engine is the upper anchor of the project; its weight was "
        "chosen on the twenty public queries.",
        "## What it costs",
        "Seconds of processor time, one thread. The engine of 09 is trained in this time as well.",
        "\n".join(times),
        "How fast the encoder is beside sentence-transformers stands on [another page](benchmarks.md#an-encoder).",
        "## Similarity of words",
        "Spearman's correlation between cosines and the ratings of people. WordSim-353 rates how related two words are, and "
        "SimLex-999 how similar they are. Pairs with a word that has no vector are left out.",
        "\n".join(words),
    ]) + "\n"  # fmt: skip


def _with_interval(values: np.ndarray, sign: bool = False) -> str:
    form = "+.2f" if sign else ".2f"
    low, high = interval(values)
    return f"{values.mean():{form}} ({low:{form}} to {high:{form}})"


def main(
    recording: Annotated[bool, typer.Option("--record", help="Record MiniLM's vectors in data/recorded as well.")] = False,
) -> None:
    """Measure search engines on the project's hidden queries, and write docs/engines.md."""
    torch.set_num_threads(1)
    task, model = read_task(), minilm()
    found, documents = engines(task, model)
    if recording:
        typer.echo(f"Written to {record(task, model, documents).relative_to(ROOT)}.")
    text = page(task, found, word_tests(model))
    typer.echo(text)
    atomic_write(ROOT / "docs" / "engines.md", text.encode("utf-8"))


if __name__ == "__main__":
    typer.run(main)
