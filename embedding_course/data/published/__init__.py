"""Provide published models and word tests: found on this machine, checked by their digests, and never shipped with the course.

A file is looked for in a folder that you name, then in the cache of Hugging Face, then in installed packages. The code of
those packages is not imported; their files are only read. `data/README.md` lists licences and sources.
"""

from .locate import PublishedError
from .models import BertModel, StaticTable, WordVectors, glove, minilm, published_or_none, static_table, unpack_minilm
from .recorded import RecordedVectors, recorded_minilm
from .text_tokenizer import TextTokenizer
from .word_tests import WordPairs, analogies, word_similarity

__all__ = [
    "BertModel",
    "PublishedError",
    "RecordedVectors",
    "StaticTable",
    "TextTokenizer",
    "WordPairs",
    "WordVectors",
    "analogies",
    "glove",
    "minilm",
    "published_or_none",
    "recorded_minilm",
    "static_table",
    "unpack_minilm",
    "word_similarity",
]
