"""Grade engines of the project: both anchors and every submission, in one run, on the same queries, in the same sandbox."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from ...engine.fork_server import Learners
from ...submission.plain_file import read_plain
from .ask import LIMITS, TIME_LIMITS, Answers, ask
from .own_queries import read_queries
from .task import REFERENCES, Measures, NoAnchors, Task, measures, read_task, share, share_error

_MAX_SOURCE_BYTES, _MAX_TRIED_BYTES = 100_000, 20_000
_ANCHORS = ("bm25", "course")


class Missed(msgspec.Struct, frozen=True):
    """A public query whose first document was not right."""

    query: str
    first: str
    rank: int


class Result(msgspec.Struct):
    """The result of one engine.

    `share` is the share of the points that it earns, and `share_error` its standard error over the queries. `built` and
    `seconds` are processor times, `memory` is the number of bytes beyond those of a process that does nothing, and `tried` is
    the learner's own table. Of the hidden queries only counts are kept. `practice` is True if the queries were those of the
    course, which anybody can read.
    """

    engine: str
    hidden: Measures
    public: Measures
    share: float
    share_error: float
    answered: int
    asked: int
    built: float
    seconds: float
    memory: int
    sandbox: str
    fault: str = ""
    tried: str = ""
    missed: list[Missed] = []
    practice: bool = True


def grade_engines(folders: Sequence[Path], queries: Path | None = None, python: str = "") -> Iterator[Result]:
    """Grade the two anchors first, then the engine in each folder.

    Parameters
    ----------
    folders : sequence of Path
        What students handed in.
    queries : Path, optional
        The class's own hidden queries. Without them the practice queries are asked, which are public.
    python : str, optional
        The path of another Python that runs the engines.

    Raises
    ------
    NoAnchors
        Where our own engines fail.
    NoSandbox
        Where nothing here hides the hidden queries; there is no way around that.
    BadQueries
        Where the class's queries cannot be used.
    """
    task = read_task()
    if queries is not None:
        task = replace(task, hidden=read_queries(queries, task.names))
    with Learners(limits=LIMITS, time_limits=TIME_LIMITS, topics=[], python=python) as learners:
        idle = learners.start().end().memory
        anchors = []
        for name in _ANCHORS:
            answers = ask(learners, (REFERENCES / f"{name}.py").read_text(encoding="utf-8"), task)
            if answers.fault:
                raise NoAnchors(f"our own engine {name} failed: {answers.fault}")
            anchors.append(answers)
        for name, answers in zip(_ANCHORS, anchors, strict=True):
            yield _result(name, answers, task, anchors, idle, learners.level)
        for folder in folders:
            answers, tried = _asked(learners, folder, task), _text(folder / "tried.md", _MAX_TRIED_BYTES) or ""
            result = _result(str(folder), answers, task, anchors, idle, learners.level)
            result.tried, result.practice = tried.strip(), queries is None
            result.missed = _missed(answers, task) if result.tried else []
            yield result


def _asked(learners: Learners, folder: Path, task: Task) -> Answers:
    source = _text(folder / "engine.py", _MAX_SOURCE_BYTES)
    if source is None:
        return Answers(fault=f"There is no engine.py that is UTF-8 text of at most {_MAX_SOURCE_BYTES:,} bytes.")
    return ask(learners, source, task)


def _text(path: Path, most: int) -> str | None:
    try:
        content = read_plain(path, most + 1)
        return content.decode("utf-8-sig") if len(content) <= most else None
    except (OSError, UnicodeDecodeError):
        return None


def _result(name: str, answers: Answers, task: Task, anchors: Sequence[Answers], idle: int, level: str) -> Result:
    public, ranks = answers.ranks(task)
    bm25, course = (anchor.ranks(task)[1] for anchor in anchors)
    hidden = measures(ranks)
    return Result(
        engine=name,
        hidden=hidden,
        public=measures(public),
        share=share(hidden.quality, measures(bm25).quality, measures(course).quality),
        share_error=share_error(ranks, bm25, course),
        answered=answers.answered,
        asked=len(task.public) + len(task.hidden),
        built=answers.built,
        seconds=answers.seconds,
        memory=max(0, answers.memory - idle),
        sandbox=level,
        fault=answers.fault,
    )


def _missed(answers: Answers, task: Task) -> list[Missed]:
    return [
        Missed(query.text, "nothing" if first is None else task.names[first], rank)
        for query, first, rank in zip(task.public, answers.firsts, answers.public, strict=False)
        if rank != 1
    ]
