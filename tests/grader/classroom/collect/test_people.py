"""Whose a file is: told by the outermost entry of an archive alone, in every layout, with a roster and without."""

from pathlib import Path, PurePosixPath

import pytest

from grader.classroom.collect import archive as archive_module
from grader.classroom.collect.handin_times import read_times
from grader.classroom.collect.layouts import layout_of
from grader.classroom.collect.plain_names import topic_in
from grader.classroom.roster import Person, Roster, folded, read_roster
from tests.support.handed_in import BODY, FILE, LATER, TOPIC, collected, other, packed, there, zipped

FORGED = other("forged")
#: A notebook none of whose cells belongs to the course: only its name can say which it is meant to be.
BARE = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
#: The entry of a student, as each platform writes it, with room for what the student calls the file.
LAYOUTS = {
    "moodle": "{who}_{number}_assignsubmission_file_/{{}}",
    "moodle, older": "{who}_{number}_assignsubmission_file_{{}}",
    "canvas": "{who}_{number}_9{number}_{{}}",
    "canvas in a folder": "week 3/{who}_{number}_9{number}_{{}}",
    "nbgrader": f"submitted/{{who}}/{TOPIC}/{{{{}}}}",
    "github": "norm-submissions/norm-{who}/{{}}",
    "plain": "{who}/{{}}",
    "plain in a folder": "week 3/{who}/{{}}",
}
NUMBERS = {"bob": 13, "cy": 14, "eve": 12, "di": 15}


def entry(layout: str, who: str, file: str, number: int = 0) -> str:
    return LAYOUTS[layout].format(who=who, number=number or NUMBERS[who]).format(file)


def attacks(layout: str) -> list[dict[str, bytes]]:
    """What somebody hands in to be taken for Bob, by their own names for files below their entry."""
    his = PurePosixPath(entry(layout, "bob", FILE))
    platforms = [entry(other, "bob", FILE) for other in LAYOUTS]
    named = list(dict.fromkeys([str(his), *platforms, f"bob_{FILE}", f"bob/{FILE}", "bob.ipynb"]))
    forgeries = [{"work.zip": zipped({name: FORGED})} for name in named]
    forgeries.append({"work.zip": zipped({f"{number}/{name}": FORGED for number in range(9) for name in named})})
    forgeries.append({his.with_suffix(".zip").name: zipped({FILE: FORGED})})
    if not layout.startswith(("canvas", "moodle, older")):  # where students can hand in folders
        forgeries += [{name: FORGED} for name in named]
    return forgeries


