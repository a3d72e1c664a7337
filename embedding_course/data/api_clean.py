"""Turn a docstring into a pair: its first sentence, and the rest without text that would give the first sentence away."""

import re

import regex

_SIGNATURE = regex.compile(
    r"\s*(?:\.\. \w+::\s*)?(?:[\w, ]+=\s*)?[\w.\[\]]+ ?(\((?:[^()]|(?1))*\))\s*(?:->[^\n]*|:)?[ \t]*(?:\n|$)"
)
_NOTE = regex.compile(r"\s*(?:(?:\.\.\s|>>>|:\w+|\[\w+\]\s*$|\W*$)|(?i:deprecated|note:|warning))")
_CODE = regex.compile(r"[ \t]+(?:for |if |with |import |from |\w+ = |\w+\.\w+\()")
_LEFT_OUT = {"see also", "references", "methods", "seealso"}
_SENTENCE = regex.compile(r"(?<![ .(]\w|\be\.g|\bi\.e|\betc|\bvs|\bcf)[.:!](?=\s+[\"'(`]?\p{Lu}|\s*$)")
_MARKS = [
    (regex.compile(r"\[[\w-]+\]_"), ""),  # a footnote
    (regex.compile(r":\w+(?::\w+)?:`~?!?([^`<]+?)(?:\s*<[^`]*>)?`"), r"\1"),  # :func:`name`
    (regex.compile(r"`+~?([^`<]+?)(?:\s*<[^`]*>)?`+_*"), r"\1"),  # `name`, ``code``, `text <target>`_
    (regex.compile(r"\*\*?(\w[^*\n]*)\*\*?"), r"\1"),
    (regex.compile(r"\.\. (?:math|code-block|plot|doctest|autosummary|image|seealso|version\w+)::[^\n]*"), " "),
    (regex.compile(r"\.\. _?([\w-]+):{1,2}"), " "),
    (regex.compile(r"^\s*\.\.\.\s?|>>>|`", regex.MULTILINE), ""),
    (regex.compile(r"::|\\\\?[a-zA-Z]+|[{}\\$|]|[-=~^*#_+]{3,}"), " "),  # TeX, rules and tables
]
_WORDS = re.compile(r"\w+")
_USELESS = regex.compile(
    r"(?i)see |alias (?:for|of)|same as |equivalent to |internal|deprecated|helper |wrapper |\W*todo|implements? |x\.__"
)
SHORTEST, LONGEST, BODY, KEPT, _READ = 3, 30, 12, 2400, 5000


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation, to compare two texts by.

    Examples
    --------
    >>> words_of("Sort `x`, in place.")
    ['sort', 'x', 'in', 'place']
    """
    return _WORDS.findall(text.lower())


def clean(docstring: str) -> tuple[str, str] | None:
    r"""Return the summary and the body of a docstring, or None if either is too short.

    Signatures, cross-references to other functions, the summary itself and markup are removed from the body.

    Examples
    --------
    >>> clean("turn(x) -> y\n\nTurn `x` over. It comes back as a new array of the same shape; its values stay what they are.")
    ('Turn x over', 'It comes back as a new array of the same shape; its values stay what they are.')
    """
    text = docstring.strip()
    while match := _SIGNATURE.match(text):
        text = text[match.end() :].lstrip("\n")
    first, _, rest = text.partition("\n\n")
    while rest and (_NOTE.match(first) or _CODE.match(first)):
        first, _, rest = rest.strip("\n").partition("\n\n")
    if _NOTE.match(first) or _CODE.match(first):
        return None
    summary, more = _first_sentence(_plain(first))
    if _USELESS.match(summary) or not SHORTEST <= len(words_of(summary)) <= LONGEST:
        return None
    body = _without(f"{more} {_plain(_sections(rest))}", summary)[:KEPT].strip()
    if len(set(words_of(body))) < BODY:
        return None
    return summary, body


def _first_sentence(text: str) -> tuple[str, str]:
    match = _SENTENCE.search(text)
    if match is None:
        return text, ""
    return text[: match.start()].strip(), text[match.end() :].strip()


def _sections(text: str) -> str:
    """Return the text without headings and without sections about other functions."""
    lines, kept, leaving = text[:_READ].split("\n"), [], False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        heading, rule = line.strip(), below.strip()
        underlined = len(rule) > 2 and len(set(rule)) == 1 and rule[0] in "-=~^*#" and heading != ""
        if underlined or (heading[-1:] == ":" and heading[:-1].replace(" ", "").isalpha() and len(heading) < 30):
            leaving = heading.strip(":").lower() in _LEFT_OUT
        elif not leaving:
            kept.append(line)
    return "\n".join(kept)


def _plain(text: str) -> str:
    for pattern, instead in _MARKS:
        text = pattern.sub(instead, text)
    return " ".join(text.split())


def _without(body: str, summary: str) -> str:
    """Return the body without the words of the summary, however they are spaced or punctuated."""
    summary_words = words_of(summary)
    if f" {' '.join(summary_words)} " not in f" {' '.join(words_of(body))} ":
        return body
    pattern = r"\W+".join(map(re.escape, summary_words))
    return re.sub(rf"(?i)(?<!\w){pattern}(?!\w)[.:]?", " ", body)
