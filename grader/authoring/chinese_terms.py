"""The term check: an English term of the glossary has the glossary's Chinese word wherever it occurs."""

import re
from collections.abc import Collection, Iterator
from functools import cache

from embedding_course.learner.glossary import terms


def wrong_terms(text: str, translation: str, other_senses: Collection[str] = ()) -> Iterator[str]:
    """Yield a sentence for each term of the glossary whose Chinese words are all missing from the translation.

    Parameters
    ----------
    text, translation : str
    other_senses : collection of str, optional
        The translator's comments on the entry. One such as "other sense: warm-up" says that the word is not the term here.
    """
    words = text.lower()
    for pattern, term, names in _patterns():
        if pattern.search(words):
            words = pattern.sub(" ", words)  # a shorter term inside a longer one is not asked for again
            translated = any(name in translation for name in names) or term in translation.lower()
            if not translated and f"other sense: {term}" not in other_senses:
                yield f"{term} is {' or '.join(names)} in the glossary"


@cache
def _patterns() -> list[tuple[re.Pattern[str], str, tuple[str, ...]]]:
    """Return the terms, longest first, so that "special token" comes before "token"."""
    names_by_term: dict[str, set[str]] = {}
    for term in terms():
        chinese = {part.strip() for part in re.split(r"[,，]\s*|\s*[()（）]\s*", term.chinese) if part.strip()}
        for english in re.split(r",\s*|\s*[()]\s*", term.term):
            if len(english) > 2 and not english.startswith("of "):  # "perplexity (of t-SNE)"
                names_by_term.setdefault(english.lower(), set()).update(chinese)
    return [
        (re.compile(rf"(?<![\w`-]){re.escape(english)}(?:s|es)?(?![\w`-])"), english, tuple(sorted(names)))
        for english, names in sorted(names_by_term.items(), key=lambda item: -len(item[0]))
    ]
