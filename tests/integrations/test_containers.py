"""Dockerfile, devcontainer and Binder as they stand: what is copied, who runs, what Docker is never given."""

import json
import os
import re
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from grader.paths import ROOT
from tests.support.dockerfile import chain, given, stages

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
IGNORE = (ROOT / ".dockerignore").read_text(encoding="utf-8")
STAGES = stages(DOCKERFILE)
DEVCONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
TARGETS = ("learner", "instructor")


def steps(target: str, word: str) -> list[str]:
    return [rest for stage in chain(STAGES, target) for instruction, rest in stage.steps if instruction == word]


def copied(target: str) -> list[str]:
    return [source for rest in steps(target, "COPY") for source in [token for token in rest.split() if token[:2] != "--"][:-1]]


def test_the_learner_s_image_is_made_of_the_sealed_tree_alone() -> None:
    """What lies there is held by tests/grader/classroom/test_release.py: not a line of an answer."""
    assert copied("learner") == ["build/release/embedding-course/"]
    assert not [rest for rest in steps("learner", "COPY") if "--from" in rest]
    assert {"solutions/", "grader/"} <= set(copied("instructor")), "so that the look above means something"


@pytest.mark.parametrize("target", TARGETS)
def test_nobody_runs_as_root_and_the_base_has_a_tag(target: str) -> None:
    assert steps(target, "USER")[-1] == "course" and any(
        "useradd" in rest and "course" in rest for rest in steps(target, "RUN")
    )
    last = [word for word, _ in STAGES[target].steps]
    assert "USER" in last, "it is said in the stage itself"
    image, _, tag = chain(STAGES, target)[0].origin.partition(":")
    version = re.match(r"\d+\.\d+", tag)
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    assert image == "python" and version and SpecifierSet(asked).contains(version[0])


def test_no_secret_goes_into_a_build() -> None:
    """What is given to a build stays in its history."""
    assert not re.search(r"type=secret|type=ssh", DOCKERFILE)
    named = {
        assignment.split("=")[0]
        for name in STAGES
        for word in ("ARG", "ENV")
        for rest in steps(name, word)
        for assignment in rest.split()
    }
    assert named and not [name for name in named if re.search(r"TOKEN|SECRET|PASS|KEY|CREDENTIAL", name, re.IGNORECASE)]
    assert not [name for name in STAGES if steps(name, "ADD")], "nothing is fetched from an address"


@pytest.mark.parametrize("path", [
    ".git/config", "submitted/ada/03_max_norm/03_max_norm.ipynb", "gradebook.db", "gradebook.db-wal", "results/03/ada.json",
    "feedback/ada/page.html", "autograded/ada/x.ipynb", "reports/class_report.html", "backups/gradebook.db", "work/mine.ipynb",
    "roster.csv", "course.toml", "build/solutions/answers.whl", "build/demo/gradebook.db", "build/release/notes.txt", ".env",
    ".venv/bin/python", "grader/__pycache__/x.pyc", "notebooks/03_max_norm/.ipynb_checkpoints/x.ipynb",
    "notebooks/.embedding_course/progress.json",
])  # fmt: skip
def test_docker_never_sees(path: str) -> None:
    assert not given(IGNORE, path)


def test_docker_sees_all_that_is_copied() -> None:
    for target in TARGETS:
        for source in copied(target):
            assert given(IGNORE, f"{source}inside" if source.endswith("/") else source), source
            assert source.startswith("build/") or (ROOT / source).exists(), source
    ours = {rule[1:] for rule in IGNORE.splitlines() if rule.startswith("!")}
    assert ours == {source.rstrip("/") for target in TARGETS for source in copied(target)}, "and nothing else"


def test_the_devcontainer_begins_from_a_stage_that_is_there() -> None:
    build = DEVCONTAINER["build"]
    folder = ROOT / ".devcontainer"
    assert (folder / build["dockerfile"]).resolve() == ROOT / "Dockerfile" and (folder / build["context"]).resolve() == ROOT
    assert build["target"] in STAGES and not copied(build["target"]) and DEVCONTAINER["remoteUser"] == "course"
    assert set(build["args"]) == {rest.split("=")[0] for rest in steps(build["target"], "ARG")}


def test_the_flags_for_the_walls_are_the_same_everywhere() -> None:
    wanted = {"seccomp=unconfined", "apparmor=unconfined"}
    assert set(DEVCONTAINER["securityOpt"]) == wanted
    (command,) = re.findall(
        r"docker run [^\n]*seccomp[^\n]*(?:\\\n[^\n]*)*", (ROOT / "docs" / "installing.md").read_text("utf-8")
    )
    assert set(re.findall(r"--security-opt (\w+=\w+)", command)) == wanted and "--cap-drop ALL" in command
    assert "--privileged" not in command and "SYS_ADMIN" not in command


def test_binder_s_script_can_be_run() -> None:
    script = ROOT / "postBuild"
    assert os.access(script, os.X_OK) and script.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    assert Path(ROOT / "environment.yml").exists()
