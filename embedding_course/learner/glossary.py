"""`glossary` and `ledger`: the words of the field, and the claims that were computed again, read from pages in the package."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from ..checking.render import Panel, code, show_panel, table_panel
from ..subject.course import course
from ..subject.errors import CourseError, closest

__all__ = ["GLOSSARY", "LEDGER", "Claim", "Term", "claims", "glossary", "ledger", "terms"]

#: The pages in a course's package, written by `grader build` from those of the same names in `docs/`.
GLOSSARY, LEDGER = "glossary.md", "claims.md"


class Term(NamedTuple):
    """A line of the glossary: English and Chinese term, what it means, and the notebooks where it is first used."""

    term: str
    chinese: str
    meaning: str
    notebooks: str

    @property
    def names(self) -> set[str]:
        """All that somebody may type for it: each of several words, an abbreviation in brackets, either language."""
        parts = [part for text in (self.term, self.chinese) for part in re.split(r"[,，]\s*|\s*[()（）]\s*", text)]
        return {_key(part) for part in (self.term, self.chinese, *parts) if part.strip()}


class Claim(NamedTuple):
    """A line of the ledger: its id, what is claimed (with the source's own words), what we computed, the verdict, and where
    a notebook is about it."""

    id: str
    says: str
    computed: str
    verdict: str
    places: str


def glossary(word: str | None = None) -> None:
    """Explain a word of the field, given in English or Chinese. Without a word, list all.

    CourseError names the nearest words where there is none of that name.

    >>> glossary("困惑度")
    perplexity · 困惑度 · notebook 04
      exp of the cross-entropy: the model is as uncertain as if it chose among so many equally probable words
    perplexity (of t-SNE) · 困惑度 · notebook 10
      about how many neighbours each point is given
    """
    entries = terms()
    if word is None:
        show_panel(table_panel(["word", "中文", "notebook"], [[one.term, one.chinese, one.notebooks] for one in entries]))
        return
    wanted = _key(str(word))
    found = [one for one in entries if {wanted, wanted.removesuffix("s"), f"{wanted}s"} & one.names]
    if not found:
        inside = [one.term for one in entries if len(wanted) > 1 and any(wanted in name for name in one.names)]
        near = f"did you mean {', '.join(inside[:5])}?" if inside else closest(wanted, _spellings(entries))
        if not near.startswith("did you mean"):
            near = "no word is near it."
        raise CourseError(f"The glossary has no {word!r}: {near} `glossary()` lists all words.")
    _show([([one.term, one.chinese, _at(one.notebooks)], [one.meaning]) for one in found])


def ledger(which: str | None = None) -> None:
    """Show claims of the tutorials that the course grew out of, and what came out when we computed them.

    `which` is a claim ("S4.size-of-the-table"), a source ("S4"), or a notebook ("04"). Without it, list the sources.
    CourseError names the nearest claims where there is none of that name.
    """
    entries = claims()
    if which is None:
        counts = Counter((one.id.partition(".")[0], one.verdict.partition(":")[0]) for one in entries)
        rows = [[source, verdict, str(count)] for (source, verdict), count in counts.items()]
        foot = '`ledger("S4")` lists the claims of a source, `ledger("04")` those that notebook 04 is about.'
        show_panel(table_panel(["source", "verdict", "claims"], rows, foot))
        return
    wanted = str(which).strip()
    single = [one for one in entries if one.id.casefold() == wanted.casefold()]
    if single:
        _show(
            [
                ([one.id, one.verdict], [one.says, one.computed, "Notebook " + "; ".join(one.places.split("\n"))])
                for one in single
            ]
        )
        return
    number = wanted.zfill(2) if wanted.isdecimal() else ""
    several = [one for one in entries if number in _numbers(one.places) or one.id.partition(".")[0] == wanted]
    if not several:
        raise CourseError(f"The ledger has no {which!r}: {closest(wanted, [one.id for one in entries])}")
    rows = [[one.id, one.says.partition("\n")[0], one.verdict.partition(":")[0]] for one in several]
    show_panel(table_panel(["claim", "says", "verdict"], rows, f'`ledger("{several[0].id}")` shows one of them in full.'))


def terms() -> list[Term]:
    """Return all lines of the glossary. CourseError where this course has none."""
    return [Term(*row) for row in _rows(GLOSSARY) if len(row) == len(Term._fields) and row[0] != "term"]


def claims() -> list[Claim]:
    """Return all lines of the ledger. CourseError where this course has none."""
    found: list[Claim] = []
    for row in _rows(LEDGER):
        says, _, name = row[0].rpartition("\n")
        if len(row) == 4 and says:
            found.append(Claim(name.strip("`"), says, row[1], row[2].replace("**", ""), row[3]))
    return found


def _rows(page: str) -> list[list[str]]:
    """Return the rows of a page's tables, cell by cell; a bar or a dollar that was escaped is a plain one again."""
    path = course().home / page
    if not path.exists():
        raise CourseError(f"This course has no {page.removesuffix('.md')}.")
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
    return [[re.sub(r"\\([|$])", r"\1", cell).replace("<br>", "\n") for cell in row] for row in cells]


def _key(text: str) -> str:
    """Return a word as it is compared: without case, hyphens and brackets."""
    return " ".join(re.sub(r"[-_()（）]", " ", text.casefold()).split())


def _spellings(entries: list[Term]) -> list[str]:
    """Return what the nearest words are looked for among: each name as the page writes it."""
    parts = [part for one in entries for text in (one.term, one.chinese) for part in re.split(r"[,，]\s*|\s*\(|\)", text)]
    return [part for part in dict.fromkeys(parts) if part]


def _at(numbers: str) -> str:
    return f"notebook{'s' if ',' in numbers else ''} {numbers}"


def _numbers(places: str) -> set[str]:
    """Return the notebooks that a claim is met in: the page names each by its number and a heading."""
    return set(re.findall(r"^(\d\d):", places, re.MULTILINE))


def _show(parts: list[tuple[list[str], list[str]]]) -> None:
    """Show a heading and some lines for each entry."""
    text, html = [], []
    for head, lines in parts:
        lines = [line for entry in lines for line in entry.split("\n") if line]
        text += [" · ".join(head), *(f"  {line}" for line in lines)]
        html.append(f"<p><strong>{_rich(' · '.join(head))}</strong><br>{'<br>'.join(map(_rich, lines))}</p>")
    show_panel(Panel("\n".join(text), "".join(html)))


def _rich(text: str) -> str:
    """Return text as HTML, with code in backquotes and words between stars in italics."""
    return re.sub(r"\*([^*\s<>][^*<>]*)\*", r"<em>\1</em>", code(text))
