"""Where the course is published stands in one table; badges, links and the setup cell follow from it."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from embedding_course.subject.lessons import topics
from grader.cli import app
from grader.course_source import setting as settings
from grader.course_source.links import links
from grader.course_source.notebook import release, source
from grader.course_source.setting import Setting, WrongSetting, read_setting
from grader.course_source.stored import as_bytes
from grader.paths import NOTEBOOKS, ROOT

PUBLIC = Setting("https://github.com/an-owner/a.course", "2026/spring", "https://example.org/embedding_course-0.1.0.whl")


def written(folder: Path, table: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(f"[tool.embedding-course]\n{table}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("topic", topics())
def test_the_committed_notebooks_follow_the_setting(topic: str) -> None:
    text = (NOTEBOOKS / topic / f"{topic}.ipynb").read_text(encoding="utf-8")
    repository = read_setting().owner_and_name
    assert ("colab-badge" in text) is bool(repository) and text.count("open-elsewhere") == bool(repository)
    assert not repository or f"github/{repository}/blob/" in text


def test_without_an_address_there_is_no_badge() -> None:
    assert links(Setting(), topics()[0]) == ""
    cells = source(topics()[0], Setting()).cells
    assert cells[0].id == "title" and not [cell.id for cell in cells if "mybinder.org" in cell.source]


@pytest.mark.parametrize("topic", topics())
def test_with_an_address_every_notebook_opens_with_badges_that_lead_to_itself(topic: str) -> None:
    notebook = release(source(topic, PUBLIC))
    first = notebook.cells[0]
    assert first.id == "open-elsewhere" and first.cell_type == "markdown" and b"open-elsewhere" in as_bytes(notebook)
    colab, binder, plain = re.findall(r"\]\((https://[^)]*)\)(?: |$)", first.source)
    path = f"notebooks/{topic}/{topic}.ipynb"
    assert (ROOT / path).exists()
    assert colab == f"https://colab.research.google.com/github/an-owner/a.course/blob/2026/spring/{path}"
    assert binder == f"https://mybinder.org/v2/gh/an-owner/a.course/2026%2Fspring?labpath={path.replace('/', '%2F')}"
    assert plain == f"https://github.com/an-owner/a.course/blob/2026/spring/{path}"
    (setup,) = [cell.source for cell in notebook.cells if cell.id == "setup"]
    assert f'PACKAGE = "{PUBLIC.package}"' in setup


@pytest.mark.parametrize(
    "table",
    ['repository = "https://github.com/one/two/"', 'repository = "https://github.com/one/two.git"', 'branch = "next"', ""],
)
def test_what_may_stand_there(table: str, tmp_path: Path) -> None:
    setting = read_setting(written(tmp_path, table))
    assert setting.owner_and_name == ("one/two" if "two" in table else "")
    assert setting.branch == ("next" if "next" in table else "main") and setting.package == ""


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('repository = "https://example.org/course"', "https://github.com/OWNER/NAME"),
        ('repository = "github.com/one/two"', "https://github.com/OWNER/NAME"),
        ("repository = 3", "repository"),
        ('repo = "x"', "repo"),
        ('branch = " "', "branch is empty"),
        ('package = "a\\" && rm b"', "may not hold quotes"),
        ('branch = "a`b`"', "may not hold quotes"),
    ],
)
def test_a_wrong_setting_is_one_sentence(table: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, table)
    with pytest.raises(WrongSetting, match=re.escape(message)):
        read_setting(path)
    monkeypatch.setattr(settings, "read_setting", lambda: read_setting(path))
    outcome = CliRunner().invoke(app, ["build", "--check"])
    assert outcome.exit_code == 2 and message in outcome.output and len(outcome.output.strip().splitlines()) == 1
