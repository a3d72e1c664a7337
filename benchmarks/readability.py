"""`python -m benchmarks.readability [NN …]`: measure how the lessons read: sentence lengths, Flesch's ease, private words.

Markdown of `solutions/NN_topic/lesson.py` is read without code, formulas, tables and quotes. pysbd cuts it into sentences and
textstat computes Flesch's reading ease. Words that `PRIVATE` lists are counted where a word of the field should stand.
`--sentences K` shows the K longest sentences of each lesson, and `--ref REV` measures an older version.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import jupytext
import textstat

from grader.paths import ROOT, SOLUTIONS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pysbd

#: Words and turns that `plain words` replaces by those of the field, as patterns.
PRIVATE = (
    r"seldom", r"whoever", r"nobody", r"oftener", r"one's", r"other than(?! the)", r"in earnest", r"so many", r"of no use",
    r"twins?", r"goes uphill", r"peaks?", r"holes?", r"bear the name", r"held to", r"in its hands", r"as it stands",
    r"which is why", r"for (?:\w+ )?this reason", r"as well as not", r"told apart", r"comes? to rest", r"seen from",
)  # fmt: skip
_DROPPED = (
    r"<details>|</details>|</?summary>|</?\w+[^>]*>", r"(?ms)^```.*?^```", r"(?m)^\|.*$", r"(?m)^>.*$", r"\$\$[\s\S]*?\$\$",
)  # fmt: skip


class Readability(NamedTuple):
    """Hold what was measured of one text."""

    words: int
    median: float
    tenth: float
    ease: float
    private: int


def prose(lesson: str) -> Iterator[str]:
    """Yield paragraphs and list items of a lesson's source, without headings, code, formulas, tables and quotes."""
    for cell in jupytext.reads(lesson, fmt="py:percent").cells:
        if cell.cell_type != "markdown":
            continue
        text = cell.source
        for pattern in _DROPPED:
            text = re.sub(pattern, "\n", text)
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
        text = re.sub(r"\$[^$\n]+\$|`[^`\n]+`", "x", text)
        text = re.sub(r"[*_]{1,2}([^*_\n]+)[*_]{1,2}", r"\1", text)
        for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
            block = re.sub(r"^\s*(?:[-*]|\d+\.) ", "", " ".join(block.split()))
            if block and not block.startswith("#"):
                yield block


def sentences(lesson: str) -> list[str]:
    """Return the sentences of a lesson's source."""
    segmenter = pysbd.Segmenter(language="en", clean=False)
    return [sentence.strip() for block in prose(lesson) for sentence in segmenter.segment(block) if re.search(r"\w", sentence)]


def measure(parts: list[str]) -> Readability:
    """Measure sentences: their median length, the length that a tenth of them exceeds, Flesch's ease and private words."""
    lengths = [len(part.split()) for part in parts]
    text = " ".join(parts)
    private = sum(len(re.findall(rf"\b{word}\b", text, re.IGNORECASE)) for word in PRIVATE)
    tenth = statistics.quantiles(lengths, n=10)[-1]
    return Readability(sum(lengths), statistics.median(lengths), tenth, textstat.textstat.flesch_reading_ease(text), private)


def _source(topic: str, revision: str | None) -> str:
    path = next(SOLUTIONS.joinpath(topic).glob("[ls]*.py"))
    if revision is None:
        return path.read_text(encoding="utf-8")
    command = ["git", "-C", str(ROOT), "show", f"{revision}:{path.relative_to(ROOT)}"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def main() -> None:
    """Print a line for each lesson."""
    parser = argparse.ArgumentParser(description="Measure how the lessons read.")
    parser.add_argument("lessons", nargs="*", help="numbers of lessons, all where none is given")
    parser.add_argument("--ref", help="a revision of git, in place of the files as they are")
    parser.add_argument("--sentences", type=int, default=0, help="show this many of the longest sentences")
    options = parser.parse_args()
    print(f"{'lesson':24} {'words':>6} {'median':>7} {'tenth':>6} {'ease':>5} {'private':>8}")
    for folder in sorted(SOLUTIONS.glob("[01]*_*")):
        if options.lessons and folder.name[:2] not in options.lessons:
            continue
        parts = sentences(_source(folder.name, options.ref))
        row = measure(parts)
        print(f"{folder.name:24} {row.words:6,} {row.median:7.0f} {row.tenth:6.0f} {row.ease:5.0f} {row.private:8}")
        for sentence in sorted(parts, key=lambda part: -len(part.split()))[: options.sentences]:
            print(f"    {len(sentence.split()):3} {sentence}")
        if options.sentences:
            for sentence in parts:
                if any(re.search(rf"\b{word}\b", sentence, re.IGNORECASE) for word in PRIVATE):
                    print(f"      ! {sentence}")


if __name__ == "__main__":
    main()
