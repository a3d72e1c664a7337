"""Notebook 01: vocabulary, one-hot, lookup, byte pairs."""

from __future__ import annotations

from .byte_codes import bpe_decode, bpe_encode, to_tiktoken
from .byte_pairs import merge_pair, train_bpe
from .onehot import embed_by_lookup, embed_by_matmul, one_hot
from .vocabulary import build_vocab, encode_sentence

__all__ = ["EXERCISES"]

EXERCISES = (
    build_vocab, encode_sentence, one_hot, embed_by_matmul, embed_by_lookup,
    merge_pair, train_bpe, bpe_encode, bpe_decode, to_tiktoken,
)  # fmt: skip
