"""Examine a saved notebook without running it."""

import ast
import builtins
import linecache
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...checking.exercise import Exercise
from ...checking.intake.cells import Cell
from ...checking.intake.newer_syntax import newer_syntax, python_of, version_of
from ...checking.intake.statements import bound_names, broken_parts, definitions, split, star_imports, statements
from ...checking.intake.steps import Step
from ...checking.intake.stubs import own_text, still_raises
from ...checking.source.not_python import why_not_python
from ...exercises import exercises_of
from ...messages import COMMA, Listing, Message, capitalised
from ...subject.course import CourseInUse, course
from .report import Finding, Weight
from .saved import Saved
from .would_be_graded import Taken

_OURS = ("torch", "matplotlib", "mpl_toolkits", "sklearn", "scipy", "tiktoken", "regex", "bm25s")
_OF_THE_ENGINE = ("numpy", "safetensors", "msgspec", "embedding_course", course().package, "IPython")


def _provided_modules(own: CourseInUse) -> Iterator[str]:
    """Yield the modules that a course provides: preloaded ones, and its dependencies under the names that pip uses."""
    if own.ours:
        yield from _OURS
    yield from ("torch",) if own.subject.torch else ()
    yield from (name.partition(".")[0] for name in own.subject.warm.modules)
    yield from (re.split(r"[^\w.-]", name)[0].replace("-", "_") for name in own.subject.needs)


#: Modules that can be imported in grading besides the standard library: the course and its dependencies.
INSTALLED = frozenset({*_OF_THE_ENGINE, *_provided_modules(course())})
_WRITTEN = re.compile(r"\s*%%(?:writefile|file)[ \t]+(?:-a[ \t]+)?(\S+)")
_MAGIC_NAMES = {"get_ipython", "display", "In", "Out", "__file__", "__name__", "__doc__"}


def look(saved: Saved, taken: Taken, live: Mapping[str, Any] | None = None) -> Iterator[Finding]:
    """Yield findings: stubs, missing, broken or repeated cells, and names that the file uses but does not define.

    Parameters
    ----------
    saved, taken
        The notebook, and what the grader would take from it.
    live
        Names of the kernel in which the notebook is open; differences from the file are reported too.
    """
    for exercise in exercises_of(saved.lesson.topic):
        yield from _answer(exercise, saved, taken)
    yield from _python(saved)
    yield from _extra(saved, taken)
    yield from _labels(saved)
    yield from _written(saved)
    made = {name for step in taken.steps for name in _written_files(step)}
    for step in taken.steps:
        yield from _imports(step, saved.path.parent, made)
        yield from _files(step, saved.path.parent, made)
    yield from _undefined(taken, live or {})
    if live:
        yield from _unsaved(saved, taken, live)


def _answer(exercise: Exercise, saved: Saved, taken: Taken) -> Iterator[Finding]:
    name, cell = exercise.name, taken.cell(exercise.name)
    if cell is None:
        yield _no_answer(exercise, saved)
        return
    definition, newer = definitions(cell.source).get(name), _newer(cell, saved)
    message: Message | None = None
    weight: Weight = "lost"
    if definition is None:
        written = next((dict(step.mended)[name] for step in taken.steps if name in dict(step.mended)), "")
        message = Message("{cell}, the answer to {exercise}, does not define `{name}`.")
        if newer:
            message = Message("{cell}, the answer to {exercise}, cannot be read by this Python. {newer}")
        elif _broken(cell):
            message = Message("{cell}, the answer to {exercise}, is no valid Python: {reason}.")
        elif written:
            message = Message(
                "{cell}, the answer to {exercise}, does not define `{name}`, but `{written}`: is that a misspelling? "
                "Write `{name}`.",
                written=written,
            )
    elif still_raises(definition) and exercise.core:
        message = Message("`{name}` ({exercise}) still holds a stub, in {place}.")
    elif newer:
        message = Message("{cell}, the answer to {exercise}, cannot be read as a whole by this Python. {newer}")
    elif broken_parts(cell.source):
        weight = "mind"
        message = Message(
            "{cell}, the answer to {exercise}, is not all valid Python: {reason}. No kernel runs it like that; `{name}` itself "
            "can be graded."
        )
    if message:
        message = message.fill(cell=cell.named, place=cell.where, exercise=exercise.id, name=name, newer=newer)
        yield Finding(weight, capitalised(message.fill(reason=_broken(cell))), cell.number)
    rivals = taken.choices[name].real
    if len(rivals) > 1:
        message = Message("`{name}` is defined in cells {numbers}: the one in {place} counts.", name=name, place=cell.where)
        yield _mind(message.fill(numbers=Listing([candidate.number for candidate in rivals], COMMA)), cell.number)


