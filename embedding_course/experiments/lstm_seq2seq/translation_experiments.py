"""Train the recorded runs of notebook 05: hidden bugs, and the effect of the table's size, initialisation and sharing."""

import torch

from ..curves import Curves
from .translation import Result, Setting, by_length, exact, held_out, right, train, translate

SLIPS = {
    "right": "right",
    "state": "state at padding",
    "target": "target not shifted",
    "loss": "loss counts padding",
}
WIDTHS = (2, 4, 8, 16, 48, 128)
EVERY = 25


def _curve(result: Result) -> list[tuple[float, float]]:
    """Return the mean loss of every 25 steps."""
    means = torch.tensor(result.losses).view(-1, EVERY).mean(dim=1)
    return [(EVERY * (index + 1), value) for index, value in enumerate(means.tolist())]


def slips() -> Curves:
    """Train one right run and three with a bug; measure exact match as in training, and with 20 columns more padding."""
    curves, numbers = {}, {}
    for name in SLIPS:
        result = train(Setting(attention=False, slip="" if name == "right" else name))
        curves[name] = _curve(result)
        numbers[name] = exact(result.model, held_out())
        numbers[f"{name}, padded"] = exact(result.model, held_out(), extra=20)
        if name == "right":
            hits = right(translate(result.model, held_out().chinese, held_out().chinese_lengths), held_out())
            numbers |= {f"length {length}": share for length, share in by_length(hits, held_out()).items()}
    return Curves(0, Setting().steps, curves, numbers, SLIPS)


JOINED = {"attention": "with attention", "plain": "without attention"}
LENGTHS, LONGER = (3, 7, 10, 13, 16, 19, 27), 3000


def joined() -> Curves:
    """Train on texts of one sentence or two, with attention and without; the numbers are exact match by length."""
    curves, numbers, texts = {}, {}, held_out(joined=True)
    for name in JOINED:
        result = train(Setting(name == "attention", joined=True, steps=LONGER))
        curves[name] = _curve(result)
        chinese, lengths, *_ = texts.tensors
        hits = right(translate(result.model, chinese, lengths), texts)
        numbers |= {f"{name}, {length}": share for length, share in by_length(hits, texts, LENGTHS).items()}
    return Curves(0, LONGER, curves, numbers, JOINED)


def widths() -> Curves:
    """Measure exact match and parameters by width of the vectors, with attention."""
    curves, numbers = {}, {}
    for width in WIDTHS:
        result = train(Setting(width=width))
        curves[str(width)] = _curve(result)
        numbers |= {f"{width}": exact(result.model, held_out()), f"{width}, parameters": result.parameters}
    return Curves(0, Setting().steps, curves, numbers)


TABLES = {"two": "two tables", "one": "one table", "random": "random", "given": "pretrained", "frozen": "frozen"}


def tables() -> Curves:
    """Compare two tables with one on the English side and, with 1,000 pairs, three initialisations of the Chinese table."""
    settings = {
        "two": Setting(),
        "one": Setting(tied=True),
        "random": Setting(pairs=1000),
        "given": Setting(pairs=1000, vectors="pretrained"),
        "frozen": Setting(pairs=1000, vectors="frozen"),
    }
    curves, numbers = {}, {}
    for name, setting in settings.items():
        result = train(setting)
        curves[name] = _curve(result)
        numbers |= {name: exact(result.model, held_out()), f"{name}, parameters": result.parameters}
    return Curves(0, Setting().steps, curves, numbers, TABLES)


def narrow() -> Curves:
    """Train with the 96 most frequent Chinese words; measure exact match with known words only, and with an unknown one."""
    result = train(Setting(words=100))
    texts = held_out(words=100)
    hits = right(translate(result.model, texts.chinese, texts.chinese_lengths), texts).float()
    unknown = (texts.chinese == 1).any(dim=1)
    numbers = {
        "all known": hits[~unknown].mean().item(),
        "some unknown": hits[unknown].mean().item(),
        "sentences with unknown words": unknown.float().mean().item(),
    }
    return Curves(0, Setting().steps, {"narrow": _curve(result)}, numbers, {"narrow": "100 words"})
