"""`grader export --section`: only the section's students, with the grades that the whole class would have given them."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.exports import exported, table


@pytest.fixture
def sections(home: Path) -> Path:
    (home / "roster.csv").write_text(
        "student_id,email,section\nada,ada@x.org,Monday\nxiaoming,,Tuesday\nnobody,,Tuesday\n", encoding="utf-8"
    )
    (home / "course.toml").write_text('roster = "roster.csv"\n', encoding="utf-8")
    return home


@pytest.mark.parametrize("platform", ["canvas", "moodle"])
def test_a_platforms_file_has_the_section_alone(sections: Path, platform: str) -> None:
    output = exported(sections, "--to", platform, "--section", "tuesday", "--notebook", "03")
    ids = {row[3] if platform == "canvas" else row[0] for row in table(sections / f"{platform}.csv")}
    assert {"xiaoming", "nobody"} <= ids and "ada" not in ids and "2 students" in output


def test_nbgraders_file_has_the_section_alone(sections: Path) -> None:
    exported(sections, "--section", "Monday")
    assert {row[3] for row in table(sections / "grades.csv")[1:]} == {"ada"}


def test_only_rows_of_the_section_are_filled_and_counted_as_open(sections: Path) -> None:
    theirs = sections / "theirs.csv"
    theirs.write_text("Username,Email address,03_max_norm\nada,ada@x.org,-\nxiaoming,,-\nnobody,,-\n", encoding="utf-8")
    output = exported(sections, "--to", "moodle", "--into", str(theirs), "--section", "Tuesday", "--notebook", "03")
    assert [row[-1] for row in table(sections / "moodle.csv")[1:]] == ["-", "16", "-"]
    assert "1 in that file without a grade: nobody." in output


def test_scores_are_scaled_by_the_best_of_the_whole_class(sections: Path) -> None:
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{sections / 'gradebook.db'}") as book:
        grade: Any = book.find_grade("all", "03_max_norm", "03_max_norm", "ada")
        grade.manual_score = 25.0
        book.db.commit()
    exported(sections, "--to", "moodle", "--above", "scale", "--section", "Tuesday", "--notebook", "03")
    assert {row[0]: row[-1] for row in table(sections / "moodle.csv")}["xiaoming"] == "12.8"
