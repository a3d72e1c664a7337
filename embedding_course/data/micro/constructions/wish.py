"""Express what someone wants, likes or can do: 想, 喜欢, 会 before the verb."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..phrases import Phrase
from ..words import Verb
from .event import ASK, NO, YES, join

WANT, LIKE, CAN = "want", "like", "can"
_CHINESE = {WANT: "想", LIKE: "喜欢", CAN: "会"}


@dataclass(frozen=True)
class Wish:
    """State what someone wants, likes or can do: 她 想 喝 茶, she wants to drink tea; 她 不 会 游泳, she cannot swim."""

    subject: Phrase
    modal: str
    verb: Verb
    object: Phrase | None = None
    polarity: str = YES

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield each form of this meaning as a pair of sentences, Chinese and English."""
        thing, what = self.object[:2] if self.object else ("", "")
        no, ask = "不" if self.polarity == NO else "", "吗" if self.polarity == ASK else ""
        yield (
            join(self.subject.zh, no, _CHINESE[self.modal], self.verb.zh, thing, ask),
            join(self._english(), self.verb.ing if self.modal == LIKE else self.verb.base, what),
        )

    def _english(self) -> str:
        """Return the part of the English sentence before the main verb."""
        who, modal = self.subject.en, self.modal
        if modal == CAN:
            return {YES: f"{who} can", NO: f"{who} cannot", ASK: f"can {who}"}[self.polarity]
        third = self.subject.number == "one"
        do, to = "does" if third else "do", "to" if modal == WANT else ""
        statement = join(who, f"{modal}s" if third else modal, to)
        return {YES: statement, NO: join(who, do, "not", modal, to), ASK: join(do, who, modal, to)}[self.polarity]
