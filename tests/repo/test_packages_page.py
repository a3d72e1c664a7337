"""docs/packages.md, typed as it stands; and what it says of files and options is so."""

import re
import shlex
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import Result

from grader.cli.package import package
from grader.paths import ROOT

PAGE = (ROOT / "docs" / "packages.md").read_text(encoding="utf-8")
GRADESCOPE, GITHUB = PAGE.split("\n## ")[1:]
COMMANDS = [line for block in re.findall(r"^```bash\n(.*?)^```$", PAGE, re.M | re.S) for line in block.splitlines()]


@pytest.mark.slow
def test_every_command_of_the_page_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[..., Result]
) -> None:
    monkeypatch.chdir(tmp_path)
    outputs = []
    for line in COMMANDS:
        outcome = command(*shlex.split(line)[1:])
        assert outcome.exit_code == 0, f"{line}\n{outcome.output}"
        outputs.append(outcome.output)
    assert len(outputs) == 3 and "20 autograder points" in outputs[0] and "--seed" in outputs[0]
    with zipfile.ZipFile("autograder.zip") as archive:
        there = {name.partition("/")[0] + "/" * ("/" in name) for name in archive.namelist()}
    named = set(re.findall(r"^\| `([^`]+)` \|", GRADESCOPE, re.M))
    assert named - {"wheels/"} == there - {"README.txt", "torch_index.txt"}
    workflows = {path.parts[0]: yaml.safe_load(path.read_text("utf-8")) for path in Path().glob("*/.github/workflows/*.yml")}
    assert set(workflows) == {"max-norm", "max-norm-again", "max-norm-marks"}
    assert "secrets" not in str(workflows["max-norm"]) and "secrets" in str(workflows["max-norm-marks"])
    assert workflows["max-norm"][True] == ["push", "workflow_dispatch"]  # YAML reads `on` as yes
    assert workflows["max-norm-marks"][True] == "workflow_dispatch"


@pytest.mark.parametrize(("name", "section"), [("gradescope", GRADESCOPE), ("github", GITHUB)])
def test_its_options_are_there_and_those_there_are_on_it(name: str, section: str) -> None:
    from typer.main import get_command

    parameters = get_command(package).commands[name].params  # type: ignore[attr-defined]
    options = {option for parameter in parameters for option in parameter.opts if option.startswith("--")}
    others = {"--seed"} if name == "github" else set()
    elsewhere = {
        "--layout",
        "--torch-index",
        "--only-binary",
        "--dest",
        "--requirement",
        "--private",
        "--template",
        "--method",
        "--source",
        "--push",
        "--against",
    }  # of others; or told once
    assert set(re.findall(r"--[a-z][a-z-]+", section)) - elsewhere == options - others - elsewhere
