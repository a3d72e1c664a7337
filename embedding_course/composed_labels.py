"""Look up labels that lessons compose at run time: "perplexity 30" has the template "perplexity #"."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable
from functools import cache
from typing import Any

#: The numbers in a label, for which a template has the sign #.
NUMBER = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?%?")
_MAX_LENGTH = 80
#: Characters of texts that are no labels: the separator behind a context, and Markdown.
_IN_NO_LABEL = frozenset("\x04`*$")


def composed_label(text: str, translations: gettext.NullTranslations, translate: Callable[[str], str]) -> str:
    """Return a composed label in another language, or the text itself if no template fits.

    Parameters
    ----------
    text : str
        The label in English.
    translations : gettext.NullTranslations
        The catalogue with the templates.
    translate : callable
        Look up a part of the label.
    """
    for pattern, template in _templates(translations) if len(text) <= _MAX_LENGTH else ():
        if match := pattern.fullmatch(text):
            parts = [*map(translate, match.groups()), ""]
            return "".join(word + part for word, part in zip(template.split("#"), parts, strict=False))
    return text


@cache
def _templates(translations: gettext.NullTranslations) -> list[tuple[re.Pattern[str], str]]:
    """Return a pattern for each template and its translation, the templates with the longest fixed text first."""
    catalogue: dict[Any, Any] = getattr(translations, "_catalog", {})
    templates = [
        (text, shown)
        for text, shown in catalogue.items()
        if isinstance(text, str)
        and len(text) <= _MAX_LENGTH
        and "#" in text
        and (text[0] != "#" or " " in text)
        and not _IN_NO_LABEL.intersection(text)
    ]
    templates.sort(key=lambda template: -len(template[0].replace("#", "")))
    return [(_pattern(text), shown) for text, shown in templates]


def _pattern(template: str) -> re.Pattern[str]:
    """Return what matches a label; a single sign at its start stands for a number, as in "# rows"."""
    value = rf"({NUMBER.pattern})" if template.startswith("#") and template.count("#") == 1 else "(.+?)"
    return re.compile(re.escape(template).replace(r"\#", value))
