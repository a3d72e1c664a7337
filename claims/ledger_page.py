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

This course grew out of five tutorials in Chinese. The ledger lists claims of theirs that the lessons touch, and tests each of
them by a computation. An entry gives the claim in our words and in theirs (with the heading), the result, the verdict, and the
notebook. The list is a choice: it does not hold every sentence of the five. Claims that none of them makes stand under
“beyond”. Each entry is a small program in `claims/`. `make claims` runs all of them and writes this page;
`python -m claims S4.size-of-the-table` runs one.

**How a verdict comes about.** A computation tries the claim in one or several circumstances, such as optimizers, sizes or
models. If the claim held in all of them, it *holds*; in some, it *holds with a condition*; in none, it is *wrong*. The program
counts this. Which circumstances to try is our choice, and you can read it in the program.
"""

_LIMITS = """\
## What the computations do not decide

* **Times.** A lookup in a large table is slower, though it takes the same number of steps. Seconds depend on the machine. So
  the ledger counts operations and bytes, and notebook 01 measures the time.
* **Token ids** were recorded once with tiktoken and the published ranks, which have to be fetched from the network. Here they
  are compared with the bytes of the text, and the ids of single bytes are derived again.
* **MiniLM** is a published model that need not be installed. What its heads and layers look at was recorded once; a test
  measures it again where the model is installed.
* **S3's example** is recomputed from the weights that it prints. S3 calls its logits an example (例如). They may not have been
  meant to follow from the weights; the ledger says only that they do not.
* **S4's ids** for 狗很可爱 are an example too, and one of them is introduced by 假设 (suppose). The ledger says only that no
  tokenizer gives them.
* **Statistics without a source.** S2 writes “据统计,截至2023年,全球已有超过80%的顶级NLP模型基于Transformer架构构建” (by
  statistics, in 2023 more than 80 % of the world's top NLP models were built on the Transformer architecture, *2.1
  Transformer的历史背景与发展*). It names no statistics and does not say what a top model is, so there is nothing to compute.
* **From papers** we know by reading: that the Transformer paper of 2017 has no comparison of adding with
  concatenating; that the sizes of text-embedding-3-small and GPT-3.5, which S4 gives, are unpublished; the sizes and batches of
  BERT, GPT-2, GPT-3, Llama, T5, XLM-R, GloVe, word2vec and ResNet.
* **Code as printed** was shortened to the lines that matter and written anew. S4's encoder was tried one layer deep and 256
  numbers wide.
* **A rule, tried on other data.** What S4 says a commercial model loses when its vectors are cut, and what S2 says of width,
  we tried on our own small models. That shows whether the rule is general. It does not show what those models do.
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
