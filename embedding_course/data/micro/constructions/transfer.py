"""Express giving, putting and breaking; one meaning has more than one construction here.

她 送 给 了 老师 一 本 书     she gave the teacher a book
她 送 了 一 本 书 给 老师     she gave a book to the teacher
孩子 把 那 个 杯子 打破 了    the child broke that cup
那 个 杯子 被 孩子 打破 了    that cup was broken by the child
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ..phrases import Phrase
from ..words import GIVE, GIVE_TO, PUT, Time, Verb
from .event import WAS, YES, Event, join


@dataclass(frozen=True)
class Gift:
    """State that someone gives someone a thing."""

    giver: Phrase
    receiver: Phrase
    thing: Phrase
    time: Time

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        receiver, thing = self.receiver, self.thing
        yield from Event(
            self.giver, GIVE_TO, self.time, Phrase(f"{receiver.zh} {thing.zh}", f"{receiver.en} {thing.en}")
        ).forms()
        yield from Event(
            self.giver, GIVE, self.time, Phrase(f"{thing.zh} 给 {receiver.zh}", f"{thing.en} to {receiver.en}")
        ).forms()


@dataclass(frozen=True)
class Handover:
    """State that someone gives a definite thing to someone: 把 那 本 书 送 给 了 老师, gave that book to the teacher."""

    giver: Phrase
    receiver: Phrase
    thing: Phrase
    time: Time
    polarity: str = YES

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        goal = Phrase(self.receiver.zh, f"to {self.receiver.en}")
        yield from Event(self.giver, GIVE_TO, self.time, goal, moved=self.thing, polarity=self.polarity).forms()


@dataclass(frozen=True)
class Mishap:
    """State that something is broken, lost or eaten up, in the active and in the passive voice."""

    agent: Phrase
    verb: Verb
    thing: Phrase
    time: Time

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        yield from Event(self.agent, self.verb, self.time, moved=self.thing).forms()
        chinese = f"被 {self.agent.zh} {self.verb.zh} 了"
        english = f"{self.thing.en} {WAS[self.thing.number]} {self.verb.done} by {self.agent.en}"
        yield join(self.thing.zh, self.time.zh, chinese), join(english, self.time.en)
        yield join(self.time.zh, self.thing.zh, chinese), join(self.time.en, english)


@dataclass(frozen=True)
class Request:
    """Ask to put a thing somewhere: 请 把 那 本 书 放 在 桌子 上, please put that book on the table."""

    thing: Phrase
    spot: Phrase

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        yield f"请 把 {self.thing.zh} {PUT.zh} {self.spot.zh}", f"please put {self.thing.en} {self.spot.en}"
