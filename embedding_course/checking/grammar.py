"""Sentences that are put together from names: "a" or "an", "has" or "have"."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["agreeing", "article", "in_a_row", "verb"]

#: Where the noun that rules the verb ends: "the weights of the model", "entry 0 of the scores", "scale, asked again".
_ENDS = re.compile(
    r",|\[| (?:of|in|on|at|to|by|after|afterwards|as|for|from|that|which|with|within|without|among|between|requires?)\b"
)
_SINGULAR = re.compile(r"(?:ss|us|is|bias|news|NDCG)$")
#: Letters whose names begin with a vowel: an LSTM, an NPLM, an x.
_LETTERS = "AEFHILMNORSXaefhilmnorsx"
#: Read letter by letter, or as "you".
_SPELLED = re.compile(r"nd[a-z]")
_LIKE_YOU = re.compile(r"u(?:int|ni|se|tf)|eu|one\b", re.IGNORECASE)


def article(text: str) -> str:
    """The text behind "a" or "an"; a text that begins with a sign or a digit stands alone.

    >>> [article(text) for text in ("int", "float32 tensor", "uint8 tensor", "LSTM", "Embedding")]
    ['an int', 'a float32 tensor', 'a uint8 tensor', 'an LSTM', 'an Embedding']
    """
    first = re.match(r"[A-Za-z]+", text)
    if first is None:
        return text
    word = first[0]
    if len(word) == 1 or _SPELLED.match(word) or (word.isupper() and not re.search(r"[AEIOU]", word[1:])):
        spoken = word[0] in _LETTERS
    else:
        spoken = word[0] in "aeiouAEIOU" and not _LIKE_YOU.match(text)
    return f"{'an' if spoken else 'a'} {text}"


def verb(subject: str, singular: str, plural: str) -> str:
    """The subject with the form of the verb that agrees with it.

    >>> verb("the weights", "has", "have"), verb("the gradient of the weights", "has", "have"), verb("the loss", "is", "are")
    ('the weights have', 'the gradient of the weights has', 'the loss is')
    """
    noun = _ENDS.split(subject.strip(), maxsplit=1)[0].strip()
    several = noun.endswith("s") and not _SINGULAR.search(noun)
    return f"{subject} {plural if several else singular}"


def in_a_row(names: Sequence[str], last: str = "and") -> str:
    """Names as a sentence lists them.

    >>> in_a_row(["a"]), in_a_row(["a", "b", "c"]), in_a_row(["a", "b"], "or")
    ('a', 'a, b and c', 'a or b')
    """
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if len(names) > 1 else "".join(names)


#: What is said of a result, in the singular and in the plural.
_FORMS = {"is": "are", "has": "have", "holds": "hold", "lacks": "lack", "sums": "sum"}


def agreeing(subject: str, sentence: str) -> str:
    """The sentence in which the verb right behind the subject, written in the singular, agrees with it.

    >>> agreeing("your outputs", "your outputs is the right one"), agreeing("your h", "your h is the right one")
    ('your outputs are the right one', 'your h is the right one')
    """

    def form(found: re.Match[str]) -> str:
        return verb(subject, found[1], _FORMS[found[1]])

    return re.sub(rf"(?<!of )(?<!in ){re.escape(subject)} ({'|'.join(_FORMS)})\b", form, sentence)
