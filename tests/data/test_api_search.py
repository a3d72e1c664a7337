"""Summaries and bodies of real libraries: collected without a trace, split without a leak, kept safely."""

import doctest
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from embedding_course.data import api_clean, api_collect, api_gather, api_groups, api_search
from embedding_course.files import state_file

pytestmark = pytest.mark.xdist_group("api_search")  # what its fixture reads is read once


@pytest.fixture(autouse=True)
def own_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is read here lies beside the learner's progress, as it does for a learner."""
    monkeypatch.delenv("EMBEDDING_COURSE_CACHE", raising=False)


SMALL = {"python": api_gather.installed()["python"], "numpy": api_gather.installed()["numpy"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("learner")


@pytest.fixture
def small(folder: Path, monkeypatch: pytest.MonkeyPatch) -> api_gather.Gathered:
    """The standard library and numpy, in a learner's folder that all tests here share."""
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(folder))
    monkeypatch.setattr(api_search, "installed", lambda: SMALL)
    api_search.corpus_in.cache_clear()
    yield api_search.corpus()
    api_search.corpus_in.cache_clear()


def test_the_examples_in_the_docstrings_are_true() -> None:
    for module in (api_clean, api_gather, api_groups, api_search):
        assert doctest.testmod(module).failed == 0


def test_real_libraries_give_many_clean_pairs(small: api_gather.Gathered) -> None:
    counts = Counter(entry.library for entry in small.entries)
    assert counts["python"] > 1000 and counts["numpy"] > 500
    names = {entry.name for entry in small.entries}
    assert {"numpy.argsort", "numpy.linalg.solve", "sorted", "csv.reader"} <= names
    assert not [name for name in names if "._" in name or name.startswith(("antigravity", "this", "idlelib", "test."))]
    for entry in small.entries:
        summary, body = api_clean.words_of(entry.summary), api_clean.words_of(entry.body)
        assert 3 <= len(summary) <= 30 and len(set(body)) >= 12
        assert f" {' '.join(summary)} " not in f" {' '.join(body)} ", entry.name
        assert "`" not in entry.summary and ">>>" not in entry.body


def test_nothing_is_on_two_sides(small: api_gather.Gathered) -> None:
    for part in ("name", "summary", "body"):
        assert len({getattr(entry, part) for entry in small.entries}) == len(small.entries)
    sides = {split: api_search.pairs(split) for split in api_search.SHARES}
    assert sum(map(len, sides.values())) == len(small.entries)
    groups = {split: {entry.group for entry in entries} for split, entries in sides.items()}
    assert len(set.union(*groups.values())) == sum(map(len, groups.values()))
    summary_words = {split: [set(api_clean.words_of(entry.summary)) for entry in entries] for split, entries in sides.items()}
    for words in summary_words["test"]:
        assert not [other for other in summary_words["train"] if len(words & other) >= 0.7 * len(words | other)]
    assert all(0.06 < len(sides[split]) / len(small.entries) < 0.15 for split in ("valid", "test"))


def test_near_copies_belong_to_one_group() -> None:
    body = "the array is sorted along the last axis and the result is a new array of the same type"
    pairs = [
        ("Return a sorted copy of an array", body),
        ("Return the sorted copy of an array", "something else entirely that nobody else says"),
        ("Nothing like it", body + " again"),
        ("Unlike all of them", "please return a sorted copy of an array to me"),
        ("Compute an inverse matrix", "of a square one, by elimination, or fail with an error"),
    ]
    assert api_groups.groups_of(pairs) == [0, 0, 0, 0, 1]


def test_a_split_does_not_move_when_libraries_come_and_go(small: api_gather.Gathered) -> None:
    split_by_group = {entry.group: api_search.split_of(entry) for entry in small.entries}
    assert Counter(split_by_group.values())["test"] / len(split_by_group) == pytest.approx(0.1, abs=0.03)
    assert all(api_search.split_of(entry) == split_by_group[entry.group] for entry in small.entries)


@pytest.mark.parametrize(
    ("docstring", "pair"),
    [
        ("f(x[, y]) -> z\nf(x) -> w\n\nTurn x over.\n\n" + "BODY", "Turn x over"),
        ("add(x1, x2, /, out=None, *, where=True,\n    casting='same_kind')\n\nAdd it all up.\n\nBODY", "Add it all up"),
        ("Load a file, e.g. a picture, and show it. BODY", "Load a file, e.g. a picture, and show it"),
        (".. deprecated:: 1.2\n   Use g.\n\nKeep :func:`~a.b` in ``mind``.\n\nBODY", "Keep a.b in mind"),
        ("See numpy.add\n\nBODY", None),
        ("Too short.\n\nBODY", None),
        ("Nothing follows after this sentence.", None),
        ("", None),
    ],
)
def test_docstrings_are_cleaned(docstring: str, pair: str | None) -> None:
    body = "It takes an array of any shape, walks through all of its axes in order and gives back another one."
    cleaned = api_clean.clean(docstring.replace("BODY", body))
    assert cleaned == (None if pair is None else (pair, body))


def test_other_functions_are_not_quoted() -> None:
    text = (
        "Sort an array up.\n\nParameters\n----------\na : array_like\n    What is to be sorted, of any shape and type that has"
        " an order; sort an array up!\n\nSee Also\n--------\nargsort : Give the order instead.\n\nNotes\n-----\nIt is stable."
    )
    cleaned = api_clean.clean(text)
    assert cleaned is not None
    assert "argsort" not in cleaned[1] and "sort an array up" not in cleaned[1].lower() and cleaned[1].endswith("It is stable.")


def test_the_second_time_nothing_is_read(small, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("read again"))
    assert api_gather.gather(SMALL) == small
    assert capsys.readouterr() == ("", "")
    assert [path.suffix for path in (folder / "cache").iterdir()] == [".json"]


def test_spoilt_and_foreign_files_are_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    monkeypatch.setattr(api_gather, "collected", lambda library, seconds: {"version": "1", "found": [ROW]})
    path = api_gather.cache_file({"numpy": "1"})
    assert path != api_gather.cache_file({"numpy": "2"}) and path.parent.parent == state_file().parent
    for content in (b"", b'{"entries": [{"na', b'{"entries": 3}', b"\xff\xfe"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        assert [entry.name for entry in api_gather.gather({"numpy": "1"}).entries] == ["f"]
        assert api_gather.gather({"numpy": "1"}) == api_gather.msgspec.json.decode(path.read_bytes(), type=api_gather.Gathered)
    assert capfd.readouterr().err == ""


TEXT = "Do what must be done.\n\nIt takes one number after another, doubles each of them and adds all to a sum."
ROW = ["f", "function", TEXT]


def test_a_folder_that_cannot_be_written_costs_time_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path / "file" / "below"))
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setattr(api_gather, "collected", lambda library, seconds: {"version": "1", "found": [ROW]})
    assert len(api_gather.gather({"numpy": "1"}).entries) == 1


