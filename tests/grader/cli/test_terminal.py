"""No name of a file or a person steers the terminal, or reads as more than one line, in what commands print."""

import io
import shutil
from pathlib import Path

import pytest
import typer
from rich.table import Table
from typer.testing import CliRunner

from grader.cli import app
from grader.cli.terminal import Console, shown
from grader.paths import ROOT

#: A colour, a cleared screen, a title of the window, a new line that claims points, and a mark that turns text around.
NAME = "ada\x1b[31m\x1b[2J\x1b]0;title\x07\x9b1m\nbob: 18 of 18 points\r\u202edetrevni"
UNSEEN = "\x1b\x07\x9b\r\u202e"


def _printed(words: list[str]) -> str:
    return CliRunner().invoke(app, words).output


@pytest.fixture
def notebook(tmp_path: Path) -> Path:
    path = tmp_path / NAME / "03_max_norm.ipynb"
    path.parent.mkdir()
    shutil.copy(ROOT / "notebooks" / "03_max_norm" / "03_max_norm.ipynb", path)
    return path


def test_what_all_commands_print_with(capsys: pytest.CaptureFixture[str]) -> None:
    typer.echo(f"two\nlines\tand {NAME}")
    printed = capsys.readouterr().out
    assert not set(printed) & set(UNSEEN)
    assert printed.startswith("two\nlines\tand ada")


def test_tables_keep_their_own_codes_only() -> None:
    file = io.StringIO()
    table = Table("name")
    table.add_row(NAME.replace("\n", " "), style="bold")
    Console(file=file, force_terminal=True, color_system="standard", width=100).print(table)
    assert "\x1b[1m" in file.getvalue()
    assert not any(code in file.getvalue() for code in ("\x1b[31m", "\x1b[2J", "\x1b]", "\x9b", "\u202e"))


def test_a_name_is_one_line() -> None:
    assert "\n" not in shown(NAME) and not set(shown(NAME)) & set(UNSEEN)
    assert shown(Path("submitted/ada/03_max_norm")) == "submitted/ada/03_max_norm"
    assert shown("कमला 狗 é") == "कमला 狗 é"


@pytest.mark.parametrize(
    "words", [["receipt"], ["doctor"], ["collect", "--dry-run"], ["collect"], ["project"], ["similar"]], ids=" ".join
)
def test_what_a_command_prints(words: list[str], notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a file whose folder, or which itself, has such a name."""
    monkeypatch.chdir(tmp_path)
    given = notebook.with_name("missing") if words[0] in ("doctor", "project") else notebook.parent
    printed = _printed([*words, str(given)])
    assert printed, "it says something"
    assert not set(printed) & set(UNSEEN)
    assert not any(line.startswith("bob: 18 of 18 points") for line in printed.splitlines())
