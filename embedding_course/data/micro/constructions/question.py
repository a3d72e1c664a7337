"""Express questions with 什么, 哪里 and 谁: Chinese asks in place, English moves the question word to the front."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..phrases import Phrase
from ..words import GO, Time, Verb
from .event import ASK, MARKERS, join, plain_verb, verb_after


@dataclass(frozen=True)
class What:
    """Ask for the object: 她 昨天 买 了 什么, what did she buy yesterday."""

    subject: Phrase
    verb: Verb
    time: Time
    adjunct: Phrase | None = None

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        tense = self.time.tense
        auxiliary, base = verb_after(self.verb, tense, self.subject.number)
        adjunct = self.adjunct.zh if self.adjunct else ""
        adjunct = adjunct.removeprefix("在 ") if tense == "now" else adjunct
        marker, done = MARKERS[tense][ASK], "了" if tense == "past" else ""
        yield (
            join(self.subject.zh, self.time.zh, marker, adjunct, self.verb.zh, done, "什么"),
            join("what", auxiliary, self.subject.en, base, self.adjunct.en if self.adjunct else "", self.time.en),
        )


@dataclass(frozen=True)
class Where:
    """Ask for the place: 她 明天 会 在 哪里 工作, where will she work tomorrow; 她 昨天 去 了 哪里, where did she go."""

    subject: Phrase
    verb: Verb
    time: Time
    object: Phrase | None = None

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        tense = self.time.tense
        auxiliary, base = verb_after(self.verb, tense, self.subject.number)
        thing, what = self.object[:2] if self.object else ("", "")
        if self.verb is GO:
            done = "了" if tense == "past" else ""
            chinese = join(MARKERS[tense][ASK], self.verb.zh, done, "哪里")
        else:
            marker = "" if tense == "now" else MARKERS[tense][ASK]  # The place begins with 在 already.
            chinese = join(marker, "在 哪里", self.verb.zh, thing)
        english = join("where", auxiliary, self.subject.en, base, what, self.time.en)
        yield join(self.subject.zh, self.time.zh, chinese), english


@dataclass(frozen=True)
class Who:
    """Ask for the subject: 谁 昨天 在 公园 里 跑步 了, who ran in the park yesterday. Both languages keep their order."""

    verb: Verb
    time: Time
    object: Phrase | None = None
    adjunct: Phrase | None = None

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        tense = self.time.tense
        adjunct, where = self.adjunct[:2] if self.adjunct else ("", "")
        adjunct = adjunct.removeprefix("在 ") if tense == "now" else adjunct
        thing, what = self.object[:2] if self.object else ("", "")
        done = "了" if tense == "past" else ""
        yield (
            join("谁", self.time.zh, MARKERS[tense][ASK], adjunct, self.verb.zh, done, thing),
            join("who", plain_verb(self.verb, tense, "one"), what, where, self.time.en),
        )
