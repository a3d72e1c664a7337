"""The finished search engine: every function that was collected, found by what it says about itself.

The vectors are computed once; a search is one product with all of them. It is saved as safetensors and JSON: numbers and
text, nothing that could run when it is loaded.
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

__all__ = ["Hit", "Hits", "SearchEngine"]


@dataclass(frozen=True)
class Hit:
    """One function that was found."""

    name: str
    summary: str
    score: float


class Hits(list[Hit]):
    """What was found, best first. `unknown`: words of the question that no text of the collection has."""

    def __init__(self, found: Sequence[Hit], unknown: Sequence[str] = ()) -> None:
        super().__init__(found)
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
    """`search(text, k)` over all entries.

    An entry's vector is the mean of two: of its name and summary, and of its body.
    """

    def __init__(self, encoder: Encoder, entries: Sequence[Entry], vectors: torch.Tensor | None = None) -> None:
        self.encoder, self.entries = encoder.eval(), list(entries)
        self.vectors = self._vectors() if vectors is None else vectors  # (N, d), of length 1

    @torch.no_grad()
    def _vectors(self) -> torch.Tensor:
        said = Texts.of((f"{entry.name} {entry.summary}" for entry in self.entries), self.encoder.words)
        details = Texts.of((entry.body for entry in self.entries), self.encoder.words)
        return F.normalize(self.encoder(said, "question") + self.encoder(details, "answer"), dim=-1)

    def __len__(self) -> int:
        return len(self.entries)

    def search(self, text: str, k: int = 5) -> Hits:
        """The k entries that are most similar to the text, best first; all of them where there are fewer.

        Words that were never read count by their pieces, and are listed in `unknown`. A text without words finds nothing:
        the result is empty. ValueError for k below 1.
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
        """How similar each entry is to the text (N,)."""
        return self.vectors @ self.encoder(Texts.of([text], self.encoder.words), "question")[0]

    def unknown(self, text: str) -> list[str]:
        """Words of the text that no entry has, each once: the vectors know only their pieces."""
        known = set(self.encoder.words.known)
        return [word for word in dict.fromkeys(words(text)) if word not in known]

    def save(self, folder: str | Path) -> Path:
        """Write `engine.safetensors` and `engine.json` into the folder, which is made; nothing half-written is left."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        encoder = self.encoder
        tensors = {f"encoder.{name}": entry.detach().contiguous() for name, entry in encoder.state_dict().items()}
        shape = {"width": encoder.width, "whole": encoder.whole, "parts": encoder.parts}
        words_of = {"known": encoder.words.known, "idf": encoder.words.idf}
        content = {"shape": shape, "words": words_of, "entries": [msgspec.to_builtins(entry) for entry in self.entries]}
        atomic_write(folder / "engine.safetensors", save({**tensors, "vectors": self.vectors.contiguous()}))
        atomic_write(folder / "engine.json", json.dumps(content, ensure_ascii=False).encode("utf-8"))
        return folder

    @classmethod
    def load(cls, folder: str | Path) -> SearchEngine:
        """The engine that `save` wrote. FileNotFoundError where there is none."""
        folder = Path(folder)
        content = json.loads((folder / "engine.json").read_text(encoding="utf-8"))
        tensors = load_file(folder / "engine.safetensors")
        encoder = Encoder(Words(**content["words"]), **content["shape"])
        encoder.load_state_dict({name.removeprefix("encoder."): entry for name, entry in tensors.items() if name != "vectors"})
        return cls(encoder, [msgspec.convert(entry, Entry) for entry in content["entries"]], tensors["vectors"])
