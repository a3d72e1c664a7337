"""A Dockerfile read as Docker reads it, and its steps gone through in a folder that stands for the image, without Docker."""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

#: Folders of an image that steps name; here they lie below the folder that stands for it.
_PLACES = ("class", "home", "opt", "var")
_ABSOLUTE = re.compile(r"(?<![\w.:/)-])/[\w.]+")


@dataclass(frozen=True)
class Stage:
    """A stage of a Dockerfile: what it begins from, and its instructions with what follows them."""

    name: str
    origin: str
    steps: tuple[tuple[str, str], ...]


def stages(text: str) -> dict[str, Stage]:
    """The stages of a Dockerfile by name, in their order."""
    lines = "\n".join(line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    named_stages: dict[str, Stage] = {}
    name, origin, steps = "", "", []
    for line in [*lines.replace("\\\n", " ").splitlines(), "FROM end AS end"]:
        word, _, rest = line.strip().partition(" ")
        if word != "FROM":
            steps.append((word, rest.strip()))
            continue
        if name:
            named_stages[name] = Stage(name, origin, tuple(steps))
        match = re.fullmatch(r"(\S+) AS (\S+)", rest)
        assert match, line
        origin, name, steps = match[1], match[2], []
    return named_stages


def chain(named_stages: Mapping[str, Stage], name: str) -> list[Stage]:
    """A stage and all that it begins from, the first one first."""
    stage = named_stages[name]
    return [*(chain(named_stages, stage.origin) if stage.origin in named_stages else []), stage]


def given(ignore: str, path: str) -> bool:
    """Does Docker get this file of the context? The last rule that speaks of it, or of a folder above it, decides."""
    kept = True
    candidates = [path, *map(str, PurePosixPath(path).parents)][:-1]
    for rule in ignore.splitlines():
        if rule and not rule.startswith("#"):
            pattern = "".join(
                {"**/": "(?:.*/)?", "*": "[^/]*"}.get(part, re.escape(part)) for part in re.split(r"(\*\*/|\*)", rule)
            )
            if any(re.fullmatch(pattern.removeprefix("!"), candidate) for candidate in candidates):
                kept = rule.startswith("!")
    return kept


@dataclass
class Image:
    """What is built: `root` stands for its file system, `commands` come before all others on its search path."""

    root: Path
    context: Path
    commands: Path
    more: Mapping[str, str] = field(default_factory=dict)
    folder: str = "/"
    user: str = "root"
    environment: dict[str, str] = field(default_factory=dict)
    entry: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def build(self, text: str, ignore: str, target: str) -> None:
        """Go through the steps of a target. CalledProcessError where one fails."""
        for stage in chain(stages(text), target):
            for word, rest in stage.steps:
                self._step(word, rest, ignore)

    def _step(self, word: str, rest: str, ignore: str) -> None:
        if word in ("ENV", "ARG"):
            self.environment |= dict(token.split("=", 1) for token in shlex.split(rest))
        elif word == "WORKDIR":
            self.folder = rest
            self.here.mkdir(parents=True, exist_ok=True)
        elif word == "USER":
            self.user = rest
        elif word == "COPY":
            self._copy([token for token in rest.split() if not token.startswith("--")], ignore)
        elif word == "RUN":
            done = self.run(["/bin/sh", "-c", self._inside(rest)])
            assert done.returncode == 0, f"{rest}\n{done.stdout}\n{done.stderr}"
        elif word in ("ENTRYPOINT", "CMD"):
            setattr(self, "entry" if word == "ENTRYPOINT" else "command", json.loads(rest))
        else:
            assert word == "EXPOSE", f"{word} is not known here"

    @property
    def here(self) -> Path:
        return self.root / self.folder.lstrip("/")

    def _copy(self, words: Sequence[str], ignore: str) -> None:
        *sources, into = words
        for source in sources:
            start = self.context / source
            assert start.exists(), f"{source} is not in the context"
            files = [path for path in start.rglob("*") if path.is_file()] if start.is_dir() else [start]
            sent = [path for path in files if given(ignore, path.relative_to(self.context).as_posix())]
            assert sent, f"{source} is kept from Docker by .dockerignore"
            for path in sent:
                inside = path.relative_to(start) if start.is_dir() else Path(path.name)
                target = self.here / into / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, target)

    def _inside(self, text: str) -> str:
        """A shell step whose folders are those of the image. No step may name others: they would be this machine's."""

        def below(match: re.Match[str]) -> str:
            assert match[0] == "/bin" or match[0][1:] in _PLACES, f"{match[0]} in a step is not known here"
            return f"{self.root}{match[0]}" if match[0][1:] in _PLACES else match[0]

        return _ABSOLUTE.sub(below, text)

    def run(self, command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run something in the image's folder, with its environment and nothing of ours."""
        path = os.pathsep.join([str(self.commands), os.environ["PATH"]])
        home = self.root / "home" / self.user
        home.mkdir(parents=True, exist_ok=True)
        settings = {"PATH": path, "LANG": "C.UTF-8", "HOME": str(home), **self.environment, **self.more}
        return subprocess.run(
            command, cwd=self.here, env=settings, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300
        )
