"""Names that people chose: which notebook they speak of, and whose they are."""

from pathlib import Path

import pytest

from grader.classroom.collect.kinds import stem_of
from grader.classroom.collect.plain_names import topic_in, without_topic
from grader.classroom.roster import folded
from tests.support.handed_in import TOPIC, answered, collect, packed, roster


def test_numbers_that_are_no_notebooks() -> None:
    for name in (
        "10.03",
        "2026-03-05",
        "homework_07.03.2026",
        "abl03",
        "Untitled07",
        "Gruppe 03",
        "team_07",
        "work (03)",
        "v02",
        "03 or 07",
        "12:03",
    ):
        assert topic_in(name) == "", name
    for name, topic in (("hw03", TOPIC), ("Gruppe 03 Blatt 07", "07_attention"), ("03", TOPIC), ("03-Max-Norm-2", TOPIC)):
        assert topic_in(name) == topic, name


def test_what_a_name_holds_beside_the_notebook() -> None:
    for name, rest in (
        ("ada_03", "ada"),
        ("03_max_norm_ada", "ada"),
        ("ada lund 03 max norm (2)", "ada lund"),
        ("abl03", "abl03"),
        ("03 max_norm - Copy", ""),
        ("max-norm-ada", "ada"),
        ("03_max_norm-Copy1", ""),
        ("Copy of 03_max_norm", ""),
        ("Kopie von ada_03", "ada"),
        ("ada_07", "ada_07"),
    ):
        assert without_topic(name, TOPIC) == rest, name
    assert stem_of("ada.lund.ipynb.txt") == "ada.lund" and stem_of("03.05.2026") == "03.05.2026"


def test_logins_that_are_numbers_of_notebooks(tmp_path: Path) -> None:
    """student_03 has handed in 03, student_07 as well: the numbers are theirs."""
    entries = {f"student_{number}.ipynb": answered(mark=number) for number in ("03", "07", "11")}
    outcome = collect(tmp_path / "class", packed(tmp_path / "a.zip", entries))
    assert outcome.students == {"student_03", "student_07", "student_11"}
    entries = {f"ada_{number}.ipynb": answered(topic) for number, topic in (("03", TOPIC), ("04", "04_nplm"))}
    assert collect(tmp_path / "other", packed(tmp_path / "b.zip", entries)).students == {"ada"}


NAMES = (
    "student_id,First name,Last name\nada,Ada,Lund\nadab,Ada,Berg\nlund,Lars,Lund\nab3,Al,Bo\nab03,Alma,Boe\nzq,Jean-Luc,Roi\n"
)


@pytest.mark.parametrize(
    ("file", "who"),
    [("ada_03.ipynb", "ada"), ("Ada Lund 03.ipynb", "ada"), ("Ada Berg homework 03.ipynb", "adab"), ("adab.ipynb", "adab"),
     ("ab03.ipynb", "ab03"), ("ab3_03.ipynb", "ab3"), ("ab03_03.ipynb", "ab03"), ("Jean-Luc Roi_03.ipynb", "zq"),
     ("03_max_norm_lund.ipynb", "lund"), ("Ada_03.ipynb", "ada"), ("2026-03-05 Lars Lund.ipynb", "lund"), ("adax_03.ipynb", ""),
     ("ada_lund_zq_03.ipynb", ""), ("Luc Roi_03.ipynb", ""), ("ada, zq.ipynb", ""), ("Adaberg.ipynb", "adab"),
     ("xada.ipynb", ""), ("ada-zq.ipynb", ""), ("Group 03 ada.ipynb", "ada")],
)  # fmt: skip
def test_names_are_matched_whole(tmp_path: Path, file: str, who: str) -> None:
    outcome = collect(
        tmp_path / "class", packed(tmp_path / "a.zip", {file: answered()}), "--roster", roster(tmp_path / "r.csv", NAMES)
    )
    assert outcome.students == ({who} if who else set()), outcome.text
    if not who:
        assert "✘ not collected: " in outcome.fate(file)


def test_names_are_unicode_text_with_its_marks() -> None:
    for first, second in (("कमल", "कमला"), ("किम", "कम"), ("محمد", "مُحَمَّد"), ("นัท", "นท"), ("é", "e"), ("Müller", "Muller")):
        assert folded(first) != folded(second)
    for first, second in (("e\u0301", "é"), ("ＡＤＡ", "ada"), ("O'Neil", "o’neil"), ("Straße", "STRASSE")):
        assert folded(first) == folded(second)
