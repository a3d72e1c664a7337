"""Student work is sacred: copies are made once, renewed around the learner's cells, and never written over."""

import copy
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.learner.lab import CannotMatch, carry, open_copies, open_copy
from embedding_course.learner.lab.__main__ import main
from grader.cli import app

TOPIC = "03_sample"
STUB = "def clip(row):\n    # YOUR CODE HERE\n    raise NotImplementedError()"
MINE = "def clip(row):\n    return row / max(1, row.norm())"


def cell(key: str, source: str, kind: str = "code", **marks: object) -> dict:
    body: dict = {"cell_type": kind, "id": key, "metadata": {}, "source": source}
    if marks:
        body["metadata"]["nbgrader"] = {"grade_id": f"03-{key}", "solution": False, "grade": False, **marks}
    if kind == "code":
        body |= {"outputs": [], "execution_count": None}
    return body


def lesson(**changes: str) -> dict:
    """A released lesson; `changes` replace the text of cells by key."""
    cells = [
        cell("title", "# Clipping", "markdown"),
        cell("guess", 'predict("rows", "How many?", guess=None)'),
        cell("clip", STUB, solution=True),
        cell("clip-check", 'check("03.clip", clip)', grade=True, locked=True),
        cell("figure", "plot(clip)"),
        cell("why-answer", "YOUR ANSWER HERE", "markdown", solution=True, grade=True),
    ]
    for cell_data in cells:
        cell_data["source"] = changes.pop(cell_data["id"].replace("-", "_"), cell_data["source"])
    assert not changes
    return {"cells": cells, "metadata": {"lesson": "made"}, "nbformat": 4, "nbformat_minor": 5}


def edited(notebook: dict, **changes: str) -> dict:
    """The learner's copy after typing."""
    mine = copy.deepcopy(notebook)
    for cell_data in mine["cells"]:
        cell_data["source"] = changes.get(cell_data["id"].replace("-", "_"), cell_data["source"])
    return mine


def texts(notebook: dict) -> dict[str, str]:
    return {cell_data["id"]: cell_data["source"] for cell_data in notebook["cells"]}


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, Path]:
    """The released notebook and the folder for copies."""
    return tmp_path / "notebooks" / TOPIC / f"{TOPIC}.ipynb", tmp_path / "work"


def put(path: Path, notebook: dict | bytes) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    body = notebook if isinstance(notebook, bytes) else json.dumps(notebook).encode("utf-8")
    path.write_bytes(body)
    return body


def backups(path: Path) -> list[Path]:
    return sorted(path.parent.glob("*.before-update-*.ipynb"))


def test_the_first_opening_copies(paths) -> None:
    released, work = paths
    body = put(released, lesson())
    made = open_copy(released, work)
    assert made.state == "made" and made.path.read_bytes() == body and str(made.path) in made.message


def test_an_existing_copy_is_never_written_over(paths) -> None:
    released, work = paths
    put(released, lesson())
    path = open_copy(released, work).path
    body = put(path, edited(lesson(), clip=MINE))
    for _ in range(2):
        assert open_copy(released, work).state == "kept"
        assert path.read_bytes() == body


def test_an_update_carries_the_learners_cells(paths) -> None:
    released, work = paths
    put(released, lesson())
    path = open_copy(released, work).path
    mine = edited(lesson(), clip=MINE, guess='predict("rows", "How many?", guess=3)', why_answer="Because.")
    mine["cells"].insert(3, cell("own", "clip(torch.ones(3))"))
    old = put(path, mine)
    put(released, lesson(title="# Clipping, better told", clip=STUB.replace("row)", "row, limit=1)")))
    renewed = open_copy(released, work)
    assert renewed.state == "renewed"
    now = texts(json.loads(path.read_bytes()))
    assert now["title"] == "# Clipping, better told"
    assert now["clip"] == MINE and now["why-answer"] == "Because." and "guess=3" in now["guess"]
    assert list(now) == ["title", "guess", "clip", "own", "clip-check", "figure", "why-answer"]
    (backup,) = backups(path)
    assert backup.read_bytes() == old and backup.name in renewed.message
    assert open_copy(released, work).state == "kept"


