"""`docs/benchmarks.md`, made of what was measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from embedding_course.subject.tensors import torch

from .measurements import EMPTY, Job, Pair
from .usage import Used

__all__ = ["Figures", "lessons", "page", "with_section"]

_MB = 10**6


@dataclass(frozen=True)
class Figures:
    """All that one run of the benchmark found."""

    stock: dict[str, Job]
    stock_whole: dict[str, Job]
    ours: Job
    bound: float
    second_core: float
    two_workers: float
    growth: dict[int, Used]
    lessons: dict[str, Used]
    speeds: dict[str, float] = field(default_factory=dict)
    cluster: Pair | str = ""

    def speed(self, *names: str) -> str:
        """How fast the machine was when these were measured."""
        seconds = sorted(self.speeds[name] for name in names if name in self.speeds)
        if not seconds:
            return ""
        took = (
            f"{seconds[0]:.1f} s"
            if round(seconds[0], 1) == round(seconds[-1], 1)
            else f"{seconds[0]:.1f} to {seconds[-1]:.1f} s"
        )
        return f"\n\n*The machine's own speed then: it counted to 40 million in {took}.*"


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return sum(numbers) / len(numbers)


def page(figures: Figures) -> str:
    """Return the whole page as Markdown."""
    parts = [
        _HEAD, _machine(), _speed(figures), _whole_job(figures), _parallel(figures), _cluster(figures), _growth(figures),
        lessons(figures.lessons) + figures.speed("notebooks"),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


_HEAD = """# Benchmarks