def _no_answer(exercise: Exercise, saved: Saved) -> Finding:
    """Return the finding for an exercise that no cell answers, with the broken cell that seems meant for it."""
    broken = next((cell for cell in saved.code if _mentions(cell, exercise.name) and _broken(cell)), None)
    message = Message("No cell defines `{name}` ({exercise}).", name=exercise.name, exercise=exercise.id)
    if broken:
        message = Message("No cell defines `{name}` ({exercise}); {cell} seems meant for it. {reason}", **message.slots)
        reason = _newer(broken, saved) or Message("It is no valid Python ({reason}).", reason=_broken(broken))
        message = message.fill(cell=broken.named, reason=reason)
    return Finding("lost" if exercise.core else "note", str(message), broken.number if broken else None)


def _mind(message: Message, place: int | None = None) -> Finding:
    return Finding("mind", capitalised(message), place)


def _python(saved: Saved) -> Iterator[Finding]:
    """Report a notebook that was written with a newer Python than this one, which may not know its syntax."""
    written, here = python_of(saved.tree["metadata"]), (sys.version_info.major, sys.version_info.minor)
    if (version_of(written) or here) > here:
        message = Message(
            "The notebook says that it was written with Python {written}; here it is read and run with Python {here}, which "
            "does not know what later versions added to the language.",
            written=written,
            here=f"{here[0]}.{here[1]}",
        )
        yield _mind(message)


def _extra(saved: Saved, taken: Taken) -> Iterator[Finding]:
    """Report all unsolved exercises for extra credit in one finding; leaving them costs nothing."""
    open_ones = []
    for exercise in exercises_of(saved.lesson.topic):
        cell = taken.cell(exercise.name)
        if not exercise.core and cell is not None and still_raises(definitions(cell.source).get(exercise.name)):
            open_ones.append(f"`{exercise.name}`")
    if open_ones:
        yield Finding("note", str(Message("Extra credit not tried yet: {names}.", names=Listing(open_ones, COMMA))))


def _labels(saved: Saved) -> Iterator[Finding]:
    wanted = {exercise.grade_id for exercise in exercises_of(saved.lesson.topic)}
    missing = wanted - {cell.grade_id for cell in saved.cells}
    if missing == wanted:
        message = Message("The labels of this file's cells are gone (some editors drop them); answers are found by name.")
        yield Finding("note", str(message))
    elif missing:
        message = Message.plural(
            "{count} answer cell has lost its label; it is found by name.",
            "{count} answer cells have lost their labels; they are found by name.",
            len(missing),
        )
        yield Finding("note", str(message))


def _written(saved: Saved) -> Iterator[Finding]:
    for cell in saved.cells:
        is_answer = cell.grade_id.endswith("-answer") or "YOUR ANSWER HERE" in cell.source
        if cell.kind == "markdown" and is_answer and not own_text(cell.source):
            message = Message("The written answer in {place} is still empty; a person marks it.", place=cell.where)
            yield Finding("lost", str(message), cell.number)


def _written_files(step: Step) -> Iterator[str]:
    """Yield the names of files that a cell writes, which the grader will have as well."""
    if written := _WRITTEN.match(step.source):
        yield written[1]
    for node in (inner for outer in statements(step.source) for inner in ast.walk(outer)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            name, mode = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg == "mode"), None, None][:2]
            if isinstance(name, ast.Constant) and isinstance(mode, ast.Constant) and str(mode.value)[:1] in ("w", "x", "a"):
                yield str(name.value)


