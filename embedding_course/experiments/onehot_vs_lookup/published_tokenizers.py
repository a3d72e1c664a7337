"""Cut texts with two published tokenizers: MiniLM's word pieces and Llama 2's pieces.

`record` writes the pieces of the lesson's texts to `data/recorded/pieces.json`, for machines without the tokenizers.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...data.dog_and_machine import story
from ...data.files import data_file
from ...data.published import PublishedError, published_or_none
from ...messages import say, translatable

RECORD = "recorded/pieces.json"
WORDPIECE, LLAMA = "MiniLM", "Llama 2"
_MODELS = {WORDPIECE: "minilm", LLAMA: "static_table"}

_CODE = """\
for word in text.split():
    count[word] = count.get(word, 0) + 1
def area(width: float, height: float) -> float:
    return width * height
rows = [line.strip().split(",") for line in file if line]
if not isinstance(value, (int, float)):
    raise TypeError(f"{value!r} is not a number")
loss = F.cross_entropy(logits.view(-1, 50), targets)
x[:, ::2] += 0.5 * (x[:, 1::2] - 1)
assert sorted(names, key=len)[-1] == "embedding"
"""
_EMOJI = """\
🐶❤️
Good morning! ☀️😊
See you in the park 🌳🐕
Happy birthday 🎂🎉🎈
The machine 🤖 learns 📚
No idea 🤷
👍👍
We won! 🏆🥳
Pizza or noodles? 🍕🍜
Good night 😴🌙
"""

#: Ten short texts of each kind. The English and the Chinese sentences say the same.
TEXTS = {
    "English": tuple(story("english", start=80).splitlines()),
    "Chinese": tuple(story("chinese", start=80).splitlines()),
    translatable("code"): tuple(_CODE.splitlines()),
    "emoji": tuple(_EMOJI.splitlines()),
}

#: A text with capitals, an accent, two spaces, Chinese and emoji.
MIXED = "Naïve? I love  机器学习 🐶"


def cutters() -> dict[str, Callable[[str], list[str]]]:
    """Return for each published tokenizer the function that cuts a text into pieces.

    Where a tokenizer is not installed, its function knows the recorded texts only: those of `TEXTS`, and `MIXED`.
    """
    return {name: _cutter(name) for name in _MODELS}


def _cutter(name: str) -> Callable[[str], list[str]]:
    model = published_or_none(_MODELS[name])
    if model is not None:
        return model.tokenizer.pieces
    say("{name}: recorded pieces", name=name)
    return json.loads(data_file(RECORD).read_text(encoding="utf-8"))[name].__getitem__


@dataclass(frozen=True)
class Count:
    """Hold the mean number of tokens of a text, and the share of them that stand for unknown text."""

    tokens: float
    unknown: float


def count(cut: Callable[[str], Sequence[str | int]]) -> dict[str, Count]:
    """Return for each kind of text what a tokenizer makes of it.

    Parameters
    ----------
    cut : Callable[[str], Sequence[str | int]]
        Returns the tokens of a text. Only MiniLM's `[UNK]` stands for unknown text.

    Examples
    --------
    >>> count(lambda text: text.split())["English"]
    Count(tokens=9.7, unknown=0.0)
    """
    counts = {}
    for kind, texts in TEXTS.items():
        tokens = [token for text in texts for token in cut(text)]
        counts[kind] = Count(len(tokens) / len(texts), tokens.count("[UNK]") / len(tokens))
    return counts


def record(path: Path) -> None:
    """Write the pieces of the lesson's texts to `path`, one text in each line.

    Raises
    ------
    PublishedError
        If a tokenizer is not installed.
    """
    texts = [MIXED, *(text for group in TEXTS.values() for text in group)]
    blocks = []
    for name, published in _MODELS.items():
        model = published_or_none(published)
        if model is None:
            raise PublishedError(f"the pieces of {name} cannot be recorded without its tokenizer")
        lines = [f"  {_as_json(text)}: {_as_json(model.tokenizer.pieces(text))}" for text in texts]
        blocks.append(f" {_as_json(name)}: {{\n" + ",\n".join(lines) + "\n }")
    path.write_text("{\n" + ",\n".join(blocks) + "\n}\n", encoding="utf-8")


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
