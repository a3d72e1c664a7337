"""`docs/claims.md`: the ledger as a page, and whether a page that was written earlier still says the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import zip_longest
from typing import Any, get_args

from embedding_course.subject.lessons import lesson
from grader.paths import ROOT, SOLUTIONS

from .entry import Claim, Measured, Place, Verdict
from .ledger import LEDGER, SOURCES

__all__ = ["PAGE", "heading", "listed", "out_of_step", "page", "recompute"]

PAGE = ROOT / "docs" / "claims.md"

_INTRODUCTION = """\
# The ledger of claims

This course grew out of five tutorials in Chinese. Before anything in them was taught, it was computed. Here is what they claim
in our words and, between quotation marks, in theirs (with the heading there), what came out, and where a learner meets it.
What none of them says stands under “beyond”, as a common belief or a constructed bug. Every line is a small program in
`claims/`; `make claims` runs them all and writes this page, and `python -m claims S4.size-of-the-table` runs one.

**How a verdict comes about.** Nobody types it. A computation tries the claim in one or several circumstances (optimizers,
sizes, dtypes, ways of calling). If it held in all of them, it *holds*; in some, it *holds with a condition*; in none, it is
*wrong*. Which circumstances to try is a choice, and it can be read in the program.
"""

_LIMITS = """\
## What the computations do not decide

* **Times.** Lookups in a large table are slower, though the count of steps is the same. Seconds depend on the machine, so the
  ledger counts operations and bytes; notebook 01 holds the clock to it.
* **Token ids** were recorded once with tiktoken and the published ranks, which have to be fetched from the network. Here they
  are tested against the bytes of the text, and the ids of single bytes are derived again.
* **S3's example** is recomputed from the weights that it prints. It calls its logits an example (例如), so nobody knows whether
  they were meant to follow from them; that they do not is what the ledger says.
* **S4's ids** for 狗很可爱 are an example too, one of them introduced by 假设 (suppose). The ledger warns whoever takes them
  for real.
* **What stands in papers.** That the Transformer paper of 2017 has no comparison of adding with concatenating, and that the
  size of the commercial model in S4 is unpublished, is known from reading; so are the sizes of BERT, GPT-3, Llama 2 and T5.
* **Code as printed** was shortened to the lines that matter, and written anew in our words. S4's encoder was tried one layer
  deep and 256 numbers wide.
* **A rule, tried on other data.** What S4 says a commercial model loses when its vectors are cut, and what S2 says of width,
  was tried on our own small models. That shows whether it is a rule, and not what those models do.
"""


def recompute(claims: tuple[Claim, ...] = LEDGER) -> dict[str, Measured]:
    """Compute every entry again; return the findings by id."""
    return {claim.id: claim.recompute() for claim in claims}


def listed(findings: Mapping[str, Measured], chosen: tuple[Claim, ...] = LEDGER) -> list[dict[str, Any]]:
    """Return the entries as plain data: the claim, its place in the source, the verdict, and where a learner meets it."""
    return [
        {
            "id": claim.id,
            "source": claim.source,
            "says": claim.says,
            "heading": claim.quote.heading if claim.quote else "",
            "quote": claim.quote.words if claim.quote else "",
            "translation": claim.quote.translation if claim.quote else "",
            "verdict": findings[claim.id].verdict,
            "notebook": claim.places[0].number,
            "cell": claim.places[0].key,
            "places": [{"notebook": place.number, "cell": place.key} for place in claim.places],
        }
        for claim in chosen
    ]


def page(findings: Mapping[str, Measured]) -> str:
    """Return the page that these findings make."""
    parts = [_INTRODUCTION, _summary(findings)]
    for source, what in SOURCES.items():
        parts.append(f"## {_title(source, what)}\n\n{_table(source, findings)}")
    return "\n".join([*parts, _LIMITS])


def _title(source: str, what: str) -> str:
    return f"{source}: {what}" if source.startswith("S") else f"{what[0].upper()}{what[1:]}"


def _summary(findings: Mapping[str, Measured]) -> str:
    verdicts = get_args(Verdict)
    lines = ["| source | " + " | ".join(verdicts) + " | |", "|---|" + "---:|" * (len(verdicts) + 1)]
    for source in (*SOURCES, "all"):
        mine = [findings[claim.id].verdict for claim in LEDGER if source in (claim.source, "all")]
        counts = [mine.count(verdict) for verdict in verdicts]
        lines.append(f"| {source} | {' | '.join(map(str, counts))} | {len(mine)} |")
    return "\n".join(lines) + "\n"


def _table(source: str, findings: Mapping[str, Measured]) -> str:
    lines = ["| claim | computed | verdict | notebook |", "|---|---|---|---|"]
    for claim in LEDGER:
        if claim.source == source:
            finding = findings[claim.id]
            verdict = f"**{finding.verdict}**" + (f": {_cell(finding.truth)}" if finding.truth else "")
            computed = _cell(finding.computed) + (" *(These numbers vary with versions.)*" if claim.varies else "")
            claim_cell = f"{_cell(claim.says)}{_quote(claim)}<br>`{claim.id}`"
            lines.append(f"| {claim_cell} | {computed} | {verdict} | {_link(claim.places)} |")
    return "\n".join(lines) + "\n"


def _quote(claim: Claim) -> str:
    """Return the source's own words below the claim, letter by letter, with their heading."""
    if claim.quote is None:
        return ""
    meaning = f" ({_escaped(claim.quote.translation)})" if claim.quote.translation else ""
    return f"<br>“{_escaped(claim.quote.words)}”{meaning}, *{_escaped(claim.quote.heading)}*"


