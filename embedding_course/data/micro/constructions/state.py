"""Express states: where things are, what there is, what things are like, and comparisons."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..phrases import Phrase
from ..words import KINDS, Adjective, Time
from .event import ASK, BE, NO, WAS, YES, join


def _with_be(thing: Phrase, what: str, past: bool, polarity: str) -> str:
    be = (WAS if past else BE)[thing.number]
    return {
        YES: join(thing.en, be, what),
        NO: join(thing.en, be, "not", what),
        ASK: join(be, thing.en, what),
    }[polarity]


def _with_time(thing: Phrase, time: Time | None, polarity: str, chinese: str, what: str) -> Iterator[tuple[str, str]]:
    """Yield the statement with the time after the subject (Chinese) or at the end (English), then first in both."""
    english = _with_be(thing, what, time is not None and time.tense == "past", polarity)
    if time is None:
        yield join(thing.zh, chinese), english
        return
    yield join(thing.zh, time.zh, chinese), join(english, time.en)
    if polarity != ASK:
        yield join(time.zh, thing.zh, chinese), join(time.en, english)


@dataclass(frozen=True)
class Located:
    """State where a thing is: 那 本 书 在 桌子 上, that book is on the table."""

    thing: Phrase
    spot: Phrase
    polarity: str = YES
    time: Time | None = None

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        be = {YES: "在", NO: "不 在", ASK: "在"}[self.polarity]
        chinese = join(be, self.spot.zh, "吗" if self.polarity == ASK else "")
        yield from _with_time(self.thing, self.time, self.polarity, chinese, self.spot.en)


@dataclass(frozen=True)
class Exists:
    """State what is at a place: 桌子 上 有 一 本 书, there is a book on the table. Only Chinese names the place first."""

    thing: Phrase
    spot: Phrase
    polarity: str = YES

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        thing, spot, be = self.thing, self.spot, BE[self.thing.number]
        if self.polarity == YES:
            yield f"{spot.zh} 有 {thing.zh}", f"there {be} {thing.en} {spot.en}"
            yield f"有 {thing.zh} 在 {spot.zh}", f"{thing.en} {be} {spot.en}"
        elif self.polarity == NO:
            yield f"{spot.zh} 没有 {thing.zh}", f"there {be} no {thing.en.removeprefix('any ')} {spot.en}"
        else:
            yield f"{spot.zh} 有 {thing.zh} 吗", f"{be} there {thing.en} {spot.en}"


@dataclass(frozen=True)
class Described:
    """State a quality: 那 朵 花 很 漂亮, that flower is very beautiful. Some have no degree: 那 朵 花 是 红色 的."""

    thing: Phrase
    adjective: Adjective
    polarity: str = YES
    time: Time | None = None

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        adjective, ask = self.adjective, "吗" if self.polarity == ASK else ""
        if adjective in KINDS:
            chinese, english = join("不 是" if self.polarity == NO else "是", adjective.zh, "的", ask), adjective.en
        else:
            degree = {YES: "很", NO: "不", ASK: ""}[self.polarity]
            chinese, english = join(degree, adjective.zh, ask), join("very" if self.polarity == YES else "", adjective.en)
        yield from _with_time(self.thing, self.time, self.polarity, chinese, english)


@dataclass(frozen=True)
class Compared:
    """Compare two things in either direction: 我 的 狗 比 你 的 猫 大, my dog is bigger than your cat."""

    more: Phrase
    less: Phrase
    adjective: Adjective
    opposite: Adjective

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        for left, right, by in ((self.more, self.less, self.adjective), (self.less, self.more, self.opposite)):
            yield f"{left.zh} 比 {right.zh} {by.zh}", f"{left.en} is {by.comparative} than {right.en}"