@pytest.mark.parametrize("roster", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["roster", "no roster"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_nobody_hands_in_for_another(layout: str, roster: bool, tmp_path: Path) -> None:
    """Each attack by an Eve of her own, in the same archive as Bob's work."""
    eves = {f"eve{chr(97 + number)}": files for number, files in enumerate(attacks(layout))}
    entries = {entry(layout, who, FILE): BODY for who in ("bob", "cy")}
    theirs = {
        entry(layout, who, file, 20 + number): body
        for number, (who, files) in enumerate(eves.items())
        for file, body in files.items()
    }
    ids = "\n".join(["student_id,Student", "bob,Bob", "cy,Cy", *(f"{who},{who}" for who in eves)])
    (tmp_path / "r.csv").write_text(ids, encoding="utf-8")
    source = packed(tmp_path / "a.zip", entries | theirs, **dict.fromkeys(theirs, LATER))
    collected(tmp_path / "class", source, *(["--roster", str(tmp_path / "r.csv")] if roster else []))
    submitted = there(tmp_path / "class")
    assert submitted[f"bob/{TOPIC}/{FILE}"] == submitted[f"cy/{TOPIC}/{FILE}"] == BODY
    assert {path.split("/")[0] for path in submitted} <= {"bob", "cy", *eves}
    forged = {path.split("/")[0] for path, body in submitted.items() if body == FORGED}
    assert forged and forged <= set(eves)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_lies_in_an_archive_may_name_a_notebook(layout: str, tmp_path: Path) -> None:
    entries = {entry(layout, who, FILE): BODY for who in ("bob", "cy")}
    entries[entry(layout, "eve", "work.zip")] = zipped({"deep/04_nplm.ipynb": BARE, f"deep/{FILE}": other("e")})
    collected(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert there(tmp_path / "class")[f"eve/{TOPIC}/{FILE}"] == other("e")
    assert there(tmp_path / "class")["eve/04_nplm/04_nplm.ipynb"] == BARE


def test_a_date_in_an_archive_of_ones_own_does_not_win(tmp_path: Path) -> None:
    home = tmp_path / "class"
    first, second = f"eve_12_102_{FILE}", "eve_12_101_work.zip"
    entries = {first: other("new"), second: zipped({FILE: other("old")}), f"bob_13_103_{FILE}": BODY}
    collected(home, packed(tmp_path / "a.zip", entries))
    assert there(home)[f"eve/{TOPIC}/{FILE}"] == other("new")
    plain = {f"eve/{FILE}": other("new"), "eve/old.zip": zipped({FILE: other("old")}), f"bob/{FILE}": BODY}
    source = packed(tmp_path / "b.zip", plain, **{f"eve/{FILE}": (2026, 3, 2, 12, 0, 0), "eve/old.zip": (2026, 3, 1, 12, 0, 0)})
    collected(tmp_path / "other", source, "--file-times")
    assert there(tmp_path / "other")[f"eve/{TOPIC}/{FILE}"] == other("new")
    assert there(tmp_path / "other")[f"eve/{TOPIC}/timestamp.txt"].startswith(b"2026-03-02")


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "nbgrader"])
def test_a_timestamp_of_the_students_own_says_nothing(layout: str, tmp_path: Path) -> None:
    early = b"2020-01-01 00:00:00 UTC"
    entries = {entry(layout, who, FILE): BODY for who in ("bob", "cy", "eve")}
    entries[entry(layout, "eve", "timestamp.txt")] = early
    entries[entry(layout, "bob", "own.zip")] = zipped({FILE: other("b"), "timestamp.txt": early})
    collected(tmp_path / "class", packed(tmp_path / "a.zip", entries), "--file-times")
    stamps = {body for path, body in there(tmp_path / "class").items() if path.endswith(".txt")}
    assert stamps == {b"2026-03-01 12:00:00 UTC"}


def test_nbgraders_own_timestamp_counts_and_one_below_it_does_not(tmp_path: Path) -> None:
    early, true = b"2020-01-01 00:00:00 UTC", b"2026-02-02 10:00:00 UTC"
    entries = {
        f"submitted/ada/{TOPIC}/{FILE}": BODY,
        f"submitted/ada/{TOPIC}/timestamp.txt": true,
        f"submitted/eve/{TOPIC}/work/{FILE}": BODY,
        f"submitted/eve/{TOPIC}/work/timestamp.txt": early,
        f"submitted/cy/{TOPIC}/own.zip": zipped({FILE: BODY, "timestamp.txt": early}),
    }
    collected(tmp_path / "class", packed(tmp_path / "a.zip", entries), "--file-times")
    files = there(tmp_path / "class")
    assert files[f"ada/{TOPIC}/timestamp.txt"] == true
    assert files[f"eve/{TOPIC}/timestamp.txt"] == files[f"cy/{TOPIC}/timestamp.txt"] == b"2026-03-01 12:00:00 UTC"


@pytest.mark.parametrize(("first", "second"), [("ab", "ＡＢ"), ("ab", "AB"), ("straße", "STRASSE"), ("a?b", "ab"), ("ﬁ", "fi")])
def test_twins_are_refused_with_a_sentence(first: str, second: str, tmp_path: Path) -> None:
    home = tmp_path / "class"
    entries = {f"{first}_1_10_{FILE}": BODY, f"{second}_2_11_{FILE}": other("x"), f"cy_3_12_{FILE}": BODY}
    output = collected(home, packed(tmp_path / "a.zip", entries))
    assert set(there(home)) == {f"cy/{TOPIC}/{FILE}"}
    assert output.count("nobody can tell") == 2 and "a roster does" in output


def test_a_twin_of_somebody_who_is_there_is_refused_alone(tmp_path: Path) -> None:
    home = tmp_path / "class"
    collected(home, packed(tmp_path / "a.zip", {f"ab_1_10_{FILE}": BODY, f"cy_2_11_{FILE}": BODY}))
    output = collected(home, packed(tmp_path / "b.zip", {f"ab_1_20_{FILE}": other("b"), f"ＡＢ_9_21_{FILE}": other("x")}))
    assert there(home)[f"ab/{TOPIC}/{FILE}"] == other("b") and "nobody can tell 'ＡＢ' from 'ab'" in output


def test_a_roster_tells_twins_apart(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("student_id\nab\nＡＢ\n", encoding="utf-8")
    source = packed(tmp_path / "a.zip", {f"ab_1_10_{FILE}": BODY, f"ＡＢ_2_11_{FILE}": other("x")})
    collected(tmp_path / "class", source, "--roster", str(tmp_path / "r.csv"))
    assert there(tmp_path / "class") == {f"ab/{TOPIC}/{FILE}": BODY, f"ＡＢ/{TOPIC}/{FILE}": other("x")}


def test_twins_that_a_roster_tells_apart_have_times_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("student_id\nab\nＡＢ\n", encoding="utf-8")
    (tmp_path / "t.csv").write_text("student_id,timestamp\nab,2026-03-01 10:00\nＡＢ,2026-03-02 10:00\n", encoding="utf-8")
    source = packed(tmp_path / "a.zip", {f"ab_1_10_{FILE}": BODY, f"ＡＢ_2_11_{FILE}": other("x")})
    collected(tmp_path / "class", source, "--roster", str(tmp_path / "r.csv"), "--times", str(tmp_path / "t.csv"))
    files = there(tmp_path / "class")
    assert files[f"ab/{TOPIC}/timestamp.txt"] == b"2026-03-01 10:00:00 UTC"
    assert files[f"ＡＢ/{TOPIC}/timestamp.txt"] == b"2026-03-02 10:00:00 UTC"


def test_an_exact_id_wins_over_a_part_of_an_address(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(
        "student_id,email\nbob,b@x.org\neve,bob@y.org\nADA,ada@x.org\nada,other@x.org\n", encoding="utf-8"
    )
    roster = read_roster(tmp_path / "r.csv")
    assert [roster.find([word]) for word in ("bob", "Bob", "bob@y.org", "ADA", "ada", "Ada")] == [
        "bob",
        "bob",
        "eve",
        "ADA",
        "ada",
        "",
    ]
    source = packed(tmp_path / "a.zip", {f"bob_1_10_{FILE}": BODY, f"eve_2_11_{FILE}": other("x")})
    collected(tmp_path / "class", source, "--roster", str(tmp_path / "r.csv"))
    assert there(tmp_path / "class")[f"bob/{TOPIC}/{FILE}"] == BODY


def test_a_time_goes_to_whose_id_it_is(tmp_path: Path) -> None:
    from datetime import UTC

    rows = "student_id,email,time\nbob,b@x.org,2026-03-01\neve,bob@y.org,2026-03-09\nbob.li@z.org,bob@z.org,2026-04-02\n"
    for order in (rows, "\n".join([rows.splitlines()[0], *reversed(rows.splitlines()[1:])])):
        (tmp_path / "t.csv").write_text(order, encoding="utf-8")
        assert read_times(tmp_path / "t.csv", UTC)[folded("bob")].day == 1


def test_two_who_share_a_name_are_nobody() -> None:
    people = [Person("a", frozenset({"a", "lee"})), Person("b", frozenset({"b", "lee"}))]
    assert Roster(people).find(["Lee"]) == "" and Roster(people).find(["Lee", "b"]) == "b"


def test_archives_inside_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_module, "MAX_FILES_INSIDE", 20)
    monkeypatch.setattr(archive_module, "MAX_BYTES_INSIDE", 3 * len(BODY))
    entries = {
        f"bob_1_10_{FILE}": BODY,
        "eve_2_11_many.zip": zipped({f"{i}.txt": b"" for i in range(30)}),
        "cy_3_12_large.zip": zipped({f"{FILE[:-6]}-{i}.ipynb": other(str(i)) for i in range(9)}),
        "di_4_13_deep.zip": zipped({"in.zip": zipped({"in.zip": zipped({FILE: BODY})})}),
        "ed_5_14_cut.zip": zipped({FILE: BODY})[:-30],
        f"fy_6_15_{FILE}": BODY,
    }
    output = collected(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert "more than 20 files" in output and "unpacks to more than" in output and "inside an archive inside" in output
    students = {path.split("/")[0] for path in there(tmp_path / "class")}
    assert {"bob", "fy"} <= students <= {"bob", "fy", "cy"}


def test_the_layout_is_guessed_from_the_platforms_names_alone() -> None:
    outer = [PurePosixPath(f"{who}_1{number}_10{number}_{FILE}") for number, who in enumerate(["bob", "cy", "eve"])]
    assert layout_of(outer).name == "canvas" and layout_of(outer).depth == 0
    alone = [PurePosixPath(f"eve_12_102_work/bob_13_103_{FILE}")]
    claim = layout_of(alone).claim(alone[0], alone[0])
    assert claim is not None and claim.name == "eve"
    assert topic_in("week 3") == ""
