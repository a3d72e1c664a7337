"""Hold the findings of `doctor`, and render them as text and as HTML."""

from html import escape
from typing import Literal

import msgspec

from ...checking.render import Panel, code
from ...checking.result import Result, earned, extra, number, possible
from ...checking.submission_limits import BASE, CPU_SECONDS, MEMORY, SUBMISSION_SECONDS
from ...messages import COMMA, Listing, Message

#: "lost": costs points as it stands; "mind": may cost some, or surprise; "note": good to know.
Weight = Literal["lost", "mind", "note"]
_MARKS: dict[str, str] = {"lost": "✘", "mind": "▲", "note": "·"}
_LINES: dict[str, Message] = {
    "lost": Message("costs points: {finding}"),
    "mind": Message("look at: {finding}"),
    "note": Message("note: {finding}"),
}
_TONES: dict[str, str] = {"lost": "#b42318", "mind": "#a86a00", "note": "#6b7280"}
_MB = 2**20


class Finding(msgspec.Struct, frozen=True):
    """Hold one fact that the learner should know, in a sentence or two."""

    weight: Weight
    message: str
    cell: int | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Hold the result of examining a notebook.

    `how` says in what kind of process it was run. `cpu` and `slowest` are seconds of processor time, in total and of the
    slowest cell or check; `memory` is the peak memory in bytes, `memory_limit` its limit (0 if unknown).
    """

    topic: str
    file: str
    how: str
    digest: str
    findings: list[Finding]
    results: list[Result]
    cells: int = 0
    cpu: float = 0.0
    slowest: float = 0.0
    memory: int = 0
    versions: dict[str, str] = {}

    @property
    def score(self) -> float:
        """Return the points of the public checks."""
        return earned(self.results)

    @property
    def max_score(self) -> float:
        """Return the largest possible number of points."""
        return possible(self.results)

    @property
    def extra(self) -> float:
        """Return the points of extra credit."""
        return extra(self.results)

    @property
    def ready(self) -> bool:
        """Return whether nothing was found that costs points."""
        return not any(finding.weight == "lost" for finding in self.findings)


def _lines(report: Report) -> tuple[str, list[str], str]:
    """Return the heading, the measurements, and the next step."""
    points = Message(
        "{score} of {maximum} points in public cases, {extra} extra",
        score=number(report.score),
        maximum=number(report.max_score),
        extra=number(report.extra),
    )
    head = f"{'✔' if report.ready else '✘'} {report.topic} · {points}"
    named = [f"{name} {version}" for name, version in report.versions.items()]
    measured = [
        Message("Run from nothing in {process}: {facts}.", process=report.how, facts=Listing(_measured(report), COMMA)),
        Message("With {versions}.", versions=Listing(named, COMMA)),
    ]
    step = Message("Next: mend what is marked ✘, save, and call `doctor()` again; or `submit()` as it stands.")
    if report.ready:
        step = Message("Next: `submit()` writes the file to hand in.")
    return head, [str(line) for line in measured], str(step)


def _measured(report: Report) -> list[Message]:
    """Return what was measured: cells, seconds and memory."""
    seconds = Message("{seconds:.1f} s of processor time (limit {limit} s)", seconds=report.cpu, limit=SUBMISSION_SECONDS)
    facts = [Message.plural("{count} cell that counts", "{count} cells that count", report.cells), seconds]
    if report.slowest:
        longest = Message("the longest step {seconds:.1f} s (limit {limit} s)", seconds=report.slowest)
        facts.append(longest.fill(limit=number(CPU_SECONDS)))
    if not report.memory:
        return [*facts, Message("memory not measured here")]
    memory = Message("{memory:.0f} MB of memory, {base} included (limit {limit:.0f} MB beyond {base})")
    return [*facts, memory.fill(memory=report.memory / _MB, limit=MEMORY / _MB, base=BASE)]


def panel(report: Report, *, written: bool = False) -> Panel:
    """Render the report for a terminal and for a notebook, without relying on colour alone.

    With `written`, the file to hand in exists already and the next step is left out.
    """
    head, measured, step = _lines(report)
    order = sorted(report.findings, key=lambda finding: list(_MARKS).index(finding.weight))
    lines = [(finding.weight, str(_LINES[finding.weight].fill(finding=finding.message))) for finding in order]
    text = [head, *(f"  {_MARKS[weight]} {line}" for weight, line in lines)]
    text += [f"  {line}" for line in measured] + ([] if written else [f"  {step}"])
    items = "".join(
        f'<li style="margin:.15em 0"><strong style="color:{_TONES[weight]}">{_MARKS[weight]}</strong> {code(line)}</li>'
        for weight, line in lines
    )
    tone = "#1a7f4b" if report.ready else _TONES["lost"]
    html = (
        f'<div style="border-left:4px solid {tone};padding:.5em .9em;margin:.3em 0;background:rgba(127,127,127,.09);'
        f'border-radius:4px;line-height:1.45"><div><strong>{escape(head)}</strong></div>'
        f'<ul style="margin:.3em 0;padding-left:.2em;list-style:none">{items}</ul>'
        + "".join(f"<div><small>{code(line)}</small></div>" for line in measured)
        + ("" if written else f"<div>{code(step)}</div>")
        + "</div>"
    )
    return Panel("\n".join(text), html)
