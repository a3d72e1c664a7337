"""Sentences for learners: whole templates with named slots, looked up through gettext when they are shown.

The English template is the key, so English needs no catalogue. `make locale` extracts what `Message` and `Message.plural` are
called with, and the texts of exercises, catalogues and lessons, which are looked up by `translate`.
"""

from __future__ import annotations

import gettext
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DOMAIN = "embedding_course"
ENGLISH = "en"
#: Environment variable with the language of a process that no notebook has set, such as the one that `doctor` starts.
VARIABLE = "EMBEDDING_COURSE_LANGUAGE"
_LONGEST_LABEL = 80
#: What stands between a context and its text, or in Markdown.
_IN_A_CONTEXT = frozenset("\x04`*$")
#: Numbers in a label.
NUMBER = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?%?")
_FULL_WIDTH = "。！？：；，、）”"
CATALOGUES = Path(__file__).parent / "locale"
_further: list[Path] = []


class UnknownLanguage(LookupError):
    """There is no catalogue of this language. A notebook shows the sentence alone."""

    def __str__(self) -> str:
        return str(self.args[0])

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def set_language(code: str) -> None:
    """Show messages in another language from now on.

    Parameters
    ----------
    code : str
        "en" or "zh".

    Raises
    ------
    UnknownLanguage
        If there is no catalogue of this language.

    Examples
    --------
    >>> set_language("zh"); language()
    'zh-CN'
    >>> set_language("en"); language()
    'en'
    """
    global _translations
    _translations = _catalogue(code)


@contextmanager
def in_language(translations: str | gettext.NullTranslations) -> Iterator[None]:
    """Show messages in a language, given by its code or as translations, within the block."""
    global _translations
    before = _translations
    _translations = _catalogue(translations) if isinstance(translations, str) else translations
    try:
        yield
    finally:
        _translations = before


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == ENGLISH:
        return gettext.NullTranslations()
    try:
        translations = gettext.translation(DOMAIN, CATALOGUES, [code])
    except OSError:
        message = Message("There is no language {code}; there are {known}.", code=repr(code))
        raise UnknownLanguage(message.fill(known=Listing([repr(known) for known in languages()]))) from None
    for folder in _further:
        translations.add_fallback(gettext.translation(DOMAIN, folder, [code], fallback=True))
    return translations


def look_also_in(folder: Path) -> None:
    """Look texts up in these catalogues too, after those of the package; for what learners do not get."""
    _further.append(folder)
    _catalogue.cache_clear()


def languages() -> list[str]:
    """Return the codes that `set_language` takes."""
    return [ENGLISH, *sorted(path.name for path in CATALOGUES.glob("*/"))]


def _at_start() -> gettext.NullTranslations:
    """Return the language that a process begins with: that of the environment, if it names one that there is."""
    code = os.environ.get(VARIABLE, ENGLISH)
    return _catalogue(code if code in languages() else ENGLISH) if code != ENGLISH else gettext.NullTranslations()


def language() -> str:
    """Return the code of the language in use, as pages declare it."""
    return _translations.info().get("language", ENGLISH).replace("_", "-")


def edition() -> str:
    """Return the code of the language in use, as `set_language` takes it."""
    return language().partition("-")[0]


def translate(text: str, /, **slots: Any) -> str:
    """Return a text in the language in use: one that comes from data, such as a title, or a template and its slots.

    A label that a lesson puts together, such as "perplexity 30", is looked up as "perplexity #"; what stands there is looked
    up by itself.

    Examples
    --------
    >>> translate("{share:.0%} of the rows move", share=0.25)
    '25% of the rows move'
    """
    shown = _translations.gettext(text) if text else ""
    if shown == text and not slots:
        shown = _put_together(text)
    return shown.format_map({name: _Slot(value) for name, value in slots.items()}) if slots else shown


def _put_together(text: str) -> str:
    """Return a label whose words are a template with signs for its parts; the text itself where there is none."""
    for pattern, template in _labels(_translations) if len(text) <= _LONGEST_LABEL else ():
        if found := pattern.fullmatch(text):
            words = template.split("#")
            parts = [*map(translate, found.groups()), ""]
            return "".join(word + part for word, part in zip(words, parts, strict=False))
    return text


@cache
def _labels(translations: gettext.NullTranslations) -> list[tuple[re.Pattern[str], str]]:
    """Return the templates of labels as patterns, those with the most words of their own first."""
    known: dict[Any, Any] = getattr(translations, "_catalog", {})
    templates = [
        (text, shown)
        for text, shown in known.items()
        if isinstance(text, str) and "#" in text and len(text) <= _LONGEST_LABEL and not _IN_A_CONTEXT.intersection(text)
    ]
    templates.sort(key=lambda entry: -len(entry[0].replace("#", "")))
    return [(_pattern(text), shown) for text, shown in templates if text[0] != "#" or " " in text]