def test_a_copy_not_yet_begun_is_simply_renewed(paths) -> None:
    released, work = paths
    put(released, lesson())
    path = open_copy(released, work).path
    new = put(released, lesson(title="# New"))
    assert open_copy(released, work).state == "renewed"
    assert path.read_bytes() == new and not backups(path)


def test_untouched_stubs_are_renewed_and_touched_ones_kept() -> None:
    merged = texts(carry(edited(lesson(), why_answer="Mine."), lesson(), lesson(clip="new stub", why_answer="new")))
    assert merged["clip"] == "new stub" and merged["why-answer"] == "Mine."


def test_where_both_changed_an_ordinary_cell_the_lesson_wins() -> None:
    merged = texts(carry(edited(lesson(), figure="plot(mine)"), lesson(), lesson(figure="plot(clip, better=True)")))
    assert merged["figure"] == "plot(clip, better=True)"


def test_check_cells_always_come_from_the_lesson() -> None:
    assert texts(carry(edited(lesson(), clip_check="100"), lesson(), lesson()))["clip-check"] == 'check("03.clip", clip)'


def test_outputs_stay_with_cells_that_stay() -> None:
    mine = edited(lesson(), clip=MINE)
    for cell_data in mine["cells"]:
        if cell_data["cell_type"] == "code":
            cell_data |= {"outputs": [{"output_type": "stream", "name": "stdout", "text": "1"}], "execution_count": 4}
    merged = {cell_data["id"]: cell_data for cell_data in carry(mine, lesson(), lesson(figure="plot()"))["cells"]}
    assert merged["clip"]["outputs"] and merged["clip"]["execution_count"] == 4
    assert not merged["figure"]["outputs"]


def test_sources_as_lists_of_lines_are_the_same_text() -> None:
    mine = edited(lesson(), clip=MINE)
    for cell_data in mine["cells"]:
        cell_data["source"] = cell_data["source"].splitlines(keepends=True)
    merged = carry(mine, lesson(), lesson(title="# New"))
    assert "".join(texts(merged)["clip"]) == MINE
    assert texts(merged)["title"] == "# New"


def test_metadata_that_an_editor_dropped_is_recovered() -> None:
    mine = edited(lesson(), clip=MINE)
    for cell_data in mine["cells"]:
        cell_data["metadata"] = {}
    merged = carry(mine, lesson(), lesson(title="# New"))
    assert texts(merged)["clip"] == MINE
    assert [cell_data["id"] for cell_data in merged["cells"]] == [cell_data["id"] for cell_data in lesson()["cells"]]


def test_the_learners_cells_survive_whatever_became_of_their_neighbours() -> None:
    mine = edited(lesson())
    mine["cells"] = [cell("first", "mine 1"), *mine["cells"], cell("last", "mine 2", "markdown")]
    after = lesson()
    after["cells"] = [cell_data for cell_data in after["cells"] if cell_data["id"] != "figure"]
    assert list(texts(carry(mine, lesson(), after))) == ["first", "title", "guess", "clip", "clip-check", "why-answer", "last"]


def test_a_removed_paragraph_does_not_linger() -> None:
    after = lesson()
    after["cells"] = [cell_data for cell_data in after["cells"] if cell_data["id"] not in ("figure", "title")]
    assert "figure" not in texts(carry(edited(lesson(), clip=MINE), lesson(), after))


def _without(key: str) -> dict:
    mine = edited(lesson(), why_answer="Mine.")
    mine["cells"] = [cell_data for cell_data in mine["cells"] if cell_data["id"] != key]
    return mine


