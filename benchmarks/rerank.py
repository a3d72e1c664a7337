"""`python -m benchmarks.rerank`: record the features on which notebook 11 trains and tests its reranker.

It needs what `make real` installs. It writes `data/recorded/rerank.safetensors`, which holds features and ranks only: no text
of a hidden query, no name of a document, and the hidden queries in another order.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bm25s
import torch
import torch.nn.functional as F
from safetensors.torch import save

from embedding_course.data import api_search
from embedding_course.data.published import minilm
from embedding_course.data.published.models import BertModel
from embedding_course.experiments.search_engine.rerank import FEATURES, RECORD
from embedding_course.files import atomic_write
from grader.course_source.catalogue import references
from grader.marking.project.task import Query, Task, read_task
from grader.paths import ROOT

from .bert import SentenceEncoder

_CANDIDATES = {"train": 30, "valid": 30, "test": 50}
_QUESTIONS = {"train": 500, "valid": 200}
_FUSION = 20
_MAX_TOKENS = 128
_BATCH = 32
_PART_OF_NAME = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


class Features:
    """Compute the features of a question and its candidates.

    Parameters
    ----------
    encoder, model
        The sentence encoder, and the model whose tokenizer it needs.
    names, texts
        Names and whole texts of all documents.
    """

    def __init__(self, encoder: SentenceEncoder, model: BertModel, names: Sequence[str], texts: Sequence[str]) -> None:
        self.encoder, self.model, self.names = encoder, model, names
        answers = references("11_search_engine")
        self.fuse, self.max_sim = answers["reciprocal_rank_fusion"], answers["max_sim"]
        self.bm25 = bm25s.BM25(method="lucene")
        self.bm25.index(bm25s.tokenize(list(texts), stopwords="en", show_progress=False), show_progress=False)
        self.vectors, self.tokens = self._encode(texts)

    @torch.no_grad()
    def _encode(self, texts: Sequence[str]) -> tuple[torch.Tensor, list[torch.Tensor]]:
        """Return unit vectors of the texts, and the unit vectors of each text's tokens in half precision."""
        vectors = torch.zeros(len(texts), self.model.d_model)
        tokens: list[torch.Tensor] = [torch.zeros(0)] * len(texts)
        order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
        for start in range(0, len(order), _BATCH):
            chosen = order[start : start + _BATCH]
            ids, mask = self.model.tokenizer.ids([texts[position] for position in chosen], _MAX_TOKENS)
            encoded = self.encoder.tokens(ids, mask)
            vectors[chosen] = F.normalize(self.encoder.pool(encoded, mask), dim=1)
            for position, row, length in zip(chosen, encoded, mask.sum(dim=1).tolist(), strict=True):
                tokens[position] = F.normalize(row[1 : length - 1], dim=1).half()  # without [CLS] and [SEP]
        return vectors, tokens

    def measure(self, queries: Sequence[Query], count: int) -> dict[str, torch.Tensor]:
        """Return features (Q, count, 4), gains (Q, count), and the rank of the first right document after fusion (Q,)."""
        vectors, tokens = self._encode([query.text for query in queries])
        found: dict[str, list[torch.Tensor]] = {"features": [], "gains": [], "rank": []}
        for query, vector, own_tokens in zip(queries, vectors, tokens, strict=True):
            words, cosines = self._bm25(query.text), self.vectors @ vector
            rankings = [scores.argsort(descending=True, stable=True).tolist() for scores in (words, cosines)]
            order: list[int] = self.fuse(rankings, k=_FUSION)
            best = order[:count]
            matches = self._max_sim(own_tokens.float(), [self.tokens[position].float() for position in best])
            named = torch.tensor([_name_match(query.text, self.names[position]) for position in best])
            found["features"].append(torch.stack([words[best], cosines[best], matches, named], dim=1).half())
            found["gains"].append(torch.tensor([position in query.right for position in best], dtype=torch.uint8))
            found["rank"].append(torch.tensor(next(rank for rank, position in enumerate(order, 1) if position in query.right)))
        return {name: torch.stack(rows) for name, rows in found.items()}

    def _bm25(self, text: str) -> torch.Tensor:
        tokens: Any = bm25s.tokenize([text], stopwords="en", return_ids=False, show_progress=False)
        words = [str(word) for word in tokens[0]]
        return torch.from_numpy(self.bm25.get_scores(words)) if words else torch.zeros(len(self.names))

    def _max_sim(self, query: torch.Tensor, documents: Sequence[torch.Tensor]) -> torch.Tensor:
        """Return MaxSim of the query with each document, divided by the number of the query's tokens."""
        mask = torch.nn.utils.rnn.pad_sequence([torch.ones(len(rows)) for rows in documents], batch_first=True)
        padded = torch.nn.utils.rnn.pad_sequence(list(documents), batch_first=True)
        return self.max_sim(query, padded, mask) / max(len(query), 1)


def _words(text: str) -> set[str]:
    """Return the words in lower case, without a plural s, so that `edges` matches `edge`."""
    return {word.lower().removesuffix("s") for word in _PART_OF_NAME.findall(text)}


def _name_match(question: str, name: str) -> float:
    """Return the share of the words of the document's own name that occur in the question."""
    own = _words(name.rpartition(".")[2])
    return len(own & _words(question)) / max(len(own), 1)


def training_queries(task: Task, split: str) -> list[Query]:
    """Return first sentences of the documents in a split; each is answered by its own document."""
    positions = {name: position for position, name in enumerate(task.names)}
    entries = [entry for entry in api_search.pairs(split) if entry.name in positions]
    return [Query(entry.summary, frozenset([positions[entry.name]])) for entry in entries[: _QUESTIONS[split]]]


def without_first_sentence(text: str) -> str:
    r"""Return the text of a document without the first sentence, which is the question in training.

    Examples
    --------
    >>> without_first_sentence("add\nAdd numbers.\nBoth are floats.")
    'add\nBoth are floats.'
    """
    name, _, body = text.split("\n", 2)
    return f"{name}\n{body}"


def measure(task: Task, model: BertModel) -> dict[str, torch.Tensor]:
    """Return the features of all three sets of questions, by `<set>.<what>`."""
    encoder = SentenceEncoder(model)
    hidden = random.Random(0).sample(task.hidden, len(task.hidden))
    found: dict[str, torch.Tensor] = {}
    trained = Features(encoder, model, task.names, [without_first_sentence(text) for text in task.texts])
    for split in ("train", "valid"):
        rows = trained.measure(training_queries(task, split), _CANDIDATES[split])
        found |= {f"{split}.{name}": value for name, value in rows.items()}
    tested = Features(encoder, model, task.names, task.texts)
    rows = tested.measure(hidden, _CANDIDATES["test"])
    return found | {f"test.{name}": value for name, value in rows.items()}


def main() -> Path:
    """Record the features, and return the path of the file."""
    torch.set_num_threads(1)
    path = ROOT / "data" / RECORD
    tensors = measure(read_task(), minilm())
    notes = {"note": api_search.fingerprint(), "features": ", ".join(FEATURES)}
    atomic_write(path, save(tensors, metadata=notes))
    return path


if __name__ == "__main__":
    print(main().relative_to(ROOT))
