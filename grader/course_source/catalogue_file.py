"""Read a file of `solutions/NN_topic/mistakes/`: wrong answers by name, unusual right ones, and reasons.

Such a file holds many functions of one name, each exactly as a learner would type it, so nobody ever runs it. A comment above
each answer says what it is. The first comment of the file names the exercise, and the imports below it belong to every answer:

    # exercise 03.renorm_rows
    import torch

    # base plain
    def renorm_rows(weight, max_norm, norm_type=2.0): ...

    # mistake columns (values), from plain
    # The norms are those of the columns; a vector of the table is a row.
    # Next: Print the shape of your norms: one for each row, (V, 1) with keepdim, so the sum runs over dim=1.
    #   dim=1 => dim=0

    # right form loop
    def renorm_rows(weight, max_norm, norm_type=2.0): ...

    # survivor 0 → -1
    # Why this mutant of the reference is a right answer.

    # few mistakes
    # Why there are fewer mistakes, or right forms, than an exercise should have.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import dropwhile, pairwise, takewhile
from pathlib import Path

from embedding_course.checking.compare import STAGES

from .catalogue_edits import Edit, edited, read_edits

__all__ = ["CannotRead", "Entry", "Few", "Mistake", "RightForm", "Sentence", "Survivor", "read_entries", "sentences"]


@dataclass(frozen=True)
class Mistake:
    """A wrong answer that learners give.

    `stages` are the stages on which a check may catch it: one as a rule, and "shape" and "values" where wrong ids are sometimes
    more and sometimes fewer than the right ones. `base` is the answer that the file edits, without imports, if there is one.
    """

    exercise: str
    slug: str
    stages: tuple[str, ...]
    diagnosis: str
    next_step: str
    source: str
    base: str = ""


@dataclass(frozen=True)
class RightForm:
    """An unusual answer that is right and must pass."""

    exercise: str
    slug: str
    source: str


@dataclass(frozen=True)
class Survivor:
    """A mutant of the reference that passes every check, and why that is right: it computes the same."""

    exercise: str
    change: str
    reason: str


@dataclass(frozen=True)
class Few:
    """Why an exercise has fewer than five mistakes or three right forms (`what`)."""

    exercise: str
    what: str
    reason: str


Entry = Mistake | RightForm | Survivor | Few


@dataclass(frozen=True)
class Sentence:
    """What learners read about a mistake: `field` is "diagnosis" or "next_step"."""

    exercise: str
    slug: str
    field: str
    text: str
    line: int


class CannotRead(ValueError):
    """The file says something that is no part of a catalogue; the message names the file and the line."""


_KINDS = "a file begins with `# exercise`, an entry with `# mistake`, `# right form`, `# base`, `# survivor` or `# few`"
_HEAD = re.compile(r"# (exercise|mistake|right form|base|survivor|few) (\S.*)")
_FROM = r"(?:, from (?P<base>\w+))?"
_NEXT = "# Next: "
_EDIT = "#   "


@dataclass(frozen=True)
class _Block:
    """A comment of the file, line by line, and the code below it."""

    line: int
    comment: tuple[str, ...]
    code: str

    def head(self) -> tuple[str, str]:
        """Return the kind of entry and what else the first line says."""
        match = _HEAD.fullmatch(self.comment[0])
        if match is None:
            raise ValueError(f"`{self.comment[0]}` is not the first line of an entry: {_KINDS}")
        return match[1], match[2]

    def sentences(self) -> Iterator[tuple[str, str, int]]:
        """Yield the diagnosis, then the next step: the field, its text and the line where it begins."""
        field, words, first = "diagnosis", list[str](), self.line + 1
        for number, line in enumerate(self.comment[1:], self.line + 1):
            if line.startswith(_EDIT):
                break
            if line.startswith(_NEXT):
                yield field, " ".join(words), first
                field, words, first = "next_step", [], number
            words.append(line.removeprefix(_NEXT).removeprefix("#").strip())
        yield field, " ".join(words), first

    def edits(self) -> tuple[Edit, ...]:
        """Return the edits that stand below the sentences."""
        lines = dropwhile(lambda line: not line.startswith(_EDIT), self.comment)
        return read_edits("".join(f"{line.removeprefix(_EDIT)}\n" for line in lines))


def read_entries(path: Path) -> tuple[Entry, ...]:
    """Return all entries of the file, in their order. Raise CannotRead if it holds anything else."""
    reader = _Reader()
    entries = list[Entry]()
    for block in _blocks(path):
        try:
            entries += reader.entries(block)
        except ValueError as error:
            raise CannotRead(f"{'/'.join(path.parts[-4:])}, line {block.line}: {error}") from error
    return tuple(entries)


def sentences(path: Path) -> Iterator[Sentence]:
    """Yield what learners read about the mistakes of a file, as far as the file can be read."""
    exercise = ""
    for block in _blocks(path):
        kind, rest = block.head()
        if kind == "exercise":
            exercise = rest
        if kind == "mistake":
            slug = rest.split()[0]
            yield from (Sentence(exercise, slug, *sentence) for sentence in block.sentences())


def _blocks(path: Path) -> Iterator[_Block]:
    """Yield each comment at the left margin with the code below it. What stands above the first one is a block of its own."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line.startswith("#") for line in lines]
    starts = [number for number in range(len(lines)) if number == 0 or (comments[number] and not comments[number - 1])]
    for start, end in pairwise([*starts, len(lines)]):
        comment = tuple(takewhile(lambda line: line.startswith("#"), lines[start:end]))
        yield _Block(start + 1, comment or ("",), "\n".join(lines[start + len(comment) : end]).strip("\n"))