def _twice() -> dict:
    mine = edited(lesson(), clip=MINE)
    double = copy.deepcopy(mine["cells"][2])
    mine["cells"].insert(3, double | {"id": "copied", "source": "def clip(row):\n    return row"})
    return mine


def _stripped() -> dict:
    """Neither nbgrader's metadata nor the cells' ids are left."""
    mine = edited(lesson(), clip=MINE)
    for index, cell_data in enumerate(mine["cells"]):
        cell_data |= {"metadata": {}, "id": f"new-{index}"}
    return mine


UNMATCHED = {
    "answer cell deleted": _without("clip"),
    "answer cell twice": _twice(),
    "metadata and ids gone": _stripped(),
    "no notebook": b"{",
    "another file": b"[1, 2]",
    "cells of no kind": b'{"cells": [{"source": "x"}]}',
    "nothing": b"",
    "not text": b"\xff\xfe\x00\x01",
}


@pytest.mark.parametrize("theirs", UNMATCHED.values(), ids=list(UNMATCHED))
def test_what_cannot_be_matched_is_left_alone(theirs: dict | bytes, paths) -> None:
    released, work = paths
    put(released, lesson())
    path = open_copy(released, work).path
    old = put(path, theirs)
    new = put(released, lesson(title="# New"))
    for _ in range(2):
        opened = open_copy(released, work)
        assert opened.state == "not matched" and path.read_bytes() == old
        beside = path.with_name(f"{TOPIC}.updated.ipynb")
        assert beside.read_bytes() == new and beside.name in opened.message
    assert not backups(path)


def test_an_answer_that_the_new_lesson_no_longer_asks_for_is_not_dropped() -> None:
    after = lesson()
    after["cells"] = [cell_data for cell_data in after["cells"] if not cell_data["id"].startswith("clip")]
    with pytest.raises(CannotMatch, match="03-clip"):
        carry(edited(lesson(), clip=MINE), lesson(), after)
    assert "clip" not in texts(carry(edited(lesson(), guess="x"), lesson(), after))


def test_a_copy_of_unknown_origin_keeps_every_answer(paths) -> None:
    released, work = paths
    put(released, lesson(title="# New"))
    path = work / TOPIC / f"{TOPIC}.ipynb"
    old = put(path, edited(lesson(), clip=MINE))
    assert open_copy(released, work).state == "renewed"
    now = texts(json.loads(path.read_bytes()))
    assert now["clip"] == MINE and now["title"] == "# New"
    assert backups(path)[0].read_bytes() == old


def test_two_updates_in_one_second_keep_both_backups(paths) -> None:
    released, work = paths
    put(released, lesson())
    path = open_copy(released, work).path
    put(path, edited(lesson(), clip=MINE))
    for title in ("# Second", "# Third"):
        put(released, lesson(title=title))
        open_copy(released, work)
    assert len(backups(path)) == 2 and texts(json.loads(path.read_bytes()))["clip"] == MINE


def test_all_lessons_at_once_share_one_record_of_progress(paths, capsys: pytest.CaptureFixture) -> None:
    released, work = paths
    put(released, lesson())
    put(released.with_name("notes.ipynb"), lesson())
    assert list(open_copies(released.parent.parent, work)) == [TOPIC]
    assert (work / ".embedding_course").is_dir()
    root = work.parent
    assert main(["03", "--copy-only"], root) == 0
    assert main(["3", "--copy-only"], root) == 0
    assert main(["7", "--copy-only"], root) == 2
    assert "there are 03" in capsys.readouterr().out
    assert main(["--copy-only"], root / "elsewhere") == 2


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from grader import paths

    put(tmp_path / "notebooks" / TOPIC / f"{TOPIC}.ipynb", lesson())
    monkeypatch.setattr(paths, "ROOT", tmp_path)
    outcome = CliRunner().invoke(app, ["lab", "03", "--copy-only"])
    assert outcome.exit_code == 0 and (tmp_path / "work" / TOPIC / f"{TOPIC}.ipynb").exists()
