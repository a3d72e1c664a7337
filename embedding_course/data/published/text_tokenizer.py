"""Turn texts into the token ids of a published model."""

from __future__ import annotations

import os
from collections.abc import Sequence

import torch

from .locate import PublishedError


class TextTokenizer:
    """Turn texts into token ids, as the `tokenizers` library does.

    Every text has ids: characters that the vocabulary does not hold become its unknown token, or bytes if it has byte tokens.

    Parameters
    ----------
    definition : bytes
        The contents of a `tokenizer.json`.
    length_limit : int
        The most tokens of a text in `ids`, special tokens included; further tokens are cut off.
    """

    def __init__(self, definition: bytes, length_limit: int) -> None:
        # After a fork, the library warns on stderr if it may use threads.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            from tokenizers import Tokenizer  # pyright: ignore[reportMissingImports]
        except ImportError:
            line = "pip install tokenizers"
            raise PublishedError(
                f"Texts are split into tokens by this package: {line} (in a notebook, on Colab too: %{line})"
            ) from None
        self._tokenizer = Tokenizer.from_str(definition.decode("utf-8"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self.length_limit = length_limit

    def __len__(self) -> int:
        """Return how many tokens the vocabulary has, special tokens included."""
        return self._tokenizer.get_vocab_size()

    def lists(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text: all of them, without special tokens. An empty text has none."""
        return [encoded.ids for encoded in self._tokenizer.encode_batch(_readable(texts), add_special_tokens=False)]

    def ids(self, texts: Sequence[str], max_length: int | None = None) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the ids of the texts as a batch, with the special tokens that the model was trained with.

        Parameters
        ----------
        texts : Sequence[str]
            B texts. An empty text consists of special tokens alone.
        max_length : int or None, optional
            The most tokens of a text, at least 2; by default that of the model. Of a longer text the first tokens are kept.

        Returns
        -------
        ids : torch.Tensor
            int64 of shape (B, T), padded on the right by 0; T is the length of the longest text. (0, 0) without texts.
        attention_mask : torch.Tensor
            int64 of shape (B, T): 1 for a token, 0 for padding.

        Raises
        ------
        ValueError
            If max_length is below 2.
        """
        most = self.length_limit if max_length is None else max_length
        if most < 2:
            raise ValueError(f"max_length = {most}: at least 2 tokens are needed")
        self._tokenizer.enable_truncation(most)
        try:
            rows = [encoded.ids for encoded in self._tokenizer.encode_batch(_readable(texts))]
        finally:
            self._tokenizer.no_truncation()
        ids = torch.zeros(len(rows), max(map(len, rows), default=0), dtype=torch.int64)
        mask = torch.zeros_like(ids)
        for position, row in enumerate(rows):
            ids[position, : len(row)] = torch.tensor(row, dtype=torch.int64)
            mask[position, : len(row)] = 1
        return ids, mask

    def pieces(self, text: str) -> list[str]:
        """Return the pieces of a text as the vocabulary writes them, without special tokens."""
        (readable,) = _readable([text])
        return self._tokenizer.encode(readable, add_special_tokens=False).tokens


def _readable(texts: Sequence[str]) -> list[str]:
    """Return the texts with a question mark for half a surrogate pair, which the library refuses."""
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
