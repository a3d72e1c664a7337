"""The ledger of claims: every verdict is the expected one, and docs/claims.md says what the computations say."""

import doctest
import re
import unicodedata

import pytest

from claims import agreement as compare
from claims import entry
from claims import ledger_page as page
from claims.ledger import LEDGER, SOURCES
from embedding_course.subject.lessons import LESSONS
from grader.paths import SOLUTIONS

pytestmark = pytest.mark.xdist_group("claims")  # all entries are computed once


@pytest.fixture(scope="module")
def findings() -> dict[str, entry.Measured]:
    return page.recompute()


@pytest.fixture(scope="module")
def fresh(findings) -> str:
    return page.page(findings)


@pytest.mark.parametrize("claim", LEDGER, ids=lambda claim: claim.id)
def test_the_computation_decides_as_expected(claim: entry.Claim, findings) -> None:
    finding = findings[claim.id]
    assert finding.verdict == claim.expected, finding.computed
    assert finding.computed and (finding.truth or finding.verdict == entry.HOLDS), "a condition or a truth must be told"
    assert finding.verdict != entry.HOLDS or not finding.truth


def test_the_page_is_in_step(fresh) -> None:
    """Numbers within rounding; where they vary with versions, the words alone."""
    assert page.out_of_step(page.PAGE.read_text(encoding="utf-8"), fresh) == []


def test_every_entry_has_an_id_of_its_own_a_source_and_a_place() -> None:
    assert len({claim.id for claim in LEDGER}) == len(LEDGER)
    for claim in LEDGER:
        assert claim.source in SOURCES and claim.places
        for place in claim.places:
            assert page.heading(place), claim.id


def test_what_a_source_is_said_to_say_is_quoted_from_it() -> None:
    """The ledger's promise: a claim is quoted or it is not theirs. Some 25 words at most, and never a second line."""
    for claim in LEDGER:
        if claim.source not in ("S1", "S2", "S3", "S4", "S5"):
            assert claim.quote is None, claim.id
            continue
        assert claim.quote is not None and claim.quote.heading and claim.quote.words, claim.id
        words = re.findall(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+", claim.quote.words)
        assert len(words) <= 50 and "\n" not in claim.quote.words, claim.id
        chinese = re.search(r"[\u3400-\u9fff]", claim.quote.words)
        assert bool(chinese) <= bool(claim.quote.translation), f"{claim.id}: a translation is missing"


def bare(text: str) -> str:
    """The characters that count: without white space, Markdown's marks and the width of punctuation."""
    return re.sub(r"[\s\\*_`#>|$]+", "", unicodedata.normalize("NFKC", text)).casefold()


QUOTE = re.compile(r"(?P<words>[“`].+?[”`]) \((?:.*; )?(?P<source>S[1-5]), “(?P<heading>.+)”\)")


def quotes_of(text: str) -> list[re.Match[str]]:
    """The block quotes of a lesson that name a source."""
    blocks = re.findall(r"(?:^# > .*\n)+", text, re.MULTILINE)
    matches = [QUOTE.fullmatch(" ".join(line.removeprefix("# > ") for line in block.splitlines())) for block in blocks]
    return [quote for quote in matches if quote]


@pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if lesson.written], ids=lambda lesson: lesson.topic)
def test_what_a_lesson_quotes_is_in_the_ledger(lesson) -> None:
    """Which is held against the sources themselves, so that no lesson puts words into their mouths."""
    known = [(claim.source, claim.quote) for claim in LEDGER if claim.quote]
    for quote in quotes_of((SOLUTIONS / lesson.topic / "lesson.py").read_text(encoding="utf-8")):
        there = [
            bare(known_quote.words)
            for source, known_quote in known
            if source == quote["source"] and bare(known_quote.heading) == bare(quote["heading"])
        ]
        for part in re.split(r"…|\.\.\.", quote["words"]):
            wanted = bare(part.strip(" “”`"))
            assert any(wanted in words for words in there), f"{quote['source']}, {quote['heading']}: {part}"


def test_a_quote_in_a_lesson_is_found() -> None:
    (quote,) = quotes_of('# > “不同层 x” (*different\n# > layers*; S1, “5.4 "MoE" (a)”)\n#\n# text\n# > no source\n')
    assert (quote["words"], quote["source"], quote["heading"]) == ("“不同层 x”", "S1", '5.4 "MoE" (a)')


def test_the_entries_as_plain_data_say_where_each_stands(findings) -> None:
    entries = page.listed(findings)
    assert [entry["id"] for entry in entries] == [claim.id for claim in LEDGER]
    assert all(entry["verdict"] and entry["notebook"] and entry["cell"] for entry in entries)
    assert all(entry["quote"] and entry["heading"] for entry in entries if entry["source"].startswith("S"))


def test_a_table_stays_a_table(fresh) -> None:
    widths = {
        len(re.findall(r"(?<!\\)\|", line)) for line in fresh.splitlines() if line.startswith("| ") and "`<br>" not in line
    }
    assert widths == {5, 6}  # the tables of claims, and the summary


def test_the_verdict_is_counted() -> None:
    assert entry.found({"a": True, "b": True}, "").verdict == entry.HOLDS
    assert entry.found({"a": True, "b": False}, "").verdict == entry.CONDITION
    assert entry.found({"a": False, "b": False}, "").verdict == entry.WRONG
    assert entry.found({}, "").verdict == entry.WRONG


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("loss 0.640", "loss 0.641", True),
        ("loss 0.64", "loss 0.72", False),
        ("14 tokens", "15 tokens", False),
        ("153,993,216", "154,793,216", False),
        ("4.56e-07", "4.57e-07", True),
        ("it holds 0.64", "it fails 0.64", False),
    ],
)
def test_rounding_is_forgiven_and_nothing_else(old: str, new: str, same: bool) -> None:
    assert (page.out_of_step(old, new) == []) is same


def test_a_line_too_many_is_noticed(fresh) -> None:
    assert page.out_of_step(fresh + "| one more |\n", fresh) == ["no longer there: | one more |"]


@pytest.mark.parametrize("module", [compare, entry])
def test_the_examples_in_the_docstrings_are_true(module) -> None:
    assert doctest.testmod(module).failed == 0
