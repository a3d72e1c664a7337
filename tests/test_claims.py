"""The ledger of claims: every verdict is the expected one, and docs/claims.md says what the computations say."""

from __future__ import annotations

import doctest
import re

import pytest

from grader.claims import compare, entry, page
from grader.claims.ledger import LEDGER, SOURCES
from grader.claims.place import heading

pytestmark = pytest.mark.xdist_group("claims")  # all entries are computed once


@pytest.fixture(scope="module")
def findings() -> dict[str, entry.Finding]:
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
            assert heading(place), claim.id


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
