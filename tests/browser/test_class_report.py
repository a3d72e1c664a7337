"""The class report of forty students in a real browser: on two sheets of paper, on a phone, and with long and Chinese names."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from embedding_course.exercises import exercises_of
from grader.classroom import records
from grader.report.class_page import write_report
from tests.support.browser import browser, shoot
from tests.support.report_records import TOPIC, autograded, record, result, share_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.xdist_group("report_in_browser")

EXERCISES = [exercise.id for exercise in exercises_of(TOPIC)]
NAMES = [f"s{number:02d}" for number in range(37)] + ["小明", "欧阳娜娜", "n" * 60]


def _code(name: str, kind: int) -> str:
    lines = "".join(f"    step_{step} = weight * {kind} + {step}  # a line of the usual length\n" for step in range(8))
    return f"def {name.split('.')[1]}(weight, ids=None, max_norm=2.0):\n{lines}    return weight\n"


def _class(home: Path) -> None:
    """Forty students, three mistakes that many share, three unexplained answers that several gave, everybody's earlier work."""
    for number, name in enumerate(NAMES):
        kind = number % 4
        verdicts = [
            result(
                exercise,
                float((number + turn) % 3 == 0),
                "columns" if kind == 0 and turn < 3 else None,
                computed=f"{kind:012x}",
            )
            for turn, exercise in enumerate(EXERCISES)
        ]
        records.save(home, record(name, verdicts if number > 4 else [result(exercise, 0.0) for exercise in EXERCISES]), None)
        records.save(home, share_of(name, 0.9, "01_onehot_vs_lookup", graded_at="2026-02-01T10:00:00+00:00"), None)
        autograded(home, name, {exercise: _code(exercise, kind) for exercise in EXERCISES})


@pytest.fixture
def page(tmp_path: Path) -> Path:
    _class(tmp_path / "class")
    return write_report(tmp_path / "class")


@pytest.fixture
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with browser(tmp_path_factory.mktemp("browser")) as chrome:
        yield chrome


@pytest.mark.slow
def test_it_prints_on_two_pages_and_fits_a_phone(driver: Chrome, page: Path) -> None:
    driver.get(page.as_uri())
    printed = driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
    assert len(re.findall(rb"/Type\s*/Page[^s]", base64.b64decode(printed["data"]))) == 2
    shoot(driver, "class-report")
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
    assert driver.execute_script("return document.documentElement.scrollWidth") == 390
    shoot(driver, "class-report-phone")
