"""Search all collected functions by their docstrings.

The vectors are computed once; a search is one product with all of them. The engine is saved as safetensors and JSON, which
cannot run code when they are loaded.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import msgspec
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save

from ...data.api_search import Entry
from ...files import atomic_write
from .search_model import Encoder
from .search_text import Texts, Words, words


@dataclass(frozen=True)
class Hit:
    """Hold one function that was found."""

    name: str
    summary: str
    score: float


class Hits(list[Hit]):
    """List what was found, best first. `unknown` are words of the question that no text of the collection contains."""

    def __init__(self, hits: Sequence[Hit], unknown: Sequence[str] = ()) -> None:
        super().__init__(hits)
        self.unknown = list(unknown)

    def _note(self) -> str:
        return f"Never read before: {', '.join(self.unknown)}." if self.unknown else ""

    def __repr__(self) -> str:
        if not self:
            return "Nothing found: the question has no words."
        width = max(len(hit.name) for hit in self)
        return "\n".join([f"{hit.score:.2f}  {hit.name:{width}}  {hit.summary}" for hit in self] + [self._note()]).rstrip()

    def _repr_html_(self) -> str:
        if not self:
            return f"<p>{escape(repr(self))}</p>"
        rows = "".join(
            f"<tr><td>{hit.score:.2f}</td><td style='text-align:left'><code>{escape(hit.name)}</code></td>"
            f"<td style='text-align:left'>{escape(hit.summary)}</td></tr>"
            for hit in self
        )
        head = "<tr><th>cosine</th><th style='text-align:left'>name</th><th style='text-align:left'>what it does</th></tr>"
        return f"<table>{head}{rows}</table><p>{escape(self._note())}</p>"


class SearchEngine:
    """Search all entries: `search(text, k)`.

    An entry's vector is the mean of two: of its name and summary, and of its body.
    """

    def __init__(self, encoder: Encoder, entries: Sequence[Entry], vectors: torch.Tensor | None = None) -> None:
        self.encoder, self.entries = encoder.eval(), list(entries)
        self.vectors = self._vectors() if vectors is None else vectors  # (N, d), unit vectors

    @torch.no_grad()
    def _vectors(self) -> torch.Tensor:
        summaries = Texts.of((f"{entry.name} {entry.summary}" for entry in self.entries), self.encoder.words)
        details = Texts.of((entry.body for entry in self.entries), self.encoder.words)
        return F.normalize(self.encoder(summaries, "question") + self.encoder(details, "answer"), dim=-1)

    def __len__(self) -> int:
        return len(self.entries)

    def search(self, text: str, k: int = 5) -> Hits:
        """Return the k entries that are most similar to the text, best first; all of them if there are fewer.

        Words that were never seen count by their pieces, and are listed in `unknown`. A text without words has no hits.

        Raises
        ------
        ValueError
            If k is below 1.
        """
        if k < 1:
            raise ValueError(f"k = {k}: at least one result is wanted")
        if not words(text):
            return Hits([])
        best = self.cosines(text).topk(min(k, len(self)))
        hits = [
            Hit(self.entries[row].name, self.entries[row].summary, score)
            for row, score in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]
        return Hits(hits, self.unknown(text))

    @torch.no_grad()
    def cosines(self, text: str) -> torch.Tensor:
        """Return the similarity of each entry to the text, (N,)."""
        return self.vectors @ self.encoder(Texts.of([text], self.encoder.words), "question")[0]

    def unknown(self, text: str) -> list[str]:
        """Return the words of the text that no entry contains, each once: only their pieces are known."""
        known = set(self.encoder.words.known)
        return [word for word in dict.fromkeys(words(text)) if word not in known]

    def save(self, folder: str | Path) -> Path:
        """Write `engine.safetensors` and `engine.json` into the folder atomically; the folder is made if necessary."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        encoder = self.encoder
        tensors = {f"encoder.{name}": tensor.detach().contiguous() for name, tensor in encoder.state_dict().items()}
        shape = {"width": encoder.width, "whole": encoder.whole, "parts": encoder.parts}
        words_of = {"known": encoder.words.known, "idf": encoder.words.idf}
        content = {"shape": shape, "words": words_of, "entries": [msgspec.to_builtins(entry) for entry in self.entries]}
        atomic_write(folder / "engine.safetensors", save({**tensors, "vectors": self.vectors.contiguous()}))
        atomic_write(folder / "engine.json", json.dumps(content, ensure_ascii=False).encode("utf-8"))
        return folder

    @classmethod
    def load(cls, folder: str | Path) -> SearchEngine:
        """Return the engine that `save` wrote. Raise FileNotFoundError if there is none."""
        folder = Path(folder)
        content = json.loads((folder / "engine.json").read_text(encoding="utf-8"))
        tensors = load_file(folder / "engine.safetensors")
        encoder = Encoder(Words(**content["words"]), **content["shape"])
        state = {name.removeprefix("encoder."): tensor for name, tensor in tensors.items() if name != "vectors"}
        encoder.load_state_dict(state)
        return cls(encoder, [msgspec.convert(entry, Entry) for entry in content["entries"]], tensors["vectors"])