def test_a_library_that_fails_or_hangs_is_missing_and_said_to_be(tmp_path: Path, monkeypatch, capfd) -> None:
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    (tmp_path / "broken_library.py").write_text("raise SystemExit('no')")
    (tmp_path / "slow_library.py").write_text("import time; time.sleep(60)")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert api_gather.collected("broken_library", 60) is None
    assert api_gather.collected("slow_library", 1) is None
    answers = {"numpy": None, "python": {"version": "1", "found": [ROW]}}
    monkeypatch.setattr(api_gather, "collected", lambda library, seconds: answers[library])
    gathered = api_gather.gather({"python": "3", "numpy": "1"})
    assert list(gathered.versions) == ["python"] and "Not read: numpy." in capfd.readouterr().out
    assert not (tmp_path / "cache").exists()  # the next start tries again


def test_imports_leave_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd) -> None:
    """A library that prints, warns, writes, changes its folder and calls home when it is imported."""
    (tmp_path / "loud_library.py").write_text(
        "import os, socket, sys, warnings\n"
        "print('hello'); print('hello', file=sys.stderr); os.system('echo hello'); warnings.warn('hello')\n"
        "open('left behind', 'w').close()\n"
        "refused = 0\n"
        "try: socket.create_connection(('127.0.0.1', 9))\n"
        "except OSError as error: refused += 'not for imports' in str(error)\n"
        "def shown(x): pass\n"
        "shown.__doc__ = f'Refused: {refused}.'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    before, loaded = set(tmp_path.iterdir()), set(sys.modules)
    monkeypatch.chdir(tmp_path.parent)
    answer = api_gather.collected("loud_library", 60)
    assert answer is not None and [row[2] for row in answer["found"]] == ["Refused: 1."]
    assert {path for path in tmp_path.iterdir() if path.name != "__pycache__"} == before and set(sys.modules) == loaded
    assert capfd.readouterr() == ("", "")


def test_a_learners_file_is_not_taken_for_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "random.py").write_text("raise RuntimeError('a homework')")
    monkeypatch.syspath_prepend(str(tmp_path))
    answer = api_gather.collected("random", 60)
    assert answer is not None and any(row[0].endswith("shuffle") for row in answer["found"])


def test_one_object_has_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "twice"
    package.mkdir()
    (package / "__init__.py").write_text("from .inner import Thing, work\nother = work\nfrom json import dumps\n")
    (package / "inner.py").write_text(
        "def work():\n    'Do the work.'\nclass _Above:\n    def hidden(self):\n        'From a private class.'\n"
        "class Thing(_Above):\n    'A thing.'\n    def move(self):\n        'Move it.'\n"
        "class More(Thing):\n    'More of it.'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    answer = api_gather.collected("twice", 60)
    assert answer is not None
    assert [(row[0], row[1]) for row in answer["found"]] == [
        ("twice.Thing", "class"),
        ("twice.Thing.hidden", "function"),
        ("twice.Thing.move", "function"),
        ("twice.inner.More", "class"),
        ("twice.work", "function"),
    ]


def test_pairs_come_in_a_seeded_order(small: api_gather.Gathered) -> None:
    assert api_search.pairs("test", 5, seed=1) == api_search.pairs("test", seed=1)[:5] != api_search.pairs("test", 5, seed=2)
    assert api_search.pairs("test", 0) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dev",), "no split 'dev': there are train, valid, test"),
        (("test", 10**6), "test has [0-9,]+ pairs, not 1,000,000"),
        (("test", -1), "not -1"),
        (("test", None, -1), "seed -1: it is 0 or more"),
    ],
)
def test_what_does_not_exist_is_named(small: api_gather.Gathered, arguments: tuple, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        api_search.pairs(*arguments)


def test_it_says_what_it_found(small: api_gather.Gathered) -> None:
    text = api_search.describe()
    assert "numpy" in text and small.versions["numpy"] in text and "not installed, or not readable: scipy" in text
    assert f"{len(small.entries):,} pairs of python {small.versions['python']}, numpy" in api_search.fingerprint()
    assert api_search.fingerprint() == api_search.fingerprint()


def test_the_program_needs_nothing_of_the_course() -> None:
    assert "embedding_course" not in {name.partition(".")[0] for name in api_collect.__dict__}
