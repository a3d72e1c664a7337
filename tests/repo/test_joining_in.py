"""What lies at the top level for those who join: the citation, the workflows, the forms."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from embedding_course.subject.titles import DISTRIBUTION
from grader.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FORMS = {"answer_refused": "My right answer was refused", "verdict_did_not_help": "This verdict did not help",
         "sentence_is_wrong": "This sentence is wrong"}  # fmt: skip


def _read(path: Path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_citation_is_complete_and_of_this_version() -> None:
    """The keys that the Citation File Format 1.2.0 requires, and none that it does not know."""
    said = _read(ROOT / "CITATION.cff")
    assert {"cff-version", "message", "title", "authors"} <= set(said)
    assert set(said) <= {
        "cff-version", "message", "type", "title", "abstract", "version", "license", "authors", "keywords", "date-released",
        "repository-code", "url",
    }  # fmt: skip
    assert said["cff-version"] == "1.2.0" and said["type"] in ("software", "dataset")
    assert said["version"] == PROJECT["version"] and said["license"] == "MIT"
    assert said["authors"] and all(set(one) == {"name"} or "family-names" in one for one in said["authors"])
    assert len(said["keywords"]) == len(set(said["keywords"]))


def test_the_changelog_begins_with_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = text.split("\n## ")[1]
    assert newest.startswith((f"[{PROJECT['version']}]", "[Unreleased]")) and PROJECT["version"] in newest


def test_the_matrix_is_that_of_the_project() -> None:
    jobs = _read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]
    whole, learner = (jobs[name]["strategy"]["matrix"] for name in ("course", "learner"))
    assert whole["python"] == learner["python"] == ["3.11", "3.12", "3.13"]
    assert PROJECT["requires-python"] == f">={whole['python'][0]}"
    (lowest,) = [entry.removeprefix("torch>=") for entry in PROJECT["dependencies"] if entry.startswith("torch>=")]
    assert whole["torch"] == [f"torch=={lowest}.*", "torch"]
    assert learner["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]


def test_the_workflow_uses_targets_and_extras_that_are_there() -> None:
    text = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(re.search(rf"^{name}:", makefile, re.MULTILINE) for name in re.findall(r"\bmake ([a-z-]+)", text))
    extras = {name for group in re.findall(r"\.\[([a-z,]+)\]", text) for name in group.split(",")}
    assert extras and extras <= set(PROJECT["optional-dependencies"])
    assert f"cd learner/{DISTRIBUTION}\n" in text, "the folder of a release"


@pytest.mark.parametrize(("file", "name"), FORMS.items())
def test_each_form_asks_for_the_verdict(file: str, name: str) -> None:
    form = _read(ROOT / ".github" / "ISSUE_TEMPLATE" / f"{file}.yml")
    assert form["name"] == name and form["description"] and form["body"]
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    ids = [field["id"] for field in fields]
    assert len(ids) == len(set(ids)) and all(field["attributes"]["label"] for field in fields)
    (verdict,) = [field for field in fields if field["id"] == "verdict"]
    assert "grader try EXERCISE FILE --json" in verdict["attributes"]["label"]
    assert "grader report-problem" in verdict["attributes"]["description"]
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_there_are_three_forms() -> None:
    there = {path.stem for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")} - {"config"}
    assert there == set(FORMS)
