"""The measurements, one function each. Figures are seconds of processor time for a submission, unless they say otherwise."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nbformat.v4 import new_notebook

from embedding_course.subject.lessons import lesson
from grader.paths import ENGINE

from .classes import our_class, stock_class
from .own_postgres import NoPostgres, own_postgres
from .usage import Used, measure

__all__ = [
    "EMPTY",
    "Job",
    "Pair",
    "bound",
    "counting",
    "growth",
    "lessons",
    "on_a_cluster",
    "ours",
    "second_core",
    "stock",
    "two_workers",
]

#: The notebook without cells: what nbconvert and a kernel cost in themselves.
EMPTY = "empty"

# Counts for some seconds and does nothing else.
_COUNT = "for _ in range(40_000_000): pass"


@dataclass(frozen=True)
class Pair:
    """A small and a large class: their difference leaves out what a run costs before its first submission."""

    small: Used
    large: Used
    counts: tuple[int, int]

    @property
    def each(self) -> float:
        """Return the seconds of processor time that each further submission costs."""
        return (self.large.cpu - self.small.cpu) / (self.counts[1] - self.counts[0])

    @property
    def with_start(self) -> float:
        """Return the seconds of processor time for each submission of the large class, start included."""
        return self.large.cpu / self.counts[1]


@dataclass(frozen=True)
class Job:
    """The job as an instructor knows it: the marks, then what is handed back and looked at."""

    marks: Pair
    pages: Pair

    @property
    def each(self) -> float:
        """Return the seconds of processor time that each further submission costs, marks and pages together."""
        return self.marks.each + self.pages.each


def stock(folder: Path, topic: str, counts: tuple[int, int], *, whole: bool) -> Job:
    """Measure plain `nbgrader autograde`, then `nbgrader generate_feedback`."""
    marks, pages = [], []
    for count in counts:
        home = stock_class(folder / f"stock-{topic}-{count}-{whole}", topic, count, whole=whole)
        measure(["nbgrader", "generate_assignment", topic, "--force"], home)
        marks.append(measure(["nbgrader", "autograde", topic], home))
        pages.append(measure(["nbgrader", "generate_feedback", topic], home))
    return Job(Pair(marks[0], marks[1], counts), Pair(pages[0], pages[1], counts))


def ours(folder: Path, topics: Sequence[str], counts: tuple[int, int]) -> Job:
    """Measure `grader grade` with the sandbox on and one worker, then `grader feedback` and `grader report`."""
    marks, pages = [], []
    for count in counts:
        home = our_class(folder / f"ours-{len(topics)}-{count}", topics, count)
        marks.append(_grade(home, topics, 1))
        written = measure(["grader", "feedback", "--class", str(home), "--workers", "1"], home)
        report = measure(["grader", "report", "--class", str(home)], home)
        pages.append(Used(written.cpu + report.cpu, written.wall + report.wall))
    both = (counts[0] * len(topics), counts[1] * len(topics))
    return Job(Pair(marks[0], marks[1], both), Pair(pages[0], pages[1], both))


def bound(folder: Path, topics: Sequence[str], count: int) -> float:
    """Return the processor time of one submission whose code runs in one warm process with nothing around it."""
    home = our_class(folder / "bound", topics, count)
    words = [sys.executable, "-m", "benchmarks.bound", str(home), *topics]
    return float(subprocess.run(words, cwd=ENGINE, capture_output=True, text=True, check=True).stdout.split()[-1])


def two_workers(folder: Path, topic: str, counts: tuple[int, int]) -> float:
    """Return how many times faster two workers are than one, by the clock and without the start of the run."""
    took = []
    for workers in (1, 2):
        homes = [our_class(folder / f"workers-{workers}-{count}", [topic], count) for count in counts]
        took.append([_grade(home, [topic], workers).wall for home in homes])
    return (took[0][1] - took[0][0]) / (took[1][1] - took[1][0])


def on_a_cluster(folder: Path, topic: str, counts: tuple[int, int]) -> Pair | str:
    """Measure a class on a dask cluster of two workers, with its gradebook in PostgreSQL.

    Where a program for that is missing, return the sentence that says which.
    """
    if not importlib.util.find_spec("distributed"):
        return "dask is not installed: pip install 'embedding-course[scale]'"
    used = []
    try:
        for count in counts:
            home = our_class(folder / f"cluster-{count}", [topic], count)
            with own_postgres() as database:
                used.append(measure(["benchmarks.cluster_run", str(home), lesson(topic).number, database], home))
    except NoPostgres as missing:
        return str(missing)
    return Pair(used[0], used[1], counts)


def counting() -> float:
    """Return the seconds in which this machine counts to 40 million; they show whether it is slower than usual."""
    begun = time.process_time()
    exec(_COUNT)
    return time.process_time() - begun


def second_core() -> float:
    """Return how much work two counting processes do at once, in units of what one does alone; 2 on two whole cores."""
    took = []
    for processes in (1, 2):
        begun = time.perf_counter()
        running = [subprocess.Popen([sys.executable, "-c", _COUNT]) for _ in range(processes)]
        for process in running:
            process.wait()
        took.append(time.perf_counter() - begun)
    return 2 * took[0] / took[1]


def growth(folder: Path, topic: str, counts: Sequence[int]) -> dict[int, Used]:
    """Measure the grading of classes of each size with two workers, memory included."""
    return {count: _grade(our_class(folder / f"growth-{count}", [topic], count), [topic], 2) for count in counts}


def lessons(folder: Path, topics: Sequence[str]) -> dict[str, Used]:
    """Measure the run of every notebook with its answers, and first of a notebook without cells."""
    from grader.course_source.notebook import source
    from grader.course_source.stored import as_bytes

    used_by_topic = {}
    for topic, notebook in {EMPTY: new_notebook(), **{topic: source(topic) for topic in topics}}.items():
        home = folder / f"lesson-{topic}"
        home.mkdir()
        path = folder / f"{topic}.ipynb"
        path.write_bytes(as_bytes(notebook))
        words = ["nbconvert", "--to", "notebook", "--execute", str(path), "--output-dir", str(home)]
        used_by_topic[topic] = measure(["jupyter", *words], home)
    return used_by_topic


def _grade(home: Path, topics: Sequence[str], workers: int) -> Used:
    numbers = [lesson(topic).number for topic in topics]
    words = ["grader", "grade", *numbers, "--class", str(home), "--seed", "1", "--workers", str(workers)]
    return measure(words, home, lambda: sum(1 for _ in (home / "results").glob("*/*.json")))
