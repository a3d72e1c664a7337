"""How text is cut into chunks before byte pairs are counted.

Byte-pair encoding joins whatever often stands side by side. Left alone it soon makes tokens such as "of the" or
"dog.", and spends its vocabulary on phrases. Tokenizers therefore cut the text first, by a regular expression, and
never merge across a cut; GPT-2 brought the habit (Radford et al. 2019, section 2.2). `SPLIT` is this course's own.
"""

from __future__ import annotations

__all__ = ["SPLIT"]

# The alternatives are tried from left to right wherever the last chunk ended.
_ALTERNATIVES = (
    r"\p{Han}+",  # Chinese characters: no spaces between words, so the whole run is one chunk
    r" ?(?:[^\P{L}\p{Han}]\p{M}*)+",  # other letters with their accents; "not a non-letter, not Han" is a letter
    r"\p{N}{1,3}",  # digits, three at most: "202" and "4", so that years do not fill the vocabulary
    r" ?[^\s\p{L}\p{N}]+",  # all that is left but white space: punctuation, symbols, emoji with their joiners
    r"\s+(?!\S)",  # white space, the last one left to the word behind it
    r"\s+",  # white space that no word may take, such as a line feed in front of one
)

#: A pattern for the module `regex` (Python's own `re` does not know `\p{...}`); tiktoken's engine reads it as well.
#: Every character is a letter, a number, white space or none of these, so no character is lost: the chunks of a
#: text joined are the text. A space belongs to the word behind it, so that "dog" and " dog" are different chunks.
#:
#: >>> regex.findall(SPLIT, "I love 机器学习, 2024!  ok")
#: ['I', ' love', ' ', '机器学习', ',', ' ', '202', '4', '!', ' ', ' ok']
SPLIT = "|".join(_ALTERNATIVES)
