"""What came of the demo class: a table that fits a terminal, a sentence for each surprise, a file with everything."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE
from rich.table import Table

from embedding_course.checking.result import number

from .run import Outcome

__all__ = ["by_kind", "others", "write"]


def by_kind(outcomes: Sequence[Outcome]) -> Table:
    """Return a table of how many submissions got the foretold score, by kind and notebook ("✘ 1/2": one of two)."""
    topics = sorted({outcome.topic for outcome in outcomes})
    table = Table(title="How many submissions got the foretold score", box=SIMPLE, pad_edge=False)
    table.add_column("kind", no_wrap=True)
    for topic in topics:
        table.add_column(topic[:2], justify="right")
    asked = Counter((outcome.persona, outcome.topic) for outcome in outcomes)
    right = Counter((outcome.persona, outcome.topic) for outcome in outcomes if not outcome.wrong)
    for persona in sorted({outcome.persona for outcome in outcomes}):
        table.add_row(persona, *(_share(right[persona, topic], asked[persona, topic]) for topic in topics))
    return table


def _share(right: int, asked: int) -> str:
    if right != asked:
        return f"✘ {right}/{asked}"
    return str(asked) if asked else ""


def others(outcomes: Sequence[Outcome]) -> list[str]:
    """Return a sentence for each submission whose score is not the one that was foretold."""
    return [
        f"{outcome.student}, {outcome.topic} ({outcome.persona}): {number(outcome.foretold)} was foretold, "
        f"{number(outcome.score)} came; {', '.join(outcome.wrong)}."
        for outcome in outcomes
        if outcome.wrong
    ]


def write(path: Path, outcomes: Sequence[Outcome]) -> None:
    """Write all outcomes to a CSV file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["student", "notebook", "kind", "foretold", "score", "exercises with another score"])
        for outcome in outcomes:
            scores = (number(outcome.foretold), number(outcome.score))
            lines.writerow([outcome.student, outcome.topic, outcome.persona, *scores, " ".join(outcome.wrong)])
