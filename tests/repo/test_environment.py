"""All that installs asks for the same things: pyproject.toml, environment.yml, the Makefile, containers, workflows."""

import json
import re
import shlex
import tomllib

import pytest
import yaml

from grader.classroom.release import student_project
from grader.package.github.template import torch_line
from grader.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
CONDA = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
#: The package index's names and conda-forge's, where they differ.
CONDA_NAMES = {"torch": "pytorch"}


def ranges(requirements: list[str]) -> dict[str, str]:
    """Name -> range of each requirement, extras aside."""
    ranges_by_name = {}
    for requirement in requirements:
        match = re.fullmatch(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*(.*)", requirement)
        assert match, requirement
        ranges_by_name[match[1].lower()] = match[2].replace(" ", "")
    return ranges_by_name


def test_conda_asks_for_what_the_project_asks_for() -> None:
    wanted = ranges(PROJECT["dependencies"] + EXTRAS["instructor"])
    wanted = {CONDA_NAMES.get(name, name): span for name, span in wanted.items()}
    asked = ranges([dependency for dependency in CONDA["dependencies"] if isinstance(dependency, str)])
    assert asked.pop("python") == PROJECT["requires-python"]
    assert asked.pop("pip") == ""
    assert asked == wanted


def test_the_base_install_is_light_and_pins_nothing() -> None:
    base = ranges(PROJECT["dependencies"])
    assert set(base) == {"torch", "numpy", "matplotlib", "scikit-learn", "tiktoken", "regex", "safetensors", "msgspec", "bm25s"}
    assert not {"jupyterlab", "nbgrader", "notebook", "ipykernel"} & set(base)
    assert all(re.fullmatch(r">=[0-9.]+", span) for span in base.values()), "a ceiling or a pin would replace Colab's"


def test_learners_and_instructors_ask_for_the_same_jupyterlab() -> None:
    """The page for students says `pip install --editable ".[lab]"`, in their tree and in a checkout."""
    assert ranges(EXTRAS["lab"]).items() <= ranges(EXTRAS["instructor"]).items()
    assert tomllib.loads(student_project())["project"]["optional-dependencies"] == {"lab": EXTRAS["lab"]}


def installed(text: str) -> list[list[str]]:
    """What each `pip install` in a text is given, without options and what belongs to them."""
    commands = []
    for line in re.findall(r"pip install ([^\n&|;]*)", text.replace("\\\n", " ")):
        words = shlex.split(re.sub(r"\$\{TORCH_INDEX:\+[^}]*\}", "", line))
        with_value = {index + 1 for index, word in enumerate(words) if word in ("--index-url", "--requirement", "--target")}
        commands.append([word for index, word in enumerate(words) if index not in with_value and not word.startswith("-")])
    return commands


TEXTS = {
    **{name: (ROOT / name).read_text(encoding="utf-8") for name in ("Dockerfile", "postBuild", ".github/workflows/tests.yml")},
    "postCreateCommand": json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))[
        "postCreateCommand"
    ],
    **{path.name: path.read_text(encoding="utf-8") for path in (ROOT / "grader/package/github/texts").glob("*.yml")},
    "torch_line": torch_line("https://example.org/cpu"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_ranges_stand_in_the_project_alone(name: str) -> None:
    """Elsewhere a package is named without one, or with the very same; and extras are those that there are."""
    whole = ranges(PROJECT["dependencies"] + [requirement for group in EXTRAS.values() for requirement in group])
    extras = set(EXTRAS) | set(tomllib.loads(student_project())["project"]["optional-dependencies"])
    for words in installed(TEXTS[name]):
        for word in words:
            if word.endswith(".whl") or word in ("$TORCH", "./@{WHEEL}"):
                continue
            project, _, wanted = word.rstrip("]").partition("[")
            if project == ".":
                assert set(wanted.split(",")) <= extras, word
                continue
            (package,) = ranges([word])
            assert ranges([word])[package] in ("", whole.get(package)), f"{word}: pyproject.toml says {whole.get(package)}"


def test_the_workflow_tries_every_python_the_oldest_torch_and_the_newest() -> None:
    jobs = yaml.safe_load(TEXTS[".github/workflows/tests.yml"])["jobs"]
    course, learner = (jobs[name]["strategy"]["matrix"] for name in ("course", "learner"))
    (oldest,) = [dependency.removeprefix("torch>=") for dependency in PROJECT["dependencies"] if dependency.startswith("torch")]
    assert course["torch"] == [f"torch=={oldest}.*", "torch"]
    assert re.findall(r"^TORCH_RANGE := (.*)$", MAKEFILE, re.M) == [f"torch>={oldest}"]
    assert course["python"] == learner["python"] and PROJECT["requires-python"] == f">={course['python'][0]}"
    (image,) = re.findall(r"^FROM python:(\d+\.\d+)", TEXTS["Dockerfile"], re.M)
    assert image in course["python"], "the image has a Python with which the tests run"


def test_citation_and_changelog_are_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    newest = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1]
    assert citation["version"] == PROJECT["version"] and PROJECT["version"] in newest
