"""Train the search engine's encoder on (summary, body) pairs, with the learner's loss and schedule."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

import torch
from torch import nn

from ...data.api_search import Entry
from ..training import Batches, descend
from ..training import train as loop
from .search_model import DenseGradients, Encoder
from .search_text import Texts, Words

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass(frozen=True)
class Setting:
    """Hold the settings of a run. `sentences` is how many sentences of each body also become questions about that body."""

    width: int = 256
    whole: bool = True  # True if words have rows of their own.
    parts: bool = True  # True if words have the rows of their pieces.
    sentences: int = 0
    both: bool = False  # True for the loss in both directions.
    scale: float = 12.0
    drop_question: float = 0.1
    drop_answer: tuple[float, float] = (0.3, 0.8)
    batch: int = 512
    steps: int = 450
    peak: float = 0.01
    decay: float = 0.01
    seed: int = 0
    table_seed: int | None = None  # Seed of the initial vectors, if it differs from `seed`.


@dataclass
class Trained:
    """Hold the encoder, the loss at every step, the measurements, and the processor seconds."""

    encoder: Encoder
    setting: Setting
    losses: list[float]
    measured: list[tuple[int, float]]
    seconds: float


def train(
    info_nce: Callable[..., Any],
    warmup_cosine: Callable[..., float],
    entries: Sequence[Entry],
    setting: Setting = Setting(),
    scale: nn.Module | None = None,
    title: str | None = None,
    measure: Callable[[Encoder], float] | None = None,
) -> Trained:
    """Train a fresh encoder.

    Parameters
    ----------
    info_nce : Callable[..., Any]
        The learner's `info_nce(questions, answers, scale)`.
    warmup_cosine : Callable[..., float]
        The learner's `warmup_cosine(step, warmup, total, peak)`.
    entries : Sequence[Entry]
        Training pairs.
    setting : Setting, optional
        The settings of the run.
    scale : nn.Module or None, optional
        A `LogitScale` that is trained too; by default the scale of the setting is fixed.
    title : str or None, optional
        With a title a bar shows the progress.
    measure : Callable[[Encoder], float] or None, optional
        Called with the encoder during training.
    """
    torch.manual_seed(setting.seed)
    start = process_time()
    texts = TrainingTexts.of(entries, setting)
    if setting.table_seed is not None:
        torch.manual_seed(setting.table_seed)
    encoder = texts.fresh_encoder(setting)
    if setting.table_seed is not None:
        torch.manual_seed(setting.seed)
    learned = [*encoder.parameters(), *(scale.parameters() if scale else ())]
    optimizer = torch.optim.AdamW(learned, lr=setting.peak, weight_decay=setting.decay, fused=True)
    dense = DenseGradients(encoder)
    done = 0

    def step(batch: tuple[torch.Tensor, torch.Tensor]) -> float:
        nonlocal done
        done += 1
        for group in optimizer.param_groups:
            group["lr"] = warmup_cosine(done, setting.steps // 10, setting.steps, setting.peak)
        q, a = texts.encoded(encoder, batch)
        sharp = scale() if scale else setting.scale
        loss = info_nce(q, a, sharp)
        if setting.both:
            loss = (loss + info_nce(a, q, sharp)) / 2
        return descend(optimizer, loss, dense.fill)

    run = loop(step, texts.batches(), title, (lambda: measure(encoder)) if measure else None, every=100)
    return Trained(encoder.eval(), setting, run.losses, run.measured, process_time() - start)


@dataclass(frozen=True)
class TrainingTexts:
    """Hold questions and answers in flat form: question `row` is answered by text `answered[row]` of `answers`."""

    questions: Texts
    answers: Texts
    answered: list[int]
    vocabulary: Words
    setting: Setting

    @classmethod
    def of(cls, entries: Sequence[Entry], setting: Setting = Setting()) -> TrainingTexts:
        """Return the questions and answers of the entries."""
        vocabulary = Words.of(entry.body for entry in entries)
        asked, answered = _questions(entries, setting)
        questions, answers = Texts.of(asked, vocabulary), Texts.of((entry.body for entry in entries), vocabulary)
        return cls(questions, answers, answered, vocabulary, setting)

    def fresh_encoder(self, setting: Setting = Setting()) -> Encoder:
        """Return an untrained encoder with the vocabulary of these texts."""
        words = Words(self.vocabulary.met, _idf(self.vocabulary))
        return Encoder(words, setting.width, setting.whole, setting.parts)

    def batches(self) -> Batches:
        """Return batches of (indices of questions, indices of their answers)."""
        rows = torch.arange(len(self.questions)), torch.tensor(self.answered)
        return Batches(rows, self.setting.batch, self.setting.steps, self.setting.seed)

    def encoded(self, encoder: Encoder, batch: tuple[torch.Tensor, torch.Tensor]) -> list[torch.Tensor]:
        """Return unit vectors (B, d) of a batch's questions and of their answers, with word dropout."""
        low, high = self.setting.drop_answer
        chosen, rows = _drop_repeated_answers(*batch)
        asking = self.questions.chosen(chosen, self.setting.drop_question)
        answering = self.answers.chosen(rows, low + (high - low) * torch.rand(()).item())
        return encoder.together(("question", asking), ("answer", answering))


def _questions(entries: Sequence[Entry], setting: Setting) -> tuple[list[str], list[int]]:
    """Return all questions, summaries and sentences of bodies, and the row of the answer to each."""
    asked, answered = [entry.summary for entry in entries], list(range(len(entries)))
    for row, entry in enumerate(entries):
        sentences = [sentence for sentence in _SENTENCE.split(entry.body) if 5 <= len(sentence.split()) <= 40]
        if len(sentences) > 2 and setting.sentences:
            chosen = torch.randperm(len(sentences))[: setting.sentences].tolist()
            asked += [sentences[index] for index in chosen]
            answered += [row] * len(chosen)
    return asked, answered


def _idf(vocabulary: Words) -> list[float]:
    """Return the idf of all words; words that occur in no body get the highest idf."""
    return [*vocabulary.idf, *[max(vocabulary.idf)] * (len(vocabulary.met) - len(vocabulary.idf))]


def _drop_repeated_answers(chosen: torch.Tensor, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the batch without questions whose answer occurs in it already: it would be a negative of itself."""
    first = {row: index for index, row in reversed(list(enumerate(rows.tolist())))}
    kept = torch.tensor(sorted(first.values()))
    return chosen[kept], rows[kept]


@torch.no_grad()
def similarities(encoder: Encoder, entries: Sequence[Entry]) -> torch.Tensor:
    """Return the similarity of each summary to each body (N, N). The right answer of row i is column i."""
    questions = Texts.of((entry.summary for entry in entries), encoder.words)
    answers = Texts.of((entry.body for entry in entries), encoder.words)
    return encoder(questions, "question") @ encoder(answers, "answer").T
