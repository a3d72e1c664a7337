"""Texts for the cases on byte pairs: the words of `corpora` under other letters and in another order."""

from collections.abc import Mapping, Sequence

from ...checking.exercise import RandomInputs

_PIECES = (
    "我爱狗，狗也爱我🙂", "机器学习 dogs love 机器", "🙂🙂 I love 学习。", "爱爱爱 lovelove", "狗很可爱", "不在表里", "爷爸🐱",
)


def rename(draw: RandomInputs) -> dict[str, str]:
    """Return random letters in place of a to f."""
    return dict(zip("abcdef", draw.shuffled("abcdefghijklmnopqrstuvwxyz")[:6], strict=True))


def rename_in_order(draw: RandomInputs) -> dict[str, str]:
    """Return random letters in place of a to f in alphabetical order, so that the order of their bytes is kept."""
    return dict(zip("abcdef", sorted(rename(draw).values()), strict=True))


def words_of(draw: RandomInputs, counts: Mapping[str, int], letters: Mapping[str, str]) -> list[str]:
    """Return the words of a text, each as often as it is counted, renamed and shuffled."""
    words = [word for word, count in counts.items() for _ in range(count)]
    return ["".join(letters.get(letter, letter) for letter in word) for word in draw.shuffled(words)]


def mixed_text(draw: RandomInputs, pieces: Sequence[str] = _PIECES, count: int = 4) -> str:
    """Return a text of Chinese, English and emoji, with some of the pieces in random order."""
    return " ".join(draw.shuffled(pieces)[:count])