class _Reader:
    """One file, read from top to bottom: its exercise, its imports, and the answers that are written out."""

    def __init__(self) -> None:
        self.exercise = ""
        self.imports = ""
        self.answers: dict[str, str] = {}

    def entries(self, block: _Block) -> Iterable[Entry]:
        """Return the entries that one block defines. Raise ValueError if it is nothing that a catalogue may hold."""
        kind, rest = block.head()
        if (kind == "exercise") == bool(self.exercise):
            raise ValueError("a file begins with one comment `# exercise NN.name`, and has no other")
        readers = {
            "exercise": self._exercise,
            "mistake": self._mistake,
            "right form": self._right_form,
            "base": self._base,
            "survivor": self._survivors,
            "few": self._few,
        }
        return readers[kind](rest, block)

    def _exercise(self, exercise: str, block: _Block) -> Iterable[Entry]:
        body = _parsed(block.code)
        imports = [ast.unparse(node) for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
        if len(imports) + (ast.get_docstring(ast.Module(body, [])) is not None) < len(body):
            raise ValueError("between `# exercise` and the first entry stand a docstring and imports, and nothing else")
        self.exercise, self.imports = exercise, "\n".join(imports)
        return ()

    def _mistake(self, head: str, block: _Block) -> Iterable[Entry]:
        match = re.fullmatch(rf"(\w+) \(([^()]+)\){_FROM}", head)
        if match is None:
            raise ValueError(f"`{block.comment[0]}` is not of the form `# mistake NAME (STAGE)`, with `, from BASE` or without")
        slug, stages, base = match[1], tuple(match[2].split(", ")), match["base"]
        if not set(stages) <= set(STAGES):
            raise ValueError(f"{slug} names the stage `{match[2]}`; the stages are {', '.join(STAGES)}")
        sentences = {field: text for field, text, _ in block.sentences()}
        if not (sentences["diagnosis"] and sentences.get("next_step")):
            raise ValueError(f"{slug} needs a diagnosis in its second line, and below that a line that begins with `{_NEXT}`")
        source = self._source(slug, base, block)
        return (Mistake(self.exercise, slug, stages, **sentences, source=source, base=self.answers.get(base, "")),)

    def _right_form(self, head: str, block: _Block) -> Iterable[Entry]:
        match = re.fullmatch(rf"(\w+){_FROM}", head)
        if match is None:
            raise ValueError(f"`{block.comment[0]}` is not of the form `# right form NAME`, with `, from BASE` or without")
        return (RightForm(self.exercise, match[1], self._source(match[1], match["base"], block)),)

    def _base(self, slug: str, block: _Block) -> Iterable[Entry]:
        self._source(slug, None, block)
        return ()

    def _source(self, slug: str, base: str | None, block: _Block) -> str:
        """Return the answer with the file's imports above it, as a notebook would have it."""
        edits = block.edits()
        if bool(base) != bool(edits) or bool(base) == bool(block.code):
            raise ValueError(f"{slug} needs either a function or class, or `, from BASE` and edits")
        if not base:
            text = self.answers[slug] = block.code
            _check_definition(slug, text)
        elif base in self.answers:
            text = edited(f"{self.answers[base]}\n", edits).removesuffix("\n")
        else:
            raise ValueError(f"{slug} edits `{base}`, and no answer that is written out above has that name")
        return f"{self.imports}\n\n\n{text}\n".lstrip()

    def _survivors(self, change: str, block: _Block) -> Iterable[Entry]:
        """Return the entries of one block; several mutants may have one reason, each named in a line of its own above it."""
        changes = [change]
        for line in block.comment[1:]:
            match = _HEAD.fullmatch(line)
            if match is None:
                break
            changes.append(match[2])
        reason = _joined(block.comment[len(changes) :])
        return [Survivor(self.exercise, change, reason) for change in changes]

    def _few(self, what: str, block: _Block) -> Iterable[Entry]:
        return (Few(self.exercise, what, _joined(block.comment[1:])),)


def _joined(lines: Iterable[str]) -> str:
    return " ".join(line.removeprefix("#").strip() for line in lines)


def _parsed(code: str) -> list[ast.stmt]:
    try:
        return ast.parse(code).body
    except SyntaxError as error:
        raise ValueError(f"the code below this comment is not Python: {error.msg}") from None


def _check_definition(slug: str, code: str) -> None:
    body = _parsed(code)
    if len(body) != 1 or not isinstance(body[0], (ast.FunctionDef, ast.ClassDef)) or body[0].decorator_list:
        raise ValueError(f"{slug} is one function or class without a decorator, and nothing else stands below it")
