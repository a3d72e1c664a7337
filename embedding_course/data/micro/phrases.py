"""Build noun phrases in both languages at once: 一 本 书 and "a book", 我 妈妈 and "my mum"."""

from typing import NamedTuple

from .words import KIN, PEOPLE, Adjective, Noun


class Phrase(NamedTuple):
    """Hold a part of a sentence in both languages. `number` is "one", "many" or "I"; the English verb agrees with it."""

    zh: str
    en: str
    number: str = "one"


def article(word: str) -> str:
    """Return the indefinite article before `word`, by its first letter: right for every word of this language."""
    return "an" if word[0] in "aeiou" else "a"


def a(noun: Noun, adjective: Adjective | None = None) -> Phrase:
    """Return the phrase with an indefinite article: 一 朵 红色 的 花, a red flower; 一 杯 茶, a cup of tea.

    Parameters
    ----------
    noun : Noun
        The noun; one with a vessel takes no adjective.
    adjective : Adjective or None, optional
        The adjective before the noun.
    """
    if noun.vessel:
        return Phrase(f"一 {noun.measure} {noun.zh}", f"a {noun.vessel} of {noun.en}")
    zh, en = (f"{adjective.zh}{adjective.link} {noun.zh}", f"{adjective.en} {noun.en}") if adjective else noun[:2]
    return Phrase(f"一 {noun.measure} {zh}", f"{article(en)} {en}")


def two(noun: Noun) -> Phrase:
    """Return the phrase for two of them: 两 本 书, two books."""
    return Phrase(f"两 {noun.measure} {noun.zh}", f"two {noun.plural}", "many")


def this(noun: Noun) -> Phrase:
    """Return the phrase with "this": 这 本 书, this book."""
    return _pointed("这", "this", noun)


def that(noun: Noun) -> Phrase:
    """Return the phrase with "that": 那 本 书, that book; 那 杯 茶, that cup of tea."""
    return _pointed("那", "that", noun)


def _pointed(zh: str, en: str, noun: Noun) -> Phrase:
    name = f"{noun.vessel} of {noun.en}" if noun.vessel else noun.en
    return Phrase(f"{zh} {noun.measure} {noun.zh}", f"{en} {name}")


def those_two(noun: Noun) -> Phrase:
    """Return the phrase with "those two": 那 两 只 猫, those two cats."""
    return Phrase(f"那 两 {noun.measure} {noun.zh}", f"those two {noun.plural}", "many")


def the(noun: Noun) -> Phrase:
    """Return the phrase with "the": 老师, the teacher. A bare Chinese noun at the start of a sentence is definite."""
    return Phrase(noun.zh, f"the {noun.en}")


def general(noun: Noun) -> Phrase:
    """Return the bare noun as in "often reads books": 书, books; 茶, tea."""
    return Phrase(noun.zh, noun.plural or noun.en, "many" if noun.plural else "one")


def any_of(noun: Noun) -> Phrase:
    """Return the phrase for negations and questions: 书, any books; 茶, any tea."""
    return Phrase(noun.zh, f"any {noun.plural or noun.en}", "many" if noun.plural else "one")


def some(noun: Noun) -> Phrase:
    """Return the phrase as in "wants to read a book": 书, a book; 茶, tea."""
    return Phrase(noun.zh, noun.en if noun.vessel else f"{article(noun.en)} {noun.en}")


class Owner(NamedTuple):
    """Hold a possessive: 我 的, my."""

    zh: str
    en: str

    def thing(self, noun: Noun) -> Phrase:
        """Return the noun with its owner: 我 的 书, my book."""
        return Phrase(f"{self.zh} 的 {noun.zh}", f"{self.en} {noun.en}")

    def kin(self, name: str) -> Phrase:
        """Return the relative with the possessive, which needs no 的: 我 妈妈, my mum."""
        return Phrase(f"{self.zh} {KIN[name].zh}", f"{self.en} {KIN[name].en}")


MY, YOUR, HIS, HER = OWNERS = (Owner("我", "my"), Owner("你", "your"), Owner("他", "his"), Owner("她", "her"))

I = Phrase("我", "I", "I")  # noqa: E741
YOU, HE, SHE = Phrase("你", "you", "many"), Phrase("他", "he"), Phrase("她", "she")
WE, THEY = Phrase("我们", "we", "many"), Phrase("他们", "they", "many")
ME, HIM, HER_TOO = Phrase("我", "me"), Phrase("他", "him"), Phrase("她", "her")
TEACHER, DOCTOR, STUDENT, BOY, GIRL, CHILD = (
    the(PEOPLE[name]) for name in ("teacher", "doctor", "student", "boy", "girl", "child")
)
STUDENTS, CHILDREN = Phrase("学生 们", "the students", "many"), Phrase("孩子 们", "the children", "many")
FRIEND = a(PEOPLE["friend"])
