"""Glossary and ledger open by a call, from the package alone, and no notebook has a link that is dead without a checkout."""

import re
from pathlib import Path

import nbformat
import pytest

from claims.ledger import LEDGER
from embedding_course import CourseError, glossary, ledger
from embedding_course.learner.glossary import claims, terms
from embedding_course.subject.course import course
from embedding_course.subject.lessons import topics
from grader.authoring.build import packed_pages
from grader.course_source.start_here import NAME
from grader.paths import NOTEBOOKS, ROOT

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition("## Words of the house")[0]
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| term ")]


def test_the_packed_pages_follow_from_those_in_docs() -> None:
    assert {path.name for path in packed_pages()} == {"glossary.md", "claims.md"}
    for path, body in packed_pages().items():
        assert path.parent == course().home and path.read_bytes() == body, "run grader build"
        assert "](" not in re.sub(r"`[^`]*`|“[^”]*”", "", body.decode()), "no link in what is shown anywhere"
    assert "fork server" not in " ".join(term.term for term in terms()), "words that are only ours stay with us"


def test_every_line_of_both_pages_is_read() -> None:
    assert len(terms()) == len(ROWS) > 90
    assert {claim.id for claim in claims()} == {claim.id for claim in LEDGER}
    assert all(claim.says and claim.computed and claim.verdict and claim.places for claim in claims())


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.term)
def test_a_word_is_found_in_either_language_and_by_its_abbreviation(term, capsys: pytest.CaptureFixture) -> None:
    short = re.findall(r"\(([A-Za-z]+)\)", term.term)
    for word in (term.term, term.chinese, term.term.upper(), term.term.replace("-", " "), *term.term.split(", "), *short):
        glossary(word)
        assert term.meaning in capsys.readouterr().out, word


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("perplexty", "perplexity"),
        ("attension", "attention"),
        ("困惑", "perplexity"),
        ("gradient descent", "gradient"),
        ("encoding", "positional encoding"),
        ("zzzzzz", "no word is near it"),
        ("", "glossary()"),
        (3, "glossary()"),
    ],
)
def test_an_unknown_word_gets_the_nearest(word: str, near: str) -> None:
    with pytest.raises(CourseError, match=r"The glossary has no") as error:
        glossary(word)
    assert near in str(error.value) and "\n" not in str(error.value)


def test_plural_and_singular_are_one_word(capsys: pytest.CaptureFixture) -> None:
    for word in ("embeddings", "logit"):
        glossary(word)
    assert "embedding · 嵌入" in capsys.readouterr().out


def test_all_words_and_all_claims_are_listed(capsys: pytest.CaptureFixture) -> None:
    glossary()
    listed = capsys.readouterr().out
    assert all(term.chinese in listed for term in terms())
    ledger()
    assert "S1" in capsys.readouterr().out


def test_the_ledger_by_claim_source_and_notebook(capsys: pytest.CaptureFixture) -> None:
    ledger("s1.Memory-saved-by-lookup")
    output = capsys.readouterr().out
    assert "holds with a condition: For a word" in output and "内存节省" in output and "60,000,000 bytes" in output
    ledger("S5")
    assert capsys.readouterr().out.count("S5.") == 1 + sum(claim.source == "S5" for claim in LEDGER)
    for number in ("06", "6", 6):
        ledger(number)
        output = capsys.readouterr().out
        for claim in LEDGER:
            assert (f"{claim.id} " in output) is ("06" in {place.number for place in claim.places}), claim.id
    with pytest.raises(CourseError, match=r"did you mean S4\.size-of-the-table"):
        ledger("S4.size-of-table")


_LINK = re.compile(
    r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)|<(?:a|img)[^>]+(?:href|src)=[\"']([^\"']+)|^\[[^\]]+\]:\s*(\S+)",
    re.M,
)


def links(path: Path) -> list[str]:
    """The targets of all links and pictures in a notebook's text; code is no text."""
    cells = nbformat.read(path, as_version=4).cells
    prose = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    prose = re.sub(r"^(```|~~~).*?^\1|`[^`\n]*`|\$[^$]*\$", "", prose, flags=re.MULTILINE | re.DOTALL)
    return [next(filter(None, groups)) for groups in _LINK.findall(prose)]


def test_the_walk_sees_links() -> None:
    assert [next(filter(None, groups)) for groups in _LINK.findall("[a [b]](x.md) ![c](y.png) <a href='z'>\n[d]: w")] == [
        "x.md",
        "y.png",
        "z",
        "w",
    ]


@pytest.mark.parametrize("topic", [NAME, *topics()])
def test_no_link_of_a_notebook_is_dead_where_it_is_alone(topic: str) -> None:
    """What a link leads to must be in the notebook itself or on the web: a notebook on Colab has nothing beside it."""
    path = NOTEBOOKS / topic / f"{topic}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    attached = {name for cell in cells for name in cell.get("attachments", {})}
    for target in links(path):
        assert re.match(r"https?://", target) or target.removeprefix("attachment:") in attached, target
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert "docs/" not in text and "solutions/" not in text, "no path that only a checkout has"


@pytest.mark.parametrize("topic", topics())
def test_what_a_notebook_says_to_call_can_be_called(topic: str, capsys: pytest.CaptureFixture) -> None:
    cells = nbformat.read(NOTEBOOKS / topic / f"{topic}.ipynb", as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    calls = re.findall(r'`(glossary|ledger)\("([^"]+)"\)`', text)
    assert {("glossary", "嵌入"), ("ledger", topic[:2])} <= set(calls)
    for name, argument in calls:
        (glossary if name == "glossary" else ledger)(argument)
        assert capsys.readouterr().out
    imports = next(cell.source for cell in cells if cell.id == "imports")
    assert re.search(r"import [^)]*\bglossary\b[^)]*\bledger\b", imports)
