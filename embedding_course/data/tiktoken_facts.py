"""Provide the tokens of a few texts in four published tokenizers, without their rank files.

The ids, counts and byte pieces of OpenAI's encodings r50k, p50k, cl100k and o200k were computed once with tiktoken from the
published ranks. Nothing here needs the network.
"""

import json
from functools import cache
from typing import Any

from .files import data_file

ENCODINGS = ("r50k_base", "p50k_base", "cl100k_base", "o200k_base")


@cache
def _facts() -> dict[str, Any]:
    return json.loads(data_file("tiktoken_facts.json").read_text(encoding="utf-8"))


def token_count(text: str, encoding: str) -> int:
    """Return how many tokens a text has.

    Parameters
    ----------
    text : str
        One of the recorded texts.
    encoding : str
        Name of the tokenizer, such as "cl100k_base".

    Raises
    ------
    KeyError
        For a text or an encoding that was not recorded.

    Examples
    --------
    >>> token_count("我爱机器学习", "cl100k_base")
    8
    """
    return _facts()["counts"][text][encoding]


def token_ids(text: str, encoding: str) -> list[int]:
    """Return the token ids of a text.

    Parameters
    ----------
    text : str
        One of the recorded texts.
    encoding : str
        Name of the tokenizer, such as "cl100k_base".

    Raises
    ------
    KeyError
        For a text or an encoding that was not recorded.

    Examples
    --------
    >>> token_ids("我爱机器学习", "o200k_base")
    [7522, 6414, 96849, 64550]
    """
    return list(_facts()["ids"][text][encoding])


def token_pieces(text: str, encoding: str) -> list[bytes]:
    """Return the bytes of each token of a text, in order; joined they are the text.

    Parameters
    ----------
    text : str
        One of the recorded texts.
    encoding : str
        Name of the tokenizer, such as "cl100k_base".

    Raises
    ------
    KeyError
        For a text or an encoding that was not recorded.

    Examples
    --------
    >>> token_pieces("我爱机器学习", "o200k_base")[2].decode()
    '机器'
    """
    return [bytes.fromhex(piece) for piece in _facts()["pieces"][text][encoding]]
