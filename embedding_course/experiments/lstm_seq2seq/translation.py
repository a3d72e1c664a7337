"""Train a translator on sentence pairs of the micro-language as tensors, and count the right translations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from time import process_time

import torch
import torch.nn.functional as F
from torch import nn

from ...data.micro import Pair, Vocabulary, micro_language
from ..gradients.pretrained import train_vectors
from ..training import Batches
from ..training import train as loop
from .translator import Batch, Translator

LONGEST = 14


@dataclass(frozen=True)
class Setting:
    """Hold the settings of a run.

    `slip` is the bug of the run: "", "state" (state after the padding), "target" (not shifted), "loss" (counts padding).
    """

    attention: bool = True
    width: int = 48
    hidden: int = 64
    tied: bool = False
    pairs: int = 20_000
    joined: bool = False  # True if every second text is two sentences.
    words: int | None = None  # Size of the Chinese vocabulary; None for all words.
    vectors: str = "random"  # Initialisation of the Chinese table: random, pretrained or frozen.
    slip: str = ""
    steps: int = 1250
    batch: int = 64
    rate: float = 5e-3
    seed: int = 0


@dataclass
class Result:
    """Hold a trained model, its loss at every step and the processor seconds."""

    model: Translator
    setting: Setting
    losses: list[float]
    seconds: float

    @property
    def parameters(self) -> int:
        """Return the number of parameters."""
        return sum(parameter.numel() for parameter in self.model.parameters())


@dataclass(frozen=True)
class Text:
    """Hold pairs as padded ids, Chinese (N, S) and English (N, T), their lengths (N,), and as strings."""

    chinese: torch.Tensor
    chinese_lengths: torch.Tensor
    english: torch.Tensor
    english_lengths: torch.Tensor
    pairs: list[Pair]

    @property
    def tensors(self) -> tuple[torch.Tensor, ...]:
        """Return Chinese ids and lengths, then English ids and lengths."""
        return self.chinese, self.chinese_lengths, self.english, self.english_lengths


@cache
def CHINESE(size: int | None = None) -> Vocabulary:
    """Return the Chinese vocabulary, of all words or of the most frequent ones."""
    return Vocabulary((pair.chinese for pair in micro_language().everything), size)


@cache
def ENGLISH() -> Vocabulary:
    """Return the English vocabulary."""
    return micro_language().vocabulary["english"]


def filled(rows: Sequence[Sequence[int]], width: int = LONGEST) -> torch.Tensor:
    """Return rows of ids, padded with 0 to one length."""
    return torch.tensor([[*row, *[0] * (width - len(row))] for row in rows])


@cache
def text(split: str = "train", number: int = 20_000, words: int | None = None, joined: bool = False) -> Text:
    """Return the first pairs of a split, in a fixed order.

    Parameters
    ----------
    split : str, optional
        "train", "valid" or "test".
    number : int, optional
        Number of pairs.
    words : int or None, optional
        Size of the Chinese vocabulary; None for all words.
    joined : bool, optional
        True to append the next pair to every second one.
    """
    pairs = micro_language().pairs(split, number)
    if joined:
        following = [*pairs[1:], pairs[0]]
        pairs = [
            Pair(f"{first.chinese} {second.chinese}", f"{first.english} {second.english}", first.meaning)
            if index % 2
            else first
            for index, (first, second) in enumerate(zip(pairs, following, strict=True))
        ]
    here = [CHINESE(words).encode(pair.chinese) for pair in pairs]
    there = [ENGLISH().encode(pair.english) for pair in pairs]
    counted = [torch.tensor([len(row) for row in rows]) for rows in (here, there)]
    width = max(map(len, here + there))
    return Text(filled(here, width), counted[0], filled(there, width), counted[1], pairs)


def held_out(number: int = 2000, words: int | None = None, joined: bool = False) -> Text:
    """Return pairs of the test split, whose meanings do not occur in training."""
    return text("test", number, words, joined)


def batch_of(rows: Sequence[torch.Tensor], shifted: bool = True) -> Batch:
    """Return a batch of pairs (the four tensors of a text, some rows of them), as wide as its longest sentence."""
    chinese, lengths, english, there = rows
    wanted = F.pad(english, (0, 1))
    wanted[torch.arange(len(wanted)), there] = ENGLISH().eos
    wanted = wanted[:, : there.max() + 1]
    fed = F.pad(wanted[:, :-1], (1, 0), value=ENGLISH().bos) if shifted else wanted
    return Batch(chinese[:, : lengths.max()], lengths, fed, wanted)


def train(setting: Setting, title: str | None = None) -> Result:
    """Train a fresh model; with a `title` a bar shows progress and loss."""
    torch.manual_seed(setting.seed)
    model = Translator(
        len(CHINESE(setting.words)),
        len(ENGLISH()),
        setting.width,
        setting.hidden,
        setting.attention,
        setting.tied,
        packed=setting.slip != "state",
    )
    if setting.vectors != "random":
        model.source_table = nn.Embedding.from_pretrained(chinese_table(setting.width), setting.vectors == "frozen", 0)
    learned = [parameter for parameter in model.parameters() if parameter.requires_grad]
    descend = descent(learned, setting)
    counted = -100 if setting.slip == "loss" else 0

    def step(rows: Sequence[torch.Tensor]) -> float:
        batch = batch_of(rows, setting.slip != "target")
        return descend(F.cross_entropy(model(batch).flatten(0, 1), batch.wanted.flatten(), ignore_index=counted))

    texts = text("train", setting.pairs, setting.words, setting.joined)
    batches = Batches(texts.tensors, setting.batch, setting.steps, setting.seed)
    start = process_time()
    run = loop(step, batches, title)
    return Result(model, setting, run.losses, process_time() - start)


def descent(learned: list[nn.Parameter], setting: Setting) -> Callable[[torch.Tensor], float]:
    """Return a function that makes one step on a loss: Adam, gradients clipped to norm 1, one-cycle learning rate."""
    optimizer = torch.optim.Adam(learned, lr=setting.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, setting.rate, total_steps=setting.steps, pct_start=0.1)

    def descend(loss: torch.Tensor) -> float:
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        schedule.step()
        return loss.item()

    return descend


@torch.no_grad()
def translate(model: Translator, source: torch.Tensor, lengths: torch.Tensor, extra: int = 0) -> list[str]:
    """Translate a batch greedily.

    Parameters
    ----------
    model : Translator
        A trained translator.
    source : torch.Tensor
        Ids of the Chinese sentences, (B, S).
    lengths : torch.Tensor
        Number of words of each sentence, (B,).
    extra : int, optional
        Number of columns of padding that are added.
    """
    source = F.pad(source[:, : lengths.max()], (0, extra))
    thought = model.read(source, lengths)
    word, ids = torch.full((len(source), 1), ENGLISH().bos), []
    for _ in range(int(lengths.max()) + 6):
        scores, thought = model.write(word, thought)
        word = scores.argmax(dim=-1)
        ids.append(word)
    return [ENGLISH().decode(row) for row in torch.cat(ids, dim=1).tolist()]


def right(translations: Sequence[str], texts: Text) -> torch.Tensor:
    """Return which sentences are right, word for word: bool (N,)."""
    return torch.tensor([translation == pair.english for translation, pair in zip(translations, texts.pairs, strict=True)])


def exact(model: Translator, texts: Text, extra: int = 0) -> float:
    """Return the share of sentences that are right, word for word."""
    return right(translate(model, texts.chinese, texts.chinese_lengths, extra), texts).float().mean().item()


def by_length(hits: torch.Tensor, texts: Text, edges: Sequence[int] = (3, 6, 8, 10, 12, 15)) -> dict[str, float]:
    """Return the share of right sentences by the number of their Chinese words."""
    shares = {}
    for low, high in pairwise(edges):
        chosen = (texts.chinese_lengths >= low) & (texts.chinese_lengths < high)
        shares[f"{low}–{high - 1}"] = hits[chosen].float().mean().item()
    return shares


def say(model: Translator, sentences: Sequence[str]) -> list[str]:
    """Translate Chinese sentences, words separated by spaces."""
    rows = [CHINESE().encode(sentence) for sentence in sentences]
    return translate(model, filled(rows), torch.tensor([len(row) for row in rows]))


def alignment(model: Translator, sentence: str) -> tuple[list[str], list[str], torch.Tensor]:
    """Return the Chinese words, the English words of the translation (with <eos>), and the attention weights (T, S)."""
    (translation,) = say(model, [sentence])
    source, target = CHINESE().encode(sentence), ENGLISH().encode(translation)
    weights = model.looks(torch.tensor(source), torch.tensor([ENGLISH().bos, *target]))
    return sentence.split(), [*translation.split(), "<eos>"], weights


@cache
def chinese_table(width: int = 48) -> torch.Tensor:
    """Return a table (V, width) from co-occurrence in Chinese training sentences alone; its scale is that of N(0, 1).

    Words that no training sentence contains, and the special tokens, get rows of zeros.
    """
    sentences = micro_language().sentences("chinese")
    stream = tuple(word for sentence in sentences for word in (*sentence.split(), "<eos>"))
    vocabulary = micro_language().vocabulary["chinese"]
    table = torch.zeros(len(vocabulary), width)
    for word, vector in train_vectors(stream, size=len(set(stream)), width=width).items():
        if vocabulary.ids[word] >= 4:
            table[vocabulary.ids[word]] = vector
    return table * (width / table[4:].square().sum(dim=1).mean()).sqrt()
