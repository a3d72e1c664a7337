"""What four published tokenizers make of a few texts. Facts only: the rank files stay where they are.

Real ids, counts and byte pieces of OpenAI's encodings r50k, p50k, cl100k and o200k, computed once from the
published ranks with tiktoken. Nothing here needs the network.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from .files import data_file

__all__ = ["ENCODINGS", "token_count", "token_ids", "token_pieces"]

ENCODINGS = ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")


@cache
def _facts() -> dict[str, Any]:
    return json.loads(data_file("tiktoken_facts.json").read_text(encoding="utf-8"))


def token_count(text: str, encoding: str) -> int:
    """How many tokens `text` has. KeyError for a text that is not among the facts.

    >>> token_count("我爱机器学习", "cl100k_base")
    8
    """
    return _facts()["counts"][text][encoding]


def token_ids(text: str, encoding: str) -> list[int]:
    """The ids of `text`.

    >>> token_ids("我爱机器学习", "o200k_base")
    [7522, 6414, 96849, 64550]
    """
    return list(_facts()["ids"][text][encoding])


def token_pieces(text: str, encoding: str) -> list[bytes]:
    """The bytes that each token of `text` stands for, in order; joined they are the text.

    >>> token_pieces("我爱机器学习", "o200k_base")[2].decode()
    '机器'
    """
    return [bytes.fromhex(piece) for piece in _facts()["pieces"][text][encoding]]
