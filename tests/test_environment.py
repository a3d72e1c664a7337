"""environment.yml, pyproject.toml and the Makefile ask for the same things."""

from __future__ import annotations

import re
import tomllib

import yaml

from grader.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
#: The package index's names and conda-forge's, where they differ.
CONDA_NAMES = {"torch": "pytorch"}


def ranges(requirements: list[str]) -> dict[str, str]:
    """Name -> range of each requirement, extras aside."""
    found = {}
    for entry in requirements:
        match = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*(.*)", entry)
        assert match, entry
        found[match[1].lower()] = match[2].replace(" ", "")
    return found


def test_conda_asks_for_what_the_project_asks_for() -> None:
    wanted = ranges(PROJECT["dependencies"] + EXTRAS["instructor"])
    wanted = {CONDA_NAMES.get(name, name): span for name, span in wanted.items()}
    asked = ranges([entry for entry in CONDA["dependencies"] if isinstance(entry, str)])
    assert asked.pop("python") == PROJECT["requires-python"]
    assert asked.pop("pip") == ""
    assert asked == wanted


def test_conda_takes_everything_from_conda_forge_and_only_the_course_from_here() -> None:
    assert CONDA["channels"] == ["conda-forge"]
    assert [entry["pip"] for entry in CONDA["dependencies"] if isinstance(entry, dict)] == [["-e ."]]


def test_the_base_install_is_light_and_pins_nothing() -> None:
    base = ranges(PROJECT["dependencies"])
    assert set(base) == {
        "torch", "numpy", "matplotlib", "scikit-learn", "tiktoken", "regex", "safetensors", "msgspec", "bm25s",
    }  # fmt: skip
    assert not {"jupyterlab", "nbgrader", "notebook", "ipykernel"} & set(base)
    assert all(re.fullmatch(r">=[0-9.]+", span) for span in base.values()), "a ceiling or a pin would replace Colab's"


def test_no_requirement_stands_in_two_extras() -> None:
    names = [name for group in EXTRAS.values() for name in ranges(group)] + list(ranges(PROJECT["dependencies"]))
    assert len(names) == len(set(names))


def test_the_makefile_keeps_any_torch_that_the_project_accepts() -> None:
    (span,) = re.findall(r"^TORCH_RANGE := (.*)$", MAKEFILE, re.M)
    assert span in PROJECT["dependencies"]
    (pinned,) = re.findall(r"^TORCH \?= (.*)$", MAKEFILE, re.M)
    lowest = span.removeprefix("torch>=").split(".")
    assert [int(part) for part in pinned.split(".")] >= [int(part) for part in lowest]


def test_make_help_lists_every_target() -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.M))
    described = set(re.findall(r"^([a-z][a-z-]*):.*## \S", MAKEFILE, re.M))
    assert targets == described
    assert targets >= {
        "setup", "lab", "release", "build", "validate", "grade", "report", "demo", "test", "test-all", "audit", "bench",
        "clean", "help",
    }  # fmt: skip
