"""Build everything that derives from `solutions/`, or check that what is committed is in step."""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from embedding_course.checking import expected
from embedding_course.checking.carried import alike
from embedding_course.checking.difference import difference, outline_for
from embedding_course.checking.exercise import Case, Exercise
from embedding_course.checking.expected import PUBLIC_SEED, Expectation
from embedding_course.checking.fingerprint import Fingerprint
from embedding_course.checking.observation import Observation
from embedding_course.exercises import exercises_of, known
from embedding_course.exercises.index import INDEX, Entry, entries
from embedding_course.learner.cell_facts import CELLS
from embedding_course.learner.glossary import GLOSSARY, LEDGER
from embedding_course.learner.progress.course_map import course_map
from embedding_course.learner.recorded_figures import cell_code
from embedding_course.messages import in_language
from embedding_course.subject.course import course
from embedding_course.subject.lessons import SITTINGS, forget_minutes, lesson, topics

from ..course_source import notebook
from ..course_source.lesson import read_lesson
from ..course_source.links import alone
from ..course_source.names import sections_of_names
from ..course_source.prepared import Prepared
from ..course_source.sittings import Sittings, sittings
from ..course_source.start_here import NAME, start_here, there
from ..course_source.stored import as_bytes
from ..course_source.two_mistakes import pair_prints
from ..paths import NOTEBOOKS, ROOT, SOURCE
from .reference_page import reference_page
from .rooms_picture import PICTURE, rooms_picture
from .translations import LANGUAGES, compile_all, complete

_OURS = "## Words of the house"


def packed_pages() -> dict[Path, bytes]:
    """Return what belongs into each page of the package, for those pages that this course has in `docs/`."""
    made: dict[str, Callable[[str], str]] = {GLOSSARY: _words_of_the_field, LEDGER: alone}
    return {
        course().home / name: change((ROOT / "docs" / name).read_text(encoding="utf-8")).encode()
        for name, change in made.items()
        if (ROOT / "docs" / name).exists()
    }


def _words_of_the_field(text: str) -> str:
    """Return the glossary without the words that are only ours."""
    return alone(text.partition(_OURS)[0].rstrip() + "\n")


def expectation(exercise: Exercise) -> Expectation:
    """Return the public expectation of one exercise."""
    ready = Prepared(exercise, PUBLIC_SEED)
    whole = (replace(fingerprint, traces=tuple(fingerprint.traces)) for fingerprint in ready.fingerprints)
    kept = tuple(whole_fingerprint for whole_fingerprint in whole if any(whole_fingerprint.traces))
    pairs = pair_prints(exercise, ready.cases, ready.expected, ready.tried)
    return Expectation(ready.cases, ready.expected, _distinct(kept), pairs)


def _distinct(fingerprints: tuple[Fingerprint, ...]) -> tuple[Fingerprint, ...]:
    """Drop all but the first of the mistakes that compute the same in every case, because they cannot be distinguished."""
    seen: dict[str, Fingerprint] = {}
    for fingerprint in fingerprints:
        seen.setdefault(repr(fingerprint.traces), fingerprint)
    return tuple(seen.values())


def exercise_index() -> bytes:
    """Return the file as `embedding_course.exercises.index` reads it, the same on every machine."""
    return msgspec.json.format(msgspec.json.encode([_entry(exercise) for exercise in known().values()]), indent=1) + b"\n"


def _entry(exercise: Exercise) -> Entry:
    return Entry(
        id=exercise.id,
        title=exercise.title,
        why=exercise.why,
        points=float(exercise.points),
        core=exercise.core,
        difficulty=exercise.difficulty,
        minutes=exercise.minutes,
    )


def sittings_of(topic: str) -> Sittings:
    """Return a written lesson, with the minutes that its exercises declare now."""
    return sittings(read_lesson(topic), {exercise.id: exercise.minutes for exercise in exercises_of(topic)})