Made by `make bench`, which measures both sides on one machine in one run and rewrites this page. Times are seconds of
processor time of a command and of all processes that it starts; seconds by the clock depend on what else runs. What counts is
the ratio: the figures themselves are other ones on your machine."""


def with_section(page: str, text: str) -> str:
    """Return the page with the section of the same heading replaced by `text`, or with `text` added at its end."""
    head, heading, tail = page.partition(text.split("\n", 1)[0])
    rest = tail.partition("\n## ")[2] if heading else ""
    return head.rstrip() + "\n\n" + text.rstrip() + "\n" + (f"\n## {rest}" if rest else "")


def _machine(what: str = "Measured") -> str:
    return (
        f"{what} with Python {platform.python_version()}, torch {torch.__version__}, on {os.cpu_count()} cores "
        f"({platform.machine()}), one thread a process."
    )


def _speed(figures: Figures) -> str:
    rows = [
        "## One submission",
        "The same honest submissions (perfect, mistaken, unusual, half done) of "
        f"{', '.join(sorted(name[:2] for name in figures.stock))}, graded by plain `nbgrader autograde` and by `grader grade` "
        "with the sandbox on and one worker. *Each further one* is the difference between a large and a small class; *with "
        "start* is a whole run divided by its submissions. Plain nbgrader is measured twice: on notebooks cut down to the "
        "cells that our grader runs, and on the whole ones.",
        "| | each further one, CPU s | with start, CPU s | submissions |",
        "|---|---:|---:|---:|",
    ]
    for name, pairs in (("plain, the same cells", figures.stock), ("plain, whole notebooks", figures.stock_whole)):
        for topic, job in pairs.items():
            pair = job.marks
            rows.append(f"| {name}, {topic[:2]} | {pair.each:.2f} | {pair.with_start:.2f} | {pair.counts[1]} |")
    ours = figures.ours.marks
    rows += [
        f"| `grader grade` | {ours.each:.3f} | {ours.with_start:.3f} | {ours.counts[1]} |",
        f"| the learners' code alone, in one warm process | {figures.bound:.3f} | | |",
    ]
    return "\n".join([*rows[:1], "", rows[1], "", *rows[2:], "", (
        f"Plain nbgrader needs **{_times(figures.stock, ours.each):.0f} times** the processor time for the same cells, "
        f"{_times(figures.stock_whole, ours.each):.0f} times for whole notebooks. Above the bound lie "
        f"**{1000 * (ours.each - figures.bound):.0f} ms** a submission: the fork and its sandbox, reading and rebuilding the "
        "notebook, the comparison of every answer with the right one and the known mistakes, the feedback, the gradebook."
    )]) + figures.speed("marks", "plain nbgrader 01_onehot_vs_lookup")  # fmt: skip


def _times(stock: Mapping[str, Job], ours: float) -> float:
    return _mean(job.marks.each for job in stock.values()) / ours


def _whole_job(figures: Figures) -> str:
    """Return the section on marks and pages together, which is what an instructor waits for."""
    sides = [
        ("plain, the same cells", "autograde, generate_feedback", list(figures.stock.values())),
        ("plain, whole notebooks", "autograde, generate_feedback", list(figures.stock_whole.values())),
        ("ours", "grade, feedback, report", [figures.ours]),
    ]
    rows = ["| | commands | marks, CPU s | pages, CPU s | together |", "|---|---|---:|---:|---:|"]
    for name, commands, jobs in sides:
        marks, pages = _mean(job.marks.each for job in jobs), _mean(job.pages.each for job in jobs)
        rows.append(f"| {name} | {commands} | {marks:.3f} | {pages:.3f} | {marks + pages:.3f} |")
    same, whole = (_mean(job.each for job in jobs) / figures.ours.each for _, _, jobs in sides[:2])
    return (
        "## The whole job\n\nEach further submission from the file that came in to the page that goes back.\n\n"
        + "\n".join(rows)
        + f"\n\nPlain nbgrader needs **{same:.0f} times** the processor time for the same cells, {whole:.0f} times for whole "
        f"notebooks. A page of ours costs {1000 * figures.ours.pages.each:.0f} ms, its part of the report among them."
        + figures.speed("marks", "plain nbgrader 01_onehot_vs_lookup")
    )


def _parallel(figures: Figures) -> str:
    return (
        "## Two workers\n\nBy the clock, and once a run has started, two workers are "
        f"**{figures.two_workers:.2f} times** as fast as one, on a machine on which two processes that only count get "
        f"{figures.second_core:.2f} times as much done as one: two cores of a rented machine are often the two threads of one. "
        "Nor is one worker a single process: while the learner's process answers, the worker compares and the writer stores "
        "what came before, so one worker alone keeps more than one core busy." + figures.speed("two workers")
    )


def _cluster(figures: Figures) -> str:
    head = "## A cluster\n\nA dask cluster of two workers on this machine, the gradebook in PostgreSQL: "
    cluster = figures.cluster
    if isinstance(cluster, str):
        return f"{head}not measured ({cluster or 'not asked for'})."
    wall = (cluster.large.wall - cluster.small.wall) / (cluster.counts[1] - cluster.counts[0])
    return (
        f"{head}each further submission of a class of {cluster.counts[1]} takes **{cluster.each:.3f} s** of processor time, "
        f"all that dask needs among it, and {wall:.3f} s by the clock. The server's own processor time is not counted."
    ) + figures.speed("a cluster")


def _growth(figures: Figures) -> str:
    rows = ["| submissions | CPU s each | seconds by the clock | peak memory (PSS), MB |", "|---:|---:|---:|---:|"]
    for count, used in figures.growth.items():
        rows.append(f"| {count} | {used.cpu / count:.3f} | {used.wall:.0f} | {used.peak / _MB:.0f} |")
    largest = max(figures.growth)
    used = figures.growth[largest]
    early, late = used.around(400, 200), used.around(largest - 200, 200)  # a learner's process more or less: some 50 MB
    text = ""
    if largest > 1000 and early:
        text = (
            f"\n\nThe memory of all processes together was {early / _MB:.0f} MB from the 200th to the 600th submission and "
            f"{late / _MB:.0f} MB over the last 400 of {largest} ({100 * (late / early - 1):+.1f} %): medians "
            "of some fifty looks."
        )
    return (
        "## Larger classes\n\nTwo workers; memory that processes share is counted once.\n\n"
        + "\n".join(rows)
        + text
        + figures.speed("larger classes")
    )


def lessons(used_by_topic: Mapping[str, Used], alone: bool = False) -> str:
    """Return the section on what the notebooks themselves cost.

    `alone` says that the rest of the page was measured in another run.
    """
    start = used_by_topic[EMPTY].cpu
    written = {topic: used for topic, used in used_by_topic.items() if topic != EMPTY}
    rows = ["| notebook | its cells, CPU s | with start, CPU s | with start, seconds by the clock |", "|---|---:|---:|---:|"]
    rows += [f"| {topic} | {used.cpu - start:.1f} | {used.cpu:.1f} | {used.wall:.1f} |" for topic, used in written.items()]
    cpu, wall = (sum(getattr(used, what) for used in written.values()) for what in ("cpu", "wall"))
    rows.append(f"| all | {cpu - start * len(written):.1f} | {cpu:.1f} | {wall:.1f} |")
    later = ""
    if alone:
        later = _machine("By `python -m benchmarks --notebooks`, after the rest of this page was measured,") + "\n\n"
    return (
        f"## The notebooks themselves\n\n{later}With all answers, from the first cell to the last. *Its cells* leaves out what "
        f"an empty notebook costs, {start:.1f} s: the start of nbconvert and of a kernel.\n\n" + "\n".join(rows)
    )
