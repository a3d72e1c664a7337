"""`docs/benchmarks.md`, made of what was measured."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch

from .measurements import EMPTY, Pair
from .usage import Used

__all__ = ["Figures", "lessons", "page", "with_section"]

_MB = 10**6


@dataclass(frozen=True)
class Figures:
    """All that one run of the benchmark found."""

    stock: dict[str, Pair]
    stock_whole: dict[str, Pair]
    ours: Pair
    bound: float
    second_core: float
    two_workers: float
    growth: dict[int, Used]
    lessons: dict[str, Used]

    @property
    def ratio(self) -> float:
        return _mean([pair.each for pair in self.stock.values()]) / self.ours.each

    @property
    def ratio_whole(self) -> float:
        return _mean([pair.each for pair in self.stock_whole.values()]) / self.ours.each


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def page(figures: Figures) -> str:
    parts = [_HEAD, _machine(), _speed(figures), _parallel(figures), _growth(figures), lessons(figures.lessons)]
    return "\n\n".join(parts) + "\n"


_HEAD = """# Benchmarks

Made by `make bench`, which measures both sides on one machine in one run and rewrites this page. Times are seconds of
processor time of a command and of all processes that it starts; seconds by the clock depend on what else runs. What counts is
the ratio: the figures themselves are other ones on your machine."""


def with_section(page: str, text: str) -> str:
    """`page` with the section of the same heading replaced by `text`, or `text` at its end."""
    head, found, tail = page.partition(text.split("\n", 1)[0])
    rest = tail.partition("\n## ")[2] if found else ""
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
        for topic, pair in pairs.items():
            rows.append(f"| {name}, {topic[:2]} | {pair.each:.2f} | {pair.with_start:.2f} | {pair.counts[1]} |")
    ours = figures.ours
    rows += [
        f"| `grader grade` | {ours.each:.3f} | {ours.with_start:.3f} | {ours.counts[1]} |",
        f"| the learners' code alone, in one warm process | {figures.bound:.3f} | | |",
    ]
    return "\n".join([*rows[:1], "", rows[1], "", *rows[2:], "", (
        f"Plain nbgrader needs **{figures.ratio:.0f} times** the processor time for the same cells, "
        f"{figures.ratio_whole:.0f} times for whole notebooks. Above the bound lie "
        f"**{1000 * (ours.each - figures.bound):.0f} ms** a submission: the fork and its sandbox, reading and rebuilding the "
        "notebook, the comparison of every answer with the right one and the known mistakes, the feedback, the gradebook."
    )])  # fmt: skip


def _parallel(figures: Figures) -> str:
    return (
        "## Two workers\n\nBy the clock, and once a run has started, two workers are "
        f"**{figures.two_workers:.2f} times** as fast as one, on a machine on which two processes that only count get "
        f"{figures.second_core:.2f} times as much done as one: two cores of a rented machine are often the two threads of one. "
        "Nor is one worker a single process: while the learner's process answers, the worker compares and the writer stores "
        "what came before, so one worker alone keeps more than one core busy."
    )


def _growth(figures: Figures) -> str:
    rows = ["| submissions | CPU s each | seconds by the clock | peak memory (PSS), MB |", "|---:|---:|---:|---:|"]
    for count, used in figures.growth.items():
        rows.append(f"| {count} | {used.cpu / count:.3f} | {used.wall:.0f} | {used.peak / _MB:.0f} |")
    largest = max(figures.growth)
    used = figures.growth[largest]
    early, late = used.around(100, 40), used.around(largest - 40, 40)
    text = ""
    if largest > 200 and early:
        text = (
            f"\n\nFrom about the 100th to the last of {largest} submissions the memory of all processes together went from "
            f"{early / _MB:.0f} to {late / _MB:.0f} MB ({100 * (late / early - 1):+.1f} %)."
        )
    return "## Larger classes\n\nTwo workers; memory that processes share is counted once.\n\n" + "\n".join(rows) + text


def lessons(found: Mapping[str, Used], alone: bool = False) -> str:
    """The section on what the notebooks themselves cost; `alone`: the rest of the page is of another run."""
    start = found[EMPTY].cpu
    written = {topic: used for topic, used in found.items() if topic != EMPTY}
    rows = ["| notebook | its cells, CPU s | with start, CPU s | with start, seconds by the clock |", "|---|---:|---:|---:|"]
    rows += [f"| {topic} | {used.cpu - start:.1f} | {used.cpu:.1f} | {used.wall:.1f} |" for topic, used in written.items()]
    cpu, wall = (sum(getattr(used, what) for used in written.values()) for what in ("cpu", "wall"))
    rows.append(f"| all | {cpu - start * len(written):.1f} | {cpu:.1f} | {wall:.1f} |")
    later = _machine("By `grader bench --notebooks`, after the rest of this page was measured,") + "\n\n" if alone else ""
    return (
        f"## The notebooks themselves\n\n{later}With all answers, from the first cell to the last. *Its cells* leaves out what "
        f"an empty notebook costs, {start:.1f} s: the start of nbconvert and of a kernel.\n\n" + "\n".join(rows)
    )