def count_minutes() -> bytes:
    """Return the file: a line for each notebook."""
    lines = [f'  "{lesson(topic).number}": {json.dumps(list(sittings_of(topic).minutes))}' for topic in topics()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def cell_facts() -> bytes:
    """Return the file: a line for each notebook, with what the course says of its cells while they run.

    "names" holds the sections that make each name, and "seconds" how long a cell runs, by the hash of its source.
    """
    lines = []
    for topic in topics():
        cells = sittings_of(topic).cells()
        names = sections_of_names(cells, {exercise.id: exercise for exercise in exercises_of(topic)})
        seconds = {cell_code(cell.source): cell.meta["seconds"] for cell in cells if "seconds" in cell.meta}
        facts = {"names": dict(sorted(names.items())), "seconds": seconds}
        lines.append(f"{json.dumps(topic)}: {json.dumps(facts, ensure_ascii=False)}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


START_HERE = NOTEBOOKS / NAME / f"{NAME}.ipynb"
REFERENCE_PAGE = ROOT / "docs" / "exercises.md"
PICTURES = {ROOT / "docs" / "img" / "course_map.svg": course_map, PICTURE: rooms_picture}


def _pictures() -> dict[Path, Callable[[], str]]:
    """Return the pictures of the repository that the engine is developed in; another course has none."""
    return PICTURES if course().ours else {}


def _write(path: Path, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != body:
        path.write_bytes(body)


def build(chosen: list[str] | None = None, *, only_notebooks: bool = False) -> list[Path]:
    """Write notebooks, nbgrader sources, shipped expectations and the index of exercises; returns the notebooks."""
    made = []
    if course().ours:
        compile_all()
    _write(SITTINGS, count_minutes())
    forget_minutes()
    for topic in chosen or topics():
        full = notebook.source(topic)
        _write(SOURCE / topic / f"{topic}.ipynb", as_bytes(full))
        made.append(NOTEBOOKS / topic / f"{topic}.ipynb")
        _write(made[-1], as_bytes(notebook.release(full)))
        for path, body in _editions(topic):
            _write(path, body)
        if not only_notebooks:
            for exercise in exercises_of(topic):
                expected.save(exercise, expectation(exercise))
    expected.forget()
    _write(CELLS, cell_facts())
    _write(INDEX, exercise_index())
    entries.cache_clear()
    _write(REFERENCE_PAGE, reference_page().encode("utf-8"))
    if there():
        _write(START_HERE, as_bytes(start_here()))
        for path, body in _editions(NAME):
            _write(path, body)
    for path, body in packed_pages().items():
        _write(path, body)
    for path, made_of in _pictures().items():
        _write(path, made_of().encode("utf-8"))
    if course().ours:
        compile_all()  # again, since it depends on the mistakes that are shipped now
    return made


def _editions(topic: str) -> Iterator[tuple[Path, bytes]]:
    """Yield the notebook in each other language whose catalogue of it is complete."""
    for code in LANGUAGES if course().ours else ():
        if topic in complete(code):
            path = NOTEBOOKS / code / topic / f"{topic}.ipynb"
            if topic == NAME:
                with in_language(code):
                    body = as_bytes(start_here())
                yield path, body
            else:
                yield path, as_bytes(notebook.release(notebook.translated(topic, code)))


def out_of_step() -> list[str]:
    """Return what is committed and does not follow from the sources: one sentence each."""
    sentences = []
    for topic in topics():
        path = NOTEBOOKS / topic / f"{topic}.ipynb"
        wanted = as_bytes(notebook.release(notebook.source(topic)))
        if not path.exists() or path.read_bytes() != wanted:
            sentences.append(f"notebooks/{topic}/{topic}.ipynb does not follow from solutions/{topic}")
        for other, body in _editions(topic):
            if not other.exists() or other.read_bytes() != body:
                sentences.append(
                    f"{other.relative_to(NOTEBOOKS.parent)} does not follow from solutions/{topic} or its catalogue"
                )
        sentences += [sentence for exercise in exercises_of(topic) if (sentence := _differs(exercise))]
    if not INDEX.exists() or INDEX.read_bytes() != exercise_index():
        sentences.append(f"{course().package}/exercises/index.json does not follow from the exercises' definitions")
    if not SITTINGS.exists() or SITTINGS.read_bytes() != count_minutes():
        sentences.append(
            f"{course().package}/sittings.json does not follow from solutions/: the minutes of a lesson have changed"
        )
    if not CELLS.exists() or CELLS.read_bytes() != cell_facts():
        sentences.append(f"{course().package}/cells.json does not follow from solutions/: names or seconds of cells differ")
    if not REFERENCE_PAGE.exists() or REFERENCE_PAGE.read_bytes() != reference_page().encode("utf-8"):
        sentences.append("docs/exercises.md does not follow from the exercises' definitions")
    if there() and (not START_HERE.exists() or START_HERE.read_bytes() != as_bytes(start_here())):
        sentences.append(f"notebooks/{NAME}/{NAME}.ipynb does not follow from solutions/{NAME}")
    for path, body in packed_pages().items():
        if not path.exists() or path.read_bytes() != body:
            sentences.append(f"{course().package}/{path.name} does not follow from docs/{path.name}")
    for path, made_of in _pictures().items():
        if not path.exists() or path.read_bytes() != made_of().encode("utf-8"):
            sentences.append(f"docs/img/{path.name} is not what is drawn now")
    return sentences


def _differs(exercise: Exercise) -> str | None:
    """Return a sentence about what is shipped of an exercise and does not follow from its sources; None if all of it does.

    Numbers are compared within a tolerance, because processors differ in the last bits.
    """
    name = f"{course().package}/expected/{exercise.lesson.topic}/{exercise.stem}.bin"
    try:
        shipped = expected.load(exercise)
    except (OSError, KeyError, ValueError):
        return f"{name} is missing or unreadable"
    fresh = expectation(exercise)
    if not _same_cases(fresh.cases, shipped.cases) or len(fresh.fingerprints) != len(shipped.fingerprints):
        return f"{name} does not follow from solutions/{exercise.lesson.topic}"
    for case, mine, theirs in zip(fresh.cases, fresh.expected, shipped.expected, strict=True):
        if not _alike(outline_for(exercise.compare, mine, case), outline_for(exercise.compare, theirs, case), case, exercise):
            return f"{name}: case {case.name!r} has another result"
    for mine, theirs in zip(fresh.fingerprints, shipped.fingerprints, strict=True):
        if (mine.slug, mine.diagnosis, mine.next_step) != (theirs.slug, theirs.diagnosis, theirs.next_step):
            return f"{name}: of the mistake {mine.slug} something else is said"
        traces = zip(fresh.cases, mine.traces, theirs.traces, strict=True)
        if not all(_alike(trace and trace.outline, other and other.outline, case, exercise) for case, trace, other in traces):
            return f"{name}: the mistake {mine.slug} computes something else"
    return None


def _alike(mine: Observation | None, theirs: Observation | None, case: Case, exercise: Exercise) -> bool:
    if mine is None or theirs is None:
        return mine is theirs
    return not difference(mine, theirs, case, exercise.compare, as_float32=True)


def _same_cases(mine: tuple[Case, ...], theirs: tuple[Case, ...]) -> bool:
    pools: tuple[list[Any], list[Any]] = [], []
    trees = [[expected.encode_case(case, pool) for case in cases] for cases, pool in zip((mine, theirs), pools, strict=True)]
    return same_tree(*trees) and len(pools[0]) == len(pools[1]) and all(map(alike, *pools))


def same_tree(mine: Any, theirs: Any) -> bool:
    """Return True if two trees of plain values are equal, numbers within rounding."""
    if type(mine) is not type(theirs):
        return False
    if isinstance(mine, dict):
        return mine.keys() == theirs.keys() and all(same_tree(mine[key], theirs[key]) for key in mine)
    if isinstance(mine, list):
        return len(mine) == len(theirs) and all(map(same_tree, mine, theirs))
    if isinstance(mine, float):
        return math.isclose(mine, theirs, rel_tol=1e-4, abs_tol=1e-6)
    return mine == theirs