def _imports(step: Step, folder: Path, made: set[str]) -> Iterator[Finding]:
    for node in (inner for outer in statements(step.source) for inner in ast.walk(outer)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if not node.level else ["."]
        for name in names:
            top = name.split(".")[0]
            if top in sys.stdlib_module_names or top in INSTALLED or f"{top}.py" in made:
                continue
            if not top or (folder / f"{top}.py").exists() or (folder / top).is_dir():
                message = Message(
                    "{cell} imports `{name}` from a file beside the notebook, which the grader does not have. Move that code "
                    "into a cell."
                )
                yield Finding("lost", capitalised(message.fill(cell=step.named, name=name)), step.number)
            else:
                message = Message("{cell} imports `{name}`, which the course does not bring: the grader may not have it.")
                yield _mind(message.fill(cell=step.named, name=top), step.number)


def _files(step: Step, folder: Path, made: set[str]) -> Iterator[Finding]:
    for node in (inner for outer in statements(step.source) for inner in ast.walk(outer)):
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if text in made or not re.fullmatch(r"[^\n\0]{3,200}", text) or not ("/" in text or re.search(r"\.\w{1,12}$", text)):
            continue
        try:
            there = (folder / text).is_file()
        except OSError:
            there = False
        if there:
            message = Message(
                "{cell} names the file `{file}`, which lies here and not with the grader. Write what is needed of it into a "
                "cell."
            )
            yield Finding("lost", capitalised(message.fill(cell=step.named, file=text)), step.number)


def _undefined(taken: Taken, live: Mapping[str, Any]) -> Iterator[Finding]:
    """Report names that the answers use and no cell that is taken defines."""
    there = {name for step in taken.steps for name in _bound_inside(step.source)}
    there |= set(vars(builtins)) | _MAGIC_NAMES | set(taken.choices)  # a missing answer is reported as such
    for module in {module for step in taken.steps for module in star_imports(step.source)}:
        names = _exported(module)
        if names is None:
            return  # Its names are unknown unless it is imported.
        there |= names
    reported: set[str] = set()
    for step in taken.steps:
        names = {name for statement in split(step.source) for name in statement.looks_up}
        for name in sorted(names - there - reported):
            reported.add(name)
            message = Message(
                "`{name}`, used in {cell}, is defined nowhere that counts. Put its definition into a cell of your own."
            )
            if name in live:
                message = Message(
                    "`{name}`, used in {cell}, lives only in this kernel: no cell that counts defines it any more. Put its "
                    "definition into a cell of your own."
                )
            yield _mind(message.fill(name=name, cell=step.named), step.number)


def _exported(module: str) -> set[str] | None:
    """Return the names of a star import; None if the module is not loaded, since nothing is imported for it."""
    loaded = sys.modules.get(module)
    if loaded is None:
        return None
    return set(getattr(loaded, "__all__", None) or (name for name in vars(loaded) if not name.startswith("_")))


def _bound_inside(source: str) -> set[str]:
    """Return the names that a step binds, including `global` names inside functions."""
    inside = (inner for node in statements(source) for inner in ast.walk(node) if isinstance(inner, ast.Global))
    return bound_names(source) | {name for inner in inside for name in inner.names}


def _unsaved(saved: Saved, taken: Taken, live: Mapping[str, Any]) -> Iterator[Finding]:
    """Report answers that the kernel has and the file does not have: mostly cells that were not saved yet."""
    for exercise in exercises_of(saved.lesson.topic):
        mine, cell = _live_source(live.get(exercise.name)), taken.cell(exercise.name)
        if mine and cell is not None and mine.strip() != cell.source.strip() and exercise.name in definitions(mine):
            message = Message(
                "`{name}` in this kernel is not what the file says in {place}: save the notebook (Ctrl+S), or run that cell "
                "again. The file is what counts."
            )
            yield _mind(message.fill(name=exercise.name, place=cell.where), cell.number)


def _live_source(candidate: Any) -> str:
    """Return the text of the cell that defined an object of the kernel; empty if it is unknown."""
    members = vars(candidate).values() if isinstance(candidate, type) else (candidate,)
    for member in members:
        file = getattr(getattr(member, "__code__", None), "co_filename", "")
        if "ipykernel" in file or file.startswith("<ipython"):
            return "".join(linecache.getlines(file))
    return ""


def _mentions(cell: Cell, name: str) -> bool:
    return re.search(rf"^\s*(?:def|class)\s+{re.escape(name)}\b", cell.source, re.M) is not None


def _broken(cell: Cell) -> str:
    """Return why a cell is not valid Python, with the line; empty if it is valid."""
    return why_not_python(cell.source) or ("" if cell.source.strip() else str(Message("it is empty")))


def _newer(cell: Cell, saved: Saved) -> str:
    """Return a sentence about syntax that only a newer Python can read; empty if there is none."""
    return newer_syntax(cell.source, python_of(saved.tree["metadata"]))
