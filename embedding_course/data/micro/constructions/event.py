"""Express that someone does something at some time, in Chinese and in English.

The two languages order it differently. In Chinese time, place, company and manner stand before the verb:
她 昨天 在 公园 里 看 了 一 本 书; in English after the object: she read a book in the park yesterday.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ..phrases import Phrase
from ..words import Time, Verb

YES, NO, ASK = "yes", "no", "ask"

#: The markers before the Chinese verb, by tense and polarity.
MARKERS = {
    "past": {YES: "", NO: "没", ASK: ""},
    "future": {YES: "会", NO: "不 会", ASK: "会"},
    "now": {YES: "正在", NO: "没 在", ASK: "在"},
    "habit": {YES: "", NO: "不", ASK: ""},
}
BE = {"I": "am", "one": "is", "many": "are"}
WAS = {"I": "was", "one": "was", "many": "were"}


def join(*pieces: str) -> str:
    """Join the non-empty pieces with one space between them."""
    return " ".join(piece for piece in pieces if piece)


def verb_after(verb: Verb, tense: str, number: str) -> tuple[str, str]:
    """Return the English auxiliary and verb for questions and negations, such as ("did", "read").

    Parameters
    ----------
    verb : Verb
        The verb with its forms.
    tense : str
        "now", "past", "future" or "habit".
    number : str
        "one" or "many", the number of the subject.

    Examples
    --------
    >>> from embedding_course.data.micro.words import READ
    >>> verb_after(READ, "now", "many")
    ('are', 'reading')
    """
    if tense == "now":
        return BE[number], verb.ing
    auxiliary = {"past": "did", "future": "will", "habit": "does" if number == "one" else "do"}[tense]
    return auxiliary, verb.base


def plain_verb(verb: Verb, tense: str, number: str) -> str:
    """Return the English verb of a plain statement.

    Parameters
    ----------
    verb : Verb
        The verb with its forms.
    tense : str
        "now", "past", "future" or "habit".
    number : str
        "one" or "many", the number of the subject.
    """
    if tense == "past":
        return verb.past
    if tense == "habit":
        return verb.third if number == "one" else verb.base
    return join(*verb_after(verb, tense, number))


@dataclass(frozen=True)
class Event:
    """Hold who does what and when. `moved` is an object that 把 puts before the verb; `adjunct` is place, company or manner."""

    subject: Phrase
    verb: Verb
    time: Time
    object: Phrase | None = None
    moved: Phrase | None = None
    adjunct: Phrase | None = None
    polarity: str = YES

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield the sentence in both languages; then, if both languages allow it, with the time at the front."""
        yield self.chinese(), self.english()
        if self.time.front and self.polarity != ASK:
            yield self.chinese(front=True), self.english(front=True)

    def chinese(self, front: bool = False) -> str:
        """Return the Chinese sentence, with the time at the front if `front` is true."""
        tense = self.time.tense
        adjunct = self.adjunct.zh if self.adjunct else ""
        if tense == "now":
            adjunct = adjunct.removeprefix("在 ")  # 正在 and 在 merge.
        done = "了" if tense == "past" and self.polarity != NO else ""
        early = done if self.object and self.polarity == YES else ""
        return join(
            self.time.zh if front else "",
            self.subject.zh,
            "" if front else self.time.zh,
            MARKERS[tense][self.polarity],
            adjunct,
            f"把 {self.moved.zh}" if self.moved else "",
            self.verb.zh,
            early,
            self.object.zh if self.object else "",
            "" if early else done,
            "吗" if self.polarity == ASK else "",
        )

    def english(self, front: bool = False) -> str:
        """Return the English sentence, with the time at the front if `front` is true."""
        time, who, number = self.time, self.subject.en, self.subject.number
        auxiliary, base = verb_after(self.verb, time.tense, number)
        clause = {
            YES: join(who, time.en if time.medial and not front else "", plain_verb(self.verb, time.tense, number)),
            NO: join(who, auxiliary, "not", base),
            ASK: join(auxiliary, who, base),
        }[self.polarity]
        rest = [phrase.en for phrase in (self.moved, self.object, self.adjunct) if phrase]
        return join(time.en if front else "", clause, *rest, "" if front or time.medial else time.en)
