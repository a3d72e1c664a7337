"""`python -m benchmarks.marking`: mark 300 written answers in the page of `grader mark`, and count beside formgrader.

A class is made and graded, and a real JupyterLab serves the page and formgrader from the same gradebook. Times are seconds by
the clock; requests and keys are counted. `--write` puts the section into docs/benchmarks.md.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from embedding_course.files import atomic_write
from grader.cli.platform_needed import needs_linux
from grader.paths import ROOT

from .benchmarks_page import with_section

TITLE = "## Marking written answers"
TOPIC, CELL = "03_max_norm", "reflection-answer"
_REPEATS = 5
#: Sentences of which answers are made, for each part of the question of 03.
_PARTS = (
    (
        "The lookup clips the row and Adam moves it afterwards.",
        "Saved rows may be longer than 1 because the optimizer steps after the clip.",
        "Nothing guarantees a short table: rows that are never looked up are never clipped.",
        "查表时才裁剪，优化器之后又移动了这一行。",
        "It is proved, since max_norm=1.0 is set on the layer.",
        "I am not sure about the rows.",
    ),
    (
        "Evaluation clips the rows that it reads, even under no_grad.",
        "In eval mode the first lookup still writes to the weight.",
        "The table stays as it is in eval mode.",
        "评估时第一次查表也会修改权重。",
        "Two evaluations gave the same numbers, so nothing changed.",
    ),
    (
        "I would look at embedding.weight.norm(dim=1).max().",
        "Copy the table before, evaluate, and compare with torch.equal.",
        "I would train again with another seed.",
        "先复制一份表，评估之后再用 torch.equal 比较。",
        "",
    ),
)


def made_up_answers(many: int, seed: int = 0) -> list[str]:
    """Return answers as a class might write them: some alike, some of their own, one in twelve blank.

    Examples
    --------
    >>> answers = made_up_answers(300)
    >>> len(answers), sum(not answer for answer in answers)
    (300, 25)
    """
    draw = random.Random(seed)
    answers = []
    for number in range(many):
        if number % 12 == 11:
            answers.append("")
            continue
        # Low numbers are drawn more often: most of a class says one of a few things.
        chosen = [part[min(int(draw.expovariate(0.7)), len(part) - 1)] for part in _PARTS]
        text = " ".join(sentence for sentence in chosen if sentence)
        answers.append(draw.choice((text, text.lower(), text.replace(". ", "; "), f"{text} That is what I think.")))
    return answers


@dataclass(frozen=True)
class Measured:
    """What one run found; times in seconds, counts for all answers."""

    answers: int
    groups: int
    load: float
    first_load: float
    formgrader_list: float
    formgrader_answer: float
    keys: int
    requests: int
    keys_to_field: int

    @property
    def formgrader_keys(self) -> int:
        """Return the fewest keys in formgrader: to the field once, then one digit and Ctrl-. for each answer."""
        return self.keys_to_field + 2 * self.answers


def make_class(home: Path, many: int) -> None:
    """Make a class whose answers to the written question are made up, and grade it."""
    from typer.testing import CliRunner

    from grader.classroom import new_class
    from grader.cli import app
    from tests.support.classes import hand_in, perfect

    new_class.make_class(home)
    for number, text in enumerate(made_up_answers(many)):
        notebook = perfect(TOPIC)
        for cell in notebook.cells:
            if cell.cell_type == "markdown" and cell.metadata.get("nbgrader", {}).get("solution"):
                cell.source = text
        hand_in(home, f"student-{number:03d}", notebook, TOPIC)
    outcome = CliRunner().invoke(app, ["grade", TOPIC[:2], "--class", str(home)])
    if outcome.exit_code:
        raise SystemExit(outcome.output)


@contextmanager
def opened(home: Path, folder: Path) -> Iterator[tuple[Any, Any]]:
    """Serve the class in a JupyterLab and open a browser: yield both."""
    from tests.support.browser import browser, serve

    words = ('--ServerApp.jpserver_extensions={"grader.marking.written": True}', f"--MarkingApp.class_folder={home}")
    for name in ("server", "browser"):
        (folder / name).mkdir()
    with serve(home, folder / "server", *words) as site, browser(folder / "browser") as driver:
        yield site, driver


def seconds(addresses: Sequence[str]) -> list[float]:
    """Return how long each address takes until its whole answer is here."""
    taken = []
    for address in addresses:
        start = time.perf_counter()
        with urllib.request.urlopen(address) as reply:
            reply.read()
        taken.append(time.perf_counter() - start)
    return taken


#: How many answers the group of the current one has, by the list at the left.
_ALIKE = """
const rows = [...document.querySelector('#list').children];
let start = rows.findIndex((row) => row.getAttribute('aria-current') === 'true'), end = start;
while (rows[start - 1]?.tagName === 'BUTTON') start -= 1;
while (rows[end + 1]?.tagName === 'BUTTON') end += 1;
return end - start + 1;
"""
_DRAWN = """
const chosen = document.querySelector('#list [aria-current=true]'), drawn = document.querySelector('article.current');
return chosen && drawn && chosen.firstChild.textContent === drawn.dataset.student;
"""
_AT_END = "return scrollY + innerHeight >= document.documentElement.scrollHeight - 2"
_REQUESTS = "return performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/api/')).length"


def mark_by_groups(driver: Any) -> tuple[int, int]:
    """Mark all answers with the keys of the page, and return the number of keys and of requests.

    A group is shown whole and scrolled to its end before it is marked. Answers get one item, and blank ones none.
    """
    from selenium.webdriver.common.keys import Keys

    from tests.support.browser import until

    keys = 0
    driver.execute_script("performance.setResourceTimingBufferSize(10000)")

    def press(*chord: str) -> None:
        nonlocal keys
        driver.find_element("css selector", "body").send_keys(*chord)
        keys += 1

    def progress() -> tuple[int, int]:
        words = driver.find_element("css selector", "#progress").text.split()
        return int(words[0]), int(words[2])

    before, many = progress()
    while before < many:
        until(driver, lambda _: driver.execute_script(_DRAWN), "the next answer")
        alike = int(driver.execute_script(_ALIKE))
        if alike > 1:
            press("g")
            until(driver, lambda _, alike=alike: len(driver.find_elements("css selector", "article")) == alike, "the group")
            while not driver.execute_script(_AT_END):
                press(Keys.SPACE)
                time.sleep(0.4)  # the page scrolls smoothly, and notes what was on the screen
        if "(no answer)" not in driver.find_element("css selector", "article.current .text").text:
            press("1")
        press(Keys.SHIFT, Keys.ENTER) if alike > 1 else press(Keys.ENTER)
        wanted = before + alike
        until(driver, lambda _, wanted=wanted: progress()[0] == wanted, "the marks")
        before = wanted
    return keys, int(driver.execute_script(_REQUESTS))


def keys_to_field(driver: Any, site: Any) -> int:
    """Return how often Tab has to be pressed in formgrader until the field of the written answer's points is reached."""
    from selenium.webdriver.common.keys import Keys

    from tests.support.formgrader_page import Formgrader

    driver.get(site.at("grader-mark"))  # logs in: a page of formgrader alone would not
    pages = Formgrader(driver, site)
    pages.open(f"gradebook/{TOPIC}/{TOPIC}", "#main-table td a")
    pages.open_marked("needs manual grade")
    field = pages.cell(CELL).find_element("css selector", ".score")
    for pressed in range(200):
        if driver.switch_to.active_element == field:
            return pressed
        driver.switch_to.active_element.send_keys(Keys.TAB)
    raise SystemExit("formgrader's field was not reached by 200 tabs")


