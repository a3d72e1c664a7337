"""For Sphinx: full-text search in Chinese, which has no spaces: two neighbouring characters are a word of the index."""

import re
from typing import Any

_WORDS = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
#: The same for what a reader asks for.
_SPLITTER = r"""
function splitQuery(query) {
  const words = query.match(/[\u3400-\u9fff]+|(?:(?![\u3400-\u9fff])[\p{L}\p{N}_])+/gu) || [];
  return words.flatMap((word) =>
    word.length < 2 || !/[\u3400-\u9fff]/.test(word) ? [word] : [...word].slice(1).map((sign, at) => word[at] + sign));
}
"""


def words(text: str) -> list[str]:
    """Return the words of a text: pairs of Chinese characters that are neighbours, and words in letters as they are.

    >>> words("注意力 (attention)"), words("词")
    (['注意', '意力', 'attention'], ['词'])
    """
    return [part for word in _WORDS.findall(text) for part in _pairs(word)]


def _pairs(word: str) -> list[str]:
    if len(word) < 2 or not _CHINESE.match(word):
        return [word]
    return [word[start : start + 2] for start in range(len(word) - 1)]


def setup(app: Any) -> dict[str, Any]:
    """Register the search with Sphinx, whose own one needs a further package for Chinese and finds nothing without it."""
    from sphinx.search import SearchLanguage  # pyright: ignore[reportMissingImports]

    class ChinesePairs(SearchLanguage):
        lang = "zh"
        language_name = "Chinese"
        js_splitter_code = _SPLITTER

        def split(self, input: str) -> list[str]:
            return words(input)

    app.add_search_language(ChinesePairs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
