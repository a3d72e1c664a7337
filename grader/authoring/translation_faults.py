"""What a translation must keep of its text: slots, code, formulas, links; and the house rules of written Chinese."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from babel.messages.catalog import Message

from .chinese_terms import wrong_terms

_SLOT = re.compile(r"\{[a-zA-Z_]\w*(?:![rsa])?(?::[^{}]*)?\}")
_FENCE = re.compile(r"```.*?```", re.DOTALL)
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_FORMULA = re.compile(r"\$\$.+?\$\$|(?<![\\$])\$(?!\s)[^$\n]+?(?<!\s)\$(?!\d)", re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)|(?:href|src)=\"([^\"]+)\"")
_HAN = r"\u3400-\u9fff"
_GLUED = re.compile(rf"[{_HAN}][A-Za-z0-9]|[A-Za-z0-9%][{_HAN}]")
_HALF_WIDTH = re.compile(rf"[{_HAN}]\s?[,;:?!](?:\s|$|[{_HAN}])|[{_HAN}]\.(?:\s|$)|[{_HAN}]\([{_HAN}]")


def faults_of(message: Message) -> Iterator[str]:
    """Yield a sentence for each way in which a translation does not fit its text.

    Parameters
    ----------
    message : Message
        An entry of a catalogue that has a translation. Chinese has one form, whatever the number is.
    """
    texts = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
    shown = message.string if isinstance(message.string, (tuple, list)) else (message.string or "",)
    for translation in filter(None, shown):
        yield from _not_kept(texts, translation, slots=bool({"python-brace-format"} & set(message.flags)))
        yield from _written(translation) if translation not in texts else ()
        yield from wrong_terms(texts[-1], translation, other_senses=message.user_comments)


def _not_kept(texts: Sequence[str], translation: str, *, slots: bool) -> Iterator[str]:
    kinds: list[tuple[str, Callable[[str], Counter[str]]]] = [("code", _code), ("formula", _formulas), ("link", _links)]
    if slots:
        kinds.append(("slot", lambda text: Counter(set(_SLOT.findall(text)))))
    for kind, parts in kinds:
        wanted, actual = [parts(text) for text in texts], parts(translation)
        if actual not in wanted:
            lost, more = wanted[-1] - actual, actual - wanted[-1]
            yield f"{kind} {', '.join([*(f'lost {part}' for part in lost), *(f'added {part}' for part in more)])}"


def _code(text: str) -> Counter[str]:
    return Counter([*_FENCE.findall(text), *(match[1] for match in _CODE.findall(_FENCE.sub("", text)))])


def _formulas(text: str) -> Counter[str]:
    return Counter(_FORMULA.findall(_without_code(text)))


def _links(text: str) -> Counter[str]:
    return Counter(first or second for first, second in _LINK.findall(_without_code(text)))


def _without_code(text: str) -> str:
    return _CODE.sub("", _FENCE.sub("", text))


def _written(translation: str) -> Iterator[str]:
    """Yield breaches of the house rules: a space between Chinese and Latin, Chinese punctuation, 你 instead of 您."""
    text = _LINK.sub("](", _FORMULA.sub("", _without_code(translation)))
    text = re.sub(r"<[^>]+>|“[^”]*”", "", text)  # tags, and what a tutorial says in its own words
    if match := _GLUED.search(text):
        yield f"no space between Chinese and Latin in “{_around(text, match)}”"
    if match := _HALF_WIDTH.search(text):
        yield f"half-width punctuation in “{_around(text, match)}”"
    if "您" in text:
        yield "您: learners are 你"


def _around(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 6) : match.end() + 6].replace("\n", " ")