def measure(home: Path, folder: Path) -> Measured:
    """Measure a class that is graded."""
    from tests.support.browser import until

    with opened(home, folder) as (site, driver):
        ours = f"{site.url}grader-mark/api/question?topic={TOPIC}&cell={CELL}&token={site.token}"
        listing = f"{site.url}formgrader/api/submitted_notebooks/{TOPIC}/{TOPIC}?token={site.token}"
        first = seconds([ours])[0]
        with urllib.request.urlopen(ours) as reply:
            answers = json.load(reply)["answers"]
        with urllib.request.urlopen(listing) as reply:
            submissions = [row["id"] for row in json.load(reply) if row["id"]]
        pages = [f"{site.url}formgrader/submissions/{name}/?token={site.token}" for name in submissions[:_REPEATS]]
        times = [median(seconds(addresses)) for addresses in ([ours] * _REPEATS, [listing] * _REPEATS, pages)]
        tabs = keys_to_field(driver, site)
        driver.get(site.at("grader-mark"))
        until(driver, lambda _: driver.find_elements("css selector", "article.current"), "the first answer")
        keys, requests = mark_by_groups(driver)
    groups = len({answer["group"] for answer in answers})
    return Measured(len(answers), groups, times[0], first, times[1], times[2], keys, requests, tabs)


def section(found: Measured) -> str:
    """Return what was found, as a section of docs/benchmarks.md."""
    many = found.answers
    return f"""{TITLE}

Made by `python -m benchmarks.marking --write`: {many} made-up answers to the written question of 03, many of them alike, in
{found.groups} groups. A script marked all of them with the keys of `grader mark`'s page in a real browser, and scrolled through
each group before marking it. Formgrader is counted at its best: one digit and Ctrl-. for each answer, without a comment.

| | `grader mark` | formgrader |
|---|---:|---:|
| keys for {many} answers | {found.keys} | {found.formgrader_keys} |
| pages loaded | 1 | {many} |
| requests to the server, besides pages | {found.requests} | at least {3 * many} |
| seconds until the list is there | {found.load:.2f}, with all answers | {found.formgrader_list:.2f}, without an answer |
| seconds for the next answer | 0 | {found.formgrader_answer:.2f} |

The list with all answers takes **{found.load / found.formgrader_list:.2f} times** as long as formgrader's list without them,
and {found.first_load:.2f} s when a server that has just started reads and groups the answers for the first time. In formgrader
each answer is a page of its own, which asks for points and comments, and each mark is sent alone. If no two answers were alike,
both would need two keys for each.
"""


def main(
    answers: Annotated[int, typer.Option(min=2, help="How many answers.")] = 300,
    write: Annotated[bool, typer.Option("--write", help="Write the section into docs/benchmarks.md.")] = False,
) -> None:
    """Make a class, mark all its written answers in a browser, and say how long it took and how many keys."""
    needs_linux()
    with tempfile.TemporaryDirectory(prefix="grader-marking-") as name:
        home, folder = Path(name) / "class", Path(name) / "state"
        for made in (home, folder):
            made.mkdir()
        make_class(home, answers)
        text = section(measure(home, folder))
    typer.echo(text)
    if write:
        path = ROOT / "docs" / "benchmarks.md"
        page = with_section(path.read_text(encoding="utf-8"), text)
        atomic_write(path, page.encode("utf-8"))
        typer.echo("Written to docs/benchmarks.md.")


if __name__ == "__main__":
    typer.run(main)
