"""A folder of notes is read as far as it can be, and each file that is not read is named with its reason."""

import json
import math
import os
from pathlib import Path

import pytest
import torch

from embedding_course.exercises import find_exercise
from embedding_course.experiments.search_engine import notes
from embedding_course.experiments.search_engine.notes import NotesError, course_texts, read_notes
from grader.course_source.catalogue import reference


def notebook(*sources: str) -> str:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": source} for source in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_each_kind_of_text_is_read(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("\ufeff# A heading", encoding="utf-8")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "A.TXT").write_text("词向量", encoding="utf-8")
    (tmp_path / "c.ipynb").write_text(notebook("first", "second"), encoding="utf-8")
    found = read_notes(tmp_path)
    assert [tuple(note) for note in found.notes] == [
        ("b.md", "# A heading"),
        ("c.ipynb", "first\n\nsecond"),
        ("deeper/A.TXT", "词向量"),
    ]
    assert found.skipped == {} and found.report() == []


def test_what_is_not_read_has_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MAX_FILE_BYTES", 3_000_000)
    (tmp_path / "empty.md").write_text(" \n")
    (tmp_path / "binary.txt").write_bytes(b"\x00\x01\x02")
    (tmp_path / "latin.txt").write_bytes("größer".encode("latin-1"))
    (tmp_path / "wide.txt").write_text("text", encoding="utf-16")
    (tmp_path / "broken.ipynb").write_text("this is no JSON")
    (tmp_path / "list.ipynb").write_text("[1, 2]")
    (tmp_path / "no_cells.ipynb").write_text(notebook())
    (tmp_path / "large.txt").write_bytes(b"a" * 3_000_001)
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / ".hidden.md").write_text("secret")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "readme.md").write_text("not for you")
    os.mkfifo(tmp_path / "pipe.txt")
    found = read_notes(tmp_path)
    assert found.notes == []
    reasons = {
        "empty.md": "no text in it",
        "binary.txt": "binary data, no text",
        "latin.txt": "not UTF-8 text; an editor can save it as UTF-8",
        "wide.txt": "not UTF-8 text; an editor can save it as UTF-8",
        "no_cells.ipynb": "no text in it",
        "large.txt": "larger than 3 MB",
        "picture.png": "other kind of file",
        ".hidden.md": "hidden",
        ".git": "hidden",
        "pipe.txt": "no ordinary file",
    }
    for name in ("broken.ipynb", "list.ipynb"):
        assert found.skipped.pop(name).startswith("no readable notebook (the file")
    assert found.skipped == reasons
    assert "skipped, hidden: .git, .hidden.md" in found.report()


def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    folder, outside = tmp_path / "notes", tmp_path / "outside"
    for each in (folder, outside):
        each.mkdir()
    (outside / "private.md").write_text("private")
    (folder / "own.md").write_text("own")
    (folder / "again.md").symlink_to(folder / "own.md")
    (folder / "private.md").symlink_to(outside / "private.md")
    (folder / "gone.md").symlink_to(folder / "nowhere.md")
    (folder / "outside").symlink_to(outside)
    (folder / "round").symlink_to(folder)
    found = read_notes(folder)
    assert [note.path for note in found.notes] == ["again.md", "own.md"]
    assert found.skipped == {
        "outside": "link to a folder",
        "round": "link to a folder",
        "private.md": "link out of the folder",
        "gone.md": "no ordinary file",
    }


def test_what_the_system_refuses_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "locked.md").write_text("text")

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert read_notes(tmp_path).skipped == {"locked.md": "cannot be read (Permission denied)"}


@pytest.mark.parametrize(("name", "reason"), [("nowhere", "is not there"), ("file.md", "is a file, and no folder")])
def test_a_folder_is_needed(tmp_path: Path, name: str, reason: str) -> None:
    (tmp_path / "file.md").write_text("text")
    with pytest.raises(NotesError, match=reason):
        read_notes(tmp_path / name)


def test_a_folder_that_is_too_large_is_not_walked_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "MAX_FILES", 2)
    for name in "abcd":
        (tmp_path / f"{name}.md").write_text(name)
    found = read_notes(tmp_path)
    assert [note.path for note in found.notes] == ["a.md", "b.md"]
    assert found.skipped == {"c.md": "everything after the first 2 files"}


def test_pdf(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3, 1))
    figure.text(0.1, 0.5, "words in a page")
    figure.savefig(tmp_path / "page.pdf")
    blank = pypdf.PdfWriter()
    blank.add_blank_page(width=72, height=72)
    blank.write(tmp_path / "scan.pdf")
    locked = pypdf.PdfWriter(clone_from=tmp_path / "page.pdf")
    locked.encrypt("password", algorithm="RC4-128")
    locked.write(tmp_path / "locked.pdf")
    (tmp_path / "cut.pdf").write_bytes((tmp_path / "page.pdf").read_bytes()[:300])
    (tmp_path / "text.pdf").write_text("no PDF at all")
    found = read_notes(tmp_path)
    assert [note.path for note in found.notes] == ["page.pdf"]
    assert found.notes[0].text.split() == ["words", "in", "a", "page"]
    assert found.skipped["scan.pdf"] == "no text in it" and found.skipped["locked.pdf"] == "locked by a password"
    for name in ("cut.pdf", "text.pdf"):
        assert found.skipped[name].startswith("no readable PDF") or found.skipped[name] == "no text in it"


def test_pdf_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pypdf", None)
    (tmp_path / "page.pdf").write_bytes(b"%PDF-1.4")
    assert read_notes(tmp_path).skipped == {"page.pdf": "PDF needs a package: pip install pypdf"}


def test_a_long_note_is_whole_and_its_windows_cover_it(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text(" ".join(f"token{number}" for number in range(10_000)))
    (note,) = read_notes(tmp_path).notes
    words = note.text.split()
    windows = reference(find_exercise("11.chunk"))(len(words), 100, 25)
    assert len(words) == 10_000
    assert {position for start, end in windows for position in range(start, end)} == set(range(10_000))


def test_the_course_has_texts_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert (course_texts() / "glossary.md").is_file()
    (tmp_path / "01_onehot_vs_lookup").mkdir()
    (tmp_path / "11_search_engine").mkdir()
    monkeypatch.chdir(tmp_path / "11_search_engine")
    assert course_texts() == tmp_path


def test_windows_of_all_notes_are_compared_with_the_question() -> None:
    found = notes.Notes([notes.Note("a.md", "one two three"), notes.Note("b.md", "four"), notes.Note("c.md", "five five")])
    windows = notes.windows_of(found, lambda words: [(0, 2), (1, len(words))] if len(words) > 2 else [(0, len(words))])
    assert [(window.path, window.text) for window in windows] == [
        ("a.md", "one two"),
        ("a.md", "two three"),
        ("b.md", "four"),
        ("c.md", "five five"),
    ]
    angles = {"which?": 0.0, "one two": 1.0, "two three": 0.5, "four": 2.0, "five five": 0.1}

    def vectors_of(texts: list[str]) -> torch.Tensor:
        return torch.tensor([[math.cos(angles[text]), math.sin(angles[text])] for text in texts])

    best = notes.most_similar("which?", windows, vectors_of, 2)
    assert [window.text for window in best] == ["five five", "two three"]
    assert best[1].cosine == pytest.approx(math.cos(0.5)) and len(notes.most_similar("which?", windows, vectors_of, 9)) == 4
