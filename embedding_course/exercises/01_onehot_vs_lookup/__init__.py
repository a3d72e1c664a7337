"""Notebook 01: vocabulary, one-hot, lookup, byte pairs."""

from .bpe_decode import bpe_decode
from .bpe_encode import bpe_encode
from .build_vocab import build_vocab
from .embed_by_lookup import embed_by_lookup
from .embed_by_matmul import embed_by_matmul
from .encode_sentence import encode_sentence
from .encode_with_special import encode_with_special
from .merge_pair import merge_pair
from .one_hot import one_hot
from .to_tiktoken import to_tiktoken
from .train_bpe import train_bpe

EXERCISES = (
    build_vocab, encode_sentence, one_hot, embed_by_matmul, embed_by_lookup,
    merge_pair, train_bpe, bpe_encode, bpe_decode, to_tiktoken, encode_with_special,
)