def _pattern(template: str) -> re.Pattern[str]:
    """Return what matches a label; a single sign at its start stands for a number, as in "# rows"."""
    value = rf"({NUMBER.pattern})" if template.startswith("#") and template.count("#") == 1 else "(.+?)"
    return re.compile(re.escape(template).replace(r"\#", value))


def translatable(text: str) -> str:
    """Return the text as it is. Babel extracts it here; `translate` looks it up where it is shown."""
    return text


def translate_within(context: str, text: str) -> str:
    """Return a lesson's text in the language in use; `context` is the key of its cell or of its question."""
    return _translations.pgettext(context, text) if text else ""


def say(text: str, /, *values: Any, **slots: Any) -> None:
    """Print a text of a lesson in the language in use, as `print` does.

    Parameters
    ----------
    text : str
        The text in English; it is looked up in the language in use.
    *values : Any
        What is printed behind it.
    **slots : Any
        The values of the slots of the text; a text among them is looked up too.

    Examples
    --------
    >>> say("shape:", (2, 3))
    shape: (2, 3)
    >>> say("norm_type {order}: {count} rows differ by {difference:.0e}", order=2, count=3, difference=1e-7)
    norm_type 2: 3 rows differ by 1e-07
    """
    print(
        translate(text, **{name: translate(value) if isinstance(value, str) else value for name, value in slots.items()}),
        *values,
    )


class Code(str):
    """A name or a passage of code that holds no input: of the exercise, its docstring, or the text of an answer."""

    __slots__ = ()


class Count(int):
    """A number that says nothing of an input's values or sizes: a line, an axis, a number of axes or of cases."""


@dataclass(frozen=True, init=False, eq=False)
class Message:
    """A sentence, or a noun phrase, as a template and the values of its slots.

    A template without slots is shown as it is, so it may hold braces.

    Examples
    --------
    >>> str(Message("The shape is {shape}.", shape=(2, 3)))
    'The shape is (2, 3).'
    >>> str(Message.plural("{count} axis", "{count} axes", Count(1)))
    '1 axis'
    """

    template: str
    several: str
    slots: Mapping[str, Any]

    def __init__(self, template: str, several: str = "", /, **slots: Any) -> None:
        for name, value in (("template", template), ("several", several), ("slots", slots)):
            object.__setattr__(self, name, value)

    @classmethod
    def plural(cls, template: str, several: str, count: int, /, **slots: Any) -> Message:
        """Return a message that is `template` where `count`, which is a slot too, is one, and `several` elsewhere."""
        return cls(template, several, count=count, **slots)

    def fill(self, **slots: Any) -> Message:
        """Return the same message with these slots, beside those that it has."""
        return Message(self.template, self.several, **{**self.slots, **slots})

    def __str__(self) -> str:
        if self.several:
            count = self.slots["count"]  # a number that may not be shown is no number any more
            text = _translations.ngettext(self.template, self.several, count if isinstance(count, int) else 2)
        else:
            text = translate(self.template)
        return text.format_map({name: _Slot(value) for name, value in self.slots.items()}) if self.slots else text


class _Slot:
    """The value of a slot: shown as `str` shows it, or by the format that the template gives, such as `{share:.0%}`."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def __format__(self, spec: str) -> str:
        try:
            return format(self._value, spec) if spec else str(self._value)
        except ValueError:  # A number that may not be shown is a text.
            return str(self._value)


@dataclass(frozen=True, eq=False)
class Listing:
    """Several things in a row, as a sentence lists them.

    Examples
    --------
    >>> str(Listing(["a", "b", "c"])), str(Listing(["a", "b"], Message("{names} or {last}")))
    ('a, b and c', 'a or b')
    """

    items: Sequence[Any]
    joint: Message = Message("{names} and {last}")
    separator: str = translatable(", ")

    def __str__(self) -> str:
        names = [str(item) for item in self.items]
        if len(names) < 2:
            return "".join(names)
        return str(self.joint.fill(names=translate(self.separator).join(names[:-1]), last=names[-1]))


#: Joins a list with commas only.
COMMA = Message("{names}, {last}")


def capitalised(sentence: object) -> str:
    """Return a sentence as it is shown, with a capital letter at its start, where its first slot may begin with a small one.

    Examples
    --------
    >>> capitalised(Message("{cell} is empty.", cell="cell 3"))
    'Cell 3 is empty.'
    """
    text = str(sentence)
    return text[:1].upper() + text[1:]


def as_text(messages: Sequence[Message | str]) -> str:
    """Return whole sentences, one behind the other."""
    whole = ""
    for message in messages:
        text = str(message)
        whole += f"{space_after(whole, text)}{text}"
    return whole


def space_after(text: str, follows: str = "") -> str:
    """Return what stands between a text and what follows: a space, and nothing beside Chinese punctuation.

    Examples
    --------
    >>> space_after("Next:"), space_after("下一步："), space_after("0/1", "（在“空行”中失败）"), space_after("")
    (' ', '', '', '')
    """
    return " " if text and text[-1] not in _FULL_WIDTH and not follows.startswith("（") else ""


_translations = _at_start()
