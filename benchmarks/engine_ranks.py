"""`python -m benchmarks.engine_ranks`: record what notebook 11 shows of search engines in data/recorded/engine_ranks.json.

It needs what `make real` installs, and `data/recorded/minilm.safetensors` of the same libraries. Of the hidden queries it
writes only the ranks of the right documents.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from math import log

import torch
import torch.nn.functional as F

from embedding_course.data.api_search import fingerprint
from embedding_course.data.published import glove, minilm, recorded_minilm, static_table
from embedding_course.data.published.models import BertModel, StaticTable, WordVectors
from embedding_course.experiments.search_engine.layers import ERRORS, layer_outputs, torch_encoder
from embedding_course.experiments.search_engine.recorded_ranks import RECORD
from embedding_course.files import atomic_write
from grader.course_source.catalogue import references
from grader.marking.project.task import Task, read_task
from grader.paths import ROOT

from . import engines
from .bert import SentenceEncoder, encode

_KS = (1, 5, 10, 20, 60, 200)
#: Length of the recorded rankings.
_RECORDED = 100
_SENTENCES = ["That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"]


def rare_words_first(task: Task, model: StaticTable | WordVectors, table: torch.Tensor) -> list[int]:
    """Return the ranks of a bag in which each token counts by its inverse document frequency."""
    bag = references("11_search_engine")["bag_of_tokens"]
    documents = model.lists(task.texts)
    frequency = Counter(token for document in documents for token in set(document))
    weights = torch.full((len(table),), log(len(documents)))
    for token, count in frequency.items():
        weights[token] = log(len(documents) / count)
    vectors = bag(table, documents, weights)
    questions = bag(table, model.lists([query.text for query in task.hidden]), weights)
    return engines.ranks(engines.orders_of(questions @ vectors.T), task.hidden).tolist()


def layer_differences(model: BertModel) -> dict[str, list[float]]:
    """Return, for each error, the largest difference after each stage, and the cosine of the first two sentences."""
    parts = references("11_search_engine")
    ids, real = model.tokenizer.ids(_SENTENCES)
    right = layer_outputs(torch_encoder(model, parts["BertEncoder"], parts["translate_names"]), ids, real)
    found = {}
    for error in ERRORS:
        encoder = torch_encoder(model, parts["BertEncoder"], parts["translate_names"], error)
        pairs = zip(right, layer_outputs(encoder, ids, real), strict=True)
        largest = [float(f"{(a - b).abs().max():.3g}") for a, b in pairs]
        with torch.no_grad():
            pooled = F.normalize((encoder(ids, real) * real[..., None]).sum(dim=1), dim=1)
        found[error] = [*largest, round(float(pooled[0] @ pooled[1]), 4)]
    return found


def record(task: Task, model: BertModel) -> dict[str, object]:
    """Return the whole record."""
    together = replace(task, hidden=[*task.public, *task.hidden])  # All engines are asked both in one run.
    public, texts = len(task.public), [query.text for query in together.hidden]
    words, tokens = glove(), static_table()
    by_words = engines.project_search(task, "bm25")(texts)
    asked = encode(SentenceEncoder(model), model, texts)
    by_vectors = engines.orders_of(asked @ recorded_minilm().documents.T)
    found = {
        "BM25": by_words,
        "engine of 09": engines.project_search(task, "engine_of_09")(texts),
        "GloVe": engines.static_search(task, words.vectors, words)(texts),
        "WordLlama": engines.static_search(task, tokens.table, tokens)(texts),
        "MiniLM": by_vectors,
        "MiniLM + BM25": engines.fused(by_words, by_vectors),
    }
    ranks = {name: engines.ranks(orders, together.hidden).tolist() for name, orders in found.items()}
    ranks["GloVe, rare words first"] = rare_words_first(together, words, words.vectors)
    ranks["WordLlama, rare words first"] = rare_words_first(together, tokens, tokens.table)
    fuse = references("11_search_engine")["reciprocal_rank_fusion"]
    hidden = range(public, len(together.hidden))
    return {
        "note": fingerprint(),
        "hidden": {name: values[public:] for name, values in ranks.items()},
        "public": {name: values[:public] for name, values in ranks.items()},
        "hidden_by_k": {
            k: engines.ranks([fuse([by_words[n], by_vectors[n]], k=k) for n in hidden], task.hidden).tolist() for k in _KS
        },
        "questions": [
            {
                "text": query.text,
                "names": [task.names[row] for row in sorted(query.right)],
                "right": sorted(query.right),
                "by_words": by_words[number][:_RECORDED],
                "by_vectors": by_vectors[number][:_RECORDED],
            }
            for number, query in enumerate(task.public)
        ],
        "layers": layer_differences(model),
    }


def main() -> None:
    """Measure the engines, and write the record."""
    torch.set_num_threads(1)
    task = read_task()
    if tuple(task.names) != recorded_minilm().names:
        raise SystemExit("Other documents than the recorded ones: first run `python -m benchmarks.engines --record`.")
    path = ROOT / "data" / RECORD
    atomic_write(path, lines(record(task, minilm())).encode("utf-8"))
    print(f"Written to {path.relative_to(ROOT)}.")


def lines(content: dict[str, object]) -> str:
    """Return JSON with a line for each list."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).replace('],"', '],\n"').replace(':{"', ':{\n"') + "\n"


if __name__ == "__main__":
    main()