def _cell(text: str) -> str:
    """Return our own text for a table, with 58 % for 58% and 1e-7 for 1e-07."""
    return _escaped(re.sub(r"(?<=\de-)0(?=\d)", "", re.sub(r"(?<=\d)%", " %", text)))


def _escaped(text: str) -> str:
    """Return the text with escapes for what would end a column or begin a formula."""
    return text.replace("|", "\\|").replace("$", "\\$")


_CELL = re.compile(r'^# %%.*?\b(?:key|exercise)="([^"]+)"', re.MULTILINE)
_HEADING = re.compile(r"^# (#{2,3}) (.+)$", re.MULTILINE)


@cache
def _headings(topic: str) -> dict[str, str]:
    """Return for each cell's key the last heading in it, or else that of its section."""
    text = (SOLUTIONS / topic / "lesson.py").read_text(encoding="utf-8")
    section, headings, cells = "Beginning", {}, list(_CELL.finditer(text))
    for cell, after in zip(cells, [*cells[1:], None], strict=True):
        own = _HEADING.findall(text[cell.end() : after.start() if after else len(text)])
        section = next((title for level, title in reversed(own) if level == "##"), section)
        headings[cell[1]] = own[-1][1] if own else section
    return headings


def heading(place: Place) -> str:
    """Return the heading of a cell or of its section.

    Raises
    ------
    KeyError
        If no cell has that key.
    """
    return _headings(lesson(place.number).topic)[place.key]


def _link(places: tuple[Place, ...]) -> str:
    """Return the notebook and its headings, one for each place; several places under one heading are named once."""
    lines = []
    for number in dict.fromkeys(place.number for place in places):
        mine = [place for place in places if place.number == number]
        topic = lesson(number).topic
        headings = "; ".join(dict.fromkeys(map(heading, mine)))
        lines.append(f"[{number}](../notebooks/{topic}/{topic}.ipynb): {headings}")
    return "<br>".join(lines)


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?|\.\d+")


def out_of_step(written: str, fresh: str) -> list[str]:
    """Return the lines of two pages that differ by more than rounding.

    A line that only the old page has is named as such. Where numbers vary with versions, only the words are compared.
    """
    varying = [f"`{claim.id}`" for claim in LEDGER if claim.varies]
    differing = []
    for old, new in zip_longest(written.splitlines(), fresh.splitlines(), fillvalue=""):
        same = _NUMBER.sub("#", old) == _NUMBER.sub("#", new)
        if same and not any(name in new for name in varying):
            same = all(map(_near, _NUMBER.findall(old), _NUMBER.findall(new)))
        if not same:
            differing.append(new or f"no longer there: {old}")
    return differing


def _near(old: str, new: str) -> bool:
    """Return whether whole numbers are equal, and others within 2 % or two units of their last place."""
    if old == new:
        return True
    if "." not in old or "." not in new:
        return False
    old_number, new_number = (float(text.replace(",", "")) for text in (old, new))
    last = 10.0 ** -len(old.split("e")[0].split(".")[1]) * (10.0 ** int(old.split("e")[1]) if "e" in old else 1)
    return abs(old_number - new_number) <= max(0.02 * abs(old_number), 2.01 * last)
