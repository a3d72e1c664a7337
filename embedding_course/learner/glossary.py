"""Show the glossary of terms and the ledger of recomputed claims, read from pages in the package."""

import re
from collections import Counter
from typing import NamedTuple

from ..checking.render import Panel, code, show_panel, table_panel
from ..messages import COMMA, Listing, Message, edition, translate
from ..subject.course import course
from ..subject.errors import CourseError, closest, nearest
from ..subject.lessons import LESSONS

#: The pages in a course's package, written by `grader build` from those of the same names in `docs/`.
GLOSSARY, LEDGER = "glossary.md", "claims.md"


class Term(NamedTuple):
    """Hold a row of the glossary: English and Chinese term, explanation, and the notebooks where it is first used."""

    term: str
    chinese: str
    meaning: str
    notebooks: str

    @property
    def names(self) -> set[str]:
        """Return all spellings that a learner may type: each of several words, an abbreviation in brackets, either language."""
        parts = [part for text in (self.term, self.chinese) for part in re.split(r"[,，]\s*|\s*[()（）]\s*", text)]
        return {_key(part) for part in (self.term, self.chinese, *parts) if part.strip()}


class Claim(NamedTuple):
    """Hold a row of the ledger: id, claim (in the words of its source), our result, verdict, and the notebooks about it."""

    id: str
    says: str
    computed: str
    verdict: str
    places: str


def glossary(word: str | None = None) -> None:
    """Explain a term of the field, or list all terms.

    Parameters
    ----------
    word : str or None, optional
        The term in English or Chinese; without it all terms are listed.

    Raises
    ------
    CourseError
        If there is no such term; the message names the most similar ones.

    Examples
    --------
    >>> glossary("困惑度")
    perplexity · 困惑度 · notebook 04
      exp of the cross-entropy: the model is as uncertain as if it chose among so many equally probable words
    perplexity (of t-SNE) · 困惑度 · notebook 10
      about how many neighbours each point is given
    """
    entries = terms()
    if word is None:
        rows = [[*_first(term.term, term.chinese), term.notebooks] for term in entries]
        show_panel(table_panel([*_first("English", "中文"), Message("notebook")], rows))
        return
    wanted = _key(str(word))
    matches = [term for term in entries if {wanted, wanted.removesuffix("s"), f"{wanted}s"} & term.names]
    if not matches:
        near = _similar(wanted, entries)
        message = Message("The glossary has no {word}: no word is near it. `glossary()` lists all words.", word=repr(word))
        if near:
            message = Message(
                "The glossary has no {word}: did you mean {names}? `glossary()` lists all words.", **message.slots
            )
        raise CourseError(message.fill(names=Listing(near, COMMA)))
    _show(
        [([*_first(term.term, term.chinese), _notebook_label(term.notebooks)], [translate(term.meaning)]) for term in matches]
    )


def _first(english: str, chinese: str) -> list[str]:
    """Return both names, first that of the language in use."""
    return [chinese, english] if edition() == "zh" else [english, chinese]


def _similar(wanted: str, entries: list[Term]) -> list[str]:
    """Return the names that hold a word, or else those that are spelt most like it, as `_suggested` shows them."""
    inside = [_suggested(term, term.term) for term in entries if len(wanted) > 1 and any(wanted in name for name in term.names)]
    owners = {spelling: term for term in reversed(entries) for spelling in _spellings([term])}
    near = [_suggested(owners[spelling], spelling) for spelling in nearest(wanted, _spellings(entries))]
    return inside[:5] or list(dict.fromkeys(near))


def _suggested(term: Term, spelling: str) -> str:
    """Return a spelling of a term, and in Chinese the Chinese name, with the English one in brackets."""
    return f"{term.chinese.split('，')[0]}（{term.term}）" if edition() == "zh" else spelling


