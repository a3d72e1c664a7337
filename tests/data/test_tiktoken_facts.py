"""The shipped token facts hold together, and data files are found in a checkout and in an installed package."""

import json

import pytest

from embedding_course.data import files
from embedding_course.data.dog_and_machine import story, story_pairs
from embedding_course.data.tiktoken_facts import ENCODINGS, token_count, token_ids, token_pieces
from embedding_course.plot.token_card import show_segments

# In OpenAI's encodings the first 256 ids are the single bytes: the printable ones in order, then all others.
_PRINTABLE = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_BYTE_OF_ID = _PRINTABLE + [byte for byte in range(256) if byte not in _PRINTABLE]

_FACTS = json.loads(files.data_file("tiktoken_facts.json").read_text(encoding="utf-8"))
_PIECES = [(text, name) for text, pieces_by_name in _FACTS["pieces"].items() for name in pieces_by_name]


@pytest.mark.parametrize(("text", "name"), _PIECES)
def test_pieces_are_the_text_and_bytes_have_their_ids(text, name):
    pieces, ids = token_pieces(text, name), token_ids(text, name)
    assert b"".join(pieces) == text.encode("utf-8")
    assert len(pieces) == len(ids) == token_count(text, name)
    for piece, token in zip(pieces, ids, strict=True):
        assert (len(piece) == 1) == (token < 256) or piece == b"I"
        assert token >= 256 or piece[0] == _BYTE_OF_ID[token]


def test_one_id_means_one_piece():
    for name in ENCODINGS:
        meaning = {}
        for text in (text for text, other in _PIECES if other == name):
            for token, piece in zip(token_ids(text, name), token_pieces(text, name), strict=True):
                assert meaning.setdefault(token, piece) == piece


def test_the_story_is_in_both_languages():
    assert len(story_pairs()) == 90
    assert story(stop=1) == "我有一只小狗。\nI have a little dog."
    assert "\t" not in story() and story().isprintable() is False
    assert all(chinese.endswith(("。", "？")) and english[-1] in ".?" for chinese, english in story_pairs())


def test_files_are_found_beside_an_installed_package(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("a", encoding="utf-8")
    monkeypatch.setattr(files, "_FOLDERS", (tmp_path / "missing", tmp_path))
    assert files.data_file("a.txt") == tmp_path / "a.txt"
    with pytest.raises(FileNotFoundError, match="reinstall"):
        files.data_file("b.txt")


def test_segments_escape_and_show_broken_characters(capsys):
    show_segments([("<b>", [b"<", "狗".encode(), b"\xe7"], [27, 300, 231])])
    assert capsys.readouterr().out == "<b>: < | 狗 | E7  (3 tokens for 5 bytes)\n"
