"""`docs/claims.md`: the ledger as a page, and whether a page that was written earlier still says the same."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import zip_longest
from typing import get_args

from ..paths import ROOT
from .entry import Claim, Finding, Verdict
from .ledger import LEDGER, SOURCES
from .place import link

__all__ = ["PAGE", "out_of_step", "page", "recompute"]

PAGE = ROOT / "docs" / "claims.md"

_INTRODUCTION = """\
# The ledger of claims

This course grew out of five tutorials in Chinese. Before anything in them was taught, it was computed. Here is what they claim
(in our words), what came out, and where a learner meets it. Every line is a small program in `grader/claims/`; `make claims`
runs them all and writes this page, and `grader claims S4.size-of-the-table` runs one.

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
* **S3's matrices** are not repeated. Ours were chosen to lead to what a recomputation of its example gave, so for its sums, its
  logits and its predicted word the ledger shows each step from there. Its tanh and its softmax are tested on its own printed
  numbers. It prints a second row of chances, which was found to be off as well; that row is not on record here.
* **What stands in papers.** That the Transformer paper of 2017 has no comparison of adding with concatenating, and that the
  size of the commercial model in S4 is unpublished, is known from reading.
* **Code as printed** was shortened to the lines that matter, and written anew. Where a tutorial's own lines differ in detail
  (the experts, the quantiser, the prompt search of S1), what is tested is the property that was found wrong.
"""


def recompute(claims: tuple[Claim, ...] = LEDGER) -> dict[str, Finding]:
    """Every entry's finding, by its id."""
    return {claim.id: claim.recompute() for claim in claims}


def page(findings: Mapping[str, Finding]) -> str:
    """The page that these findings make."""
    parts = [_INTRODUCTION, _summary(findings)]
    for source, what in SOURCES.items():
        parts.append(f"## {_title(source, what)}\n\n{_table(source, findings)}")
    return "\n".join([*parts, _LIMITS])


def _title(source: str, what: str) -> str:
    return f"{source}: {what}" if source.startswith("S") else f"{what[0].upper()}{what[1:]}"


def _summary(findings: Mapping[str, Finding]) -> str:
    verdicts = get_args(Verdict)
    lines = ["| source | " + " | ".join(verdicts) + " | |", "|---|" + "---:|" * (len(verdicts) + 1)]
    for source in (*SOURCES, "all"):
        mine = [findings[claim.id].verdict for claim in LEDGER if source in (claim.source, "all")]
        counts = [mine.count(verdict) for verdict in verdicts]
        lines.append(f"| {source} | {' | '.join(map(str, counts))} | {len(mine)} |")
    return "\n".join(lines) + "\n"


def _table(source: str, findings: Mapping[str, Finding]) -> str:
    lines = ["| claim | computed | verdict | notebook |", "|---|---|---|---|"]
    for claim in LEDGER:
        if claim.source == source:
            finding = findings[claim.id]
            verdict = f"**{finding.verdict}**" + (f": {_cell(finding.truth)}" if finding.truth else "")
            computed = _cell(finding.computed) + (" *(These numbers vary with versions.)*" if claim.varies else "")
            lines.append(f"| {_cell(claim.says)}<br>`{claim.id}` | {computed} | {verdict} | {link(claim.places)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Text that stays text in a table: no column ends in it, and dollars begin no formula. Also: 58 %, and 1e-7 for 1e-07."""
    text = re.sub(r"(?<=\de-)0(?=\d)", "", re.sub(r"(?<=\d)%", " %", text))
    return text.replace("|", "\\|").replace("$", "\\$")


_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?|\.\d+")


def out_of_step(written: str, fresh: str) -> list[str]:
    """Lines of the two pages that differ by more than rounding: what the fresh one says, or what the old one had left over.

    Where numbers vary with versions, only the words are compared.
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
    """Whole numbers must be equal; others within 2 %, or two units of their last place."""
    if old == new:
        return True
    if "." not in old or "." not in new:
        return False
    one, other = (float(text.replace(",", "")) for text in (old, new))
    last = 10.0 ** -len(old.split("e")[0].split(".")[1]) * (10.0 ** int(old.split("e")[1]) if "e" in old else 1)
    return abs(one - other) <= max(0.02 * abs(one), 2.01 * last)