def ledger(which: str | None = None) -> None:
    """Show claims of the tutorials on which the course is based, and the results of recomputing them.

    Parameters
    ----------
    which : str or None, optional
        A claim ("S4.size-of-the-table"), a source ("S4"), or a notebook ("04"). Without it, list the sources.

    Raises
    ------
    CourseError
        If there is no such claim; the message names the most similar ones.
    """
    entries = claims()
    if which is None:
        counts = Counter((claim.id.partition(".")[0], claim.verdict.partition(":")[0]) for claim in entries)
        rows = [[source, translate(verdict), str(count)] for (source, verdict), count in counts.items()]
        foot = Message('`ledger("S4")` lists the claims of a source, `ledger("04")` those that notebook 04 is about.')
        show_panel(table_panel([Message("source"), Message("verdict"), Message("claims")], rows, foot))
        return
    wanted = str(which).strip()
    single = [claim for claim in entries if claim.id.casefold() == wanted.casefold()]
    if single:
        places = [str(Message("Notebook {places}", places=_places(claim))) for claim in single]
        _show(
            [
                ([claim.id, translate(claim.verdict)], [translate(claim.says), translate(claim.computed), where])
                for claim, where in zip(single, places, strict=True)
            ]
        )
        return
    number = wanted.zfill(2) if wanted.isdecimal() else ""
    several = [claim for claim in entries if number in _numbers(claim.places) or claim.id.partition(".")[0] == wanted]
    if not several and any(entry.number == number for entry in LESSONS):
        foot = Message("No claim of the sources is about notebook {number}.", number=number)
        show_panel(table_panel([Message("source"), Message("verdict"), Message("claims")], [], foot))
        return
    if not several:
        message = Message("The ledger has no {claim}: {closest}", claim=repr(which))
        raise CourseError(message.fill(closest=closest(wanted, [claim.id for claim in entries])))
    rows = [
        [claim.id, translate(claim.says).partition("\n")[0], translate(claim.verdict.partition(":")[0])] for claim in several
    ]
    foot = Message('`ledger("{claim}")` shows one of them in full.', claim=several[0].id)
    show_panel(table_panel([Message("claim"), Message("says"), Message("verdict")], rows, foot))


def _places(claim: Claim) -> str | Listing:
    """Return the notebooks that a claim refers to: with the sections, whose headings are English, or by their numbers alone."""
    if edition() == "zh":
        return Listing(sorted(_numbers(claim.places)), COMMA)
    return "; ".join(claim.places.split("\n"))


def terms() -> list[Term]:
    """Return all rows of the glossary. Raise CourseError if this course has none."""
    return [Term(*row) for row in _rows(GLOSSARY) if len(row) == len(Term._fields) and row[0] != "term"]


def claims() -> list[Claim]:
    """Return all rows of the ledger. Raise CourseError if this course has none."""
    rows: list[Claim] = []
    for row in _rows(LEDGER):
        says, _, name = row[0].rpartition("\n")
        if len(row) == 4 and says:
            rows.append(Claim(name.strip("`"), says, row[1], row[2].replace("**", ""), row[3]))
    return rows


def _rows(page: str) -> list[list[str]]:
    """Return the rows of a page's tables, cell by cell; escaped bars and dollar signs are unescaped."""
    path = course().home / page
    if not path.exists():
        raise CourseError(Message("This course has no {page}.", page=page.removesuffix(".md")))
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in rows]
    return [[re.sub(r"\\([|$])", r"\1", cell).replace("<br>", "\n") for cell in row] for row in cells]


def _key(text: str) -> str:
    """Return a word in the form in which words are compared: without case, hyphens and brackets."""
    return " ".join(re.sub(r"[-_()（）]", " ", text.casefold()).split())


def _spellings(entries: list[Term]) -> list[str]:
    """Return each name as the page writes it, for the search of similar words."""
    parts = [part for term in entries for text in (term.term, term.chinese) for part in re.split(r"[,，]\s*|\s*\(|\)", text)]
    return [part for part in dict.fromkeys(parts) if part]


def _notebook_label(numbers: str) -> str:
    label = Message("notebooks {numbers}") if "," in numbers else Message("notebook {numbers}")
    return str(label.fill(numbers=numbers))


def _numbers(references: str) -> set[str]:
    """Return the numbers of the notebooks that a claim refers to."""
    return set(re.findall(r"^(\d\d):", references, re.MULTILINE))


def _show(parts: list[tuple[list[str], list[str]]]) -> None:
    """Show a heading and some lines for each item."""
    text, html = [], []
    for head, lines in parts:
        lines = [line for paragraph in lines for line in paragraph.split("\n") if line]
        text += [" · ".join(head), *(f"  {line}" for line in lines)]
        html.append(f"<p><strong>{_rich(' · '.join(head))}</strong><br>{'<br>'.join(map(_rich, lines))}</p>")
    show_panel(Panel("\n".join(text), "".join(html)))


def _rich(text: str) -> str:
    """Return text as HTML, with code in backquotes and words between stars in italics."""
    return re.sub(r"\*([^*\s<>][^*<>]*)\*", r"<em>\1</em>", code(text))
