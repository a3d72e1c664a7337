"""The site as readers have it: built by Sphinx, walked through in Chromium on a wide screen and on a phone."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from embedding_course.subject.lessons import topics
from grader.authoring.site.make_site import SETTINGS, SiteFailed, make_site, run_sphinx
from grader.authoring.site.policy import POLICY
from grader.paths import SOLUTIONS
from tests.support.answers import leaks, statements
from tests.support.browser import browser, shoot, until
from tests.support.static_site import broken_links, handed_out, pictures_without_words, words

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("site_walk")]

TOPIC = "03_max_norm"
LESSON = f"notebooks/{TOPIC}/{TOPIC}.html"
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}


def needs_sphinx() -> None:
    for name in ("sphinx", "myst_nb", "furo"):
        pytest.importorskip(name, reason="the site's packages are not installed: pip install -e .[site]")


def built(folder: Path, chosen: list[str]) -> Path:
    needs_sphinx()
    return make_site(folder / "site", chosen).parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site with one lesson."""
    return built(tmp_path_factory.mktemp("site"), [TOPIC])


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with handed_out(site) as url:
        yield url


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with browser(tmp_path_factory.mktemp("browser")) as chrome:
        yield chrome


def answers_in(site: Path) -> list[str]:
    leaked = []
    for path in sorted(site.rglob("*")):
        if path.suffix in (".html", ".js", ".ipynb", ".txt", ".svg"):
            text = path.read_text(encoding="utf-8")
            leaked += leaks(path.name, (words(text) if path.suffix == ".html" else text).encode("utf-8"))
    return leaked


def pages(site: Path) -> list[str]:
    return [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]


def walk(driver: Chrome, address: str, names: list[str]) -> dict[str, list[str]]:
    """Page -> what is wrong with it on a phone: sideways scrolling, errors, requests to others."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    driver.get_log("browser")
    faults: dict[str, list[str]] = {}
    for name in names:
        driver.get(address + name)
        driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")
        wide = driver.execute_script("return document.documentElement.scrollWidth")
        asked = driver.execute_script("return performance.getEntriesByType('resource').map(one => one.name)")
        wrong = [f"{wide} pixels wide"] if wide > PHONE["width"] else []
        wrong += [f"asked for {url}" for url in asked if not url.startswith((address, "data:"))]
        wrong += [entry["message"] for entry in driver.get_log("browser")]
        if wrong:
            faults[name] = wrong
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    return faults


def test_links_lead_somewhere_pictures_have_words_and_policies_are_there(site: Path) -> None:
    assert len(pages(site)) > 15
    assert broken_links(site) == []
    assert pictures_without_words(site) == []
    assert [page for page in pages(site) if POLICY not in (site / page).read_text(encoding="utf-8")] == []


def test_what_is_broken_ends_the_build(tmp_path: Path) -> None:
    needs_sphinx()
    shutil.copytree(SETTINGS, tmp_path / "pages")
    broken = r"[page](other.md), [place](#nowhere), ![picture](none.png), $\unknown{x}$"
    (tmp_path / "pages" / "index.md").write_text(f"# Title\n\n{broken} and $x_1$.\n", encoding="utf-8")
    with pytest.raises(SiteFailed) as failed:
        run_sphinx(tmp_path / "pages", tmp_path / "html", 1)
    warnings = [line for line in str(failed.value).splitlines() if "WARNING" in line]
    for word in ("other.md", "nowhere", "none.png", r"no formula that can be drawn: \unknown{x}"):
        assert [line for line in warnings if word in line], word
    assert len(warnings) == 4


def test_a_displayed_formula_may_stand_inside_a_paragraph(tmp_path: Path) -> None:
    """In JupyterLab it may; read otherwise, words would become formulas from there on."""
    needs_sphinx()
    shutil.copytree(SETTINGS, tmp_path / "pages")
    (tmp_path / "pages" / "index.md").write_text("# Title\n\nThe loss is\n$$L = y$$\nand $x$ is a number.\n", encoding="utf-8")
    run_sphinx(tmp_path / "pages", tmp_path / "html", 1)
    page = (tmp_path / "html" / "index.html").read_text(encoding="utf-8")
    assert page.count("<math") == 2 and '<div class="formula"><math' in page
    assert "is a number" in words(page) and "$" not in words(page[page.index("<article") : page.index("</article")])


def test_no_answer_is_in_it(site: Path) -> None:
    assert answers_in(site) == []


def test_an_answer_would_be_found(tmp_path: Path) -> None:
    """Set in colours, as Sphinx sets code."""
    statement = next(
        sentence for sentence, where in statements().items() if where.startswith("03_max_norm") and sentence in answer_text()
    )
    coloured = "".join(f"<span>{'&lt;' if sign == '<' else sign}</span>" for sign in statement)
    (tmp_path / "page.html").write_text(f"<pre>{coloured}</pre>", encoding="utf-8")
    assert answers_in(tmp_path)


def answer_text() -> str:
    return "\n".join(path.read_text(encoding="utf-8") for path in (SOLUTIONS / TOPIC / "reference").glob("*.py"))


def test_it_can_be_walked_on_a_phone(driver: Chrome, address: str, site: Path) -> None:
    assert walk(driver, address, pages(site)) == {}
    for name, shot in (("index.html", "first"), (LESSON, "lesson"), ("docs/claims.html", "ledger")):
        for narrow in (False, True):
            if narrow:
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
            driver.get(address + name)
            assert shoot(driver, f"site-{shot}{'-phone' if narrow else ''}").stat().st_size > 10_000
            driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_walk_sees_what_is_wrong(driver: Chrome, tmp_path: Path) -> None:
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"><link rel="icon" href="data:image/png,">'
    (tmp_path / "wide.html").write_text(f"{policy}<div style='width:900px'>wide</div>", encoding="utf-8")
    (tmp_path / "asks.html").write_text(f"{policy}<img src='http://127.0.0.1:9/x.png' alt='x'>", encoding="utf-8")
    (tmp_path / "breaks.html").write_text(f"{policy}<script>missing()</script>", encoding="utf-8")
    (tmp_path / "good.html").write_text(f"<meta name='viewport' content='width=device-width'>{policy}good", encoding="utf-8")
    with handed_out(tmp_path) as address:
        faults = walk(driver, address, pages(tmp_path))
    assert set(faults) == {"asks.html", "breaks.html", "wide.html"}
    assert broken_links(tmp_path) == ["asks.html: http://127.0.0.1:9/x.png"]


def test_the_search_finds_words_in_both_languages(driver: Chrome, address: str) -> None:
    script = "return [...document.querySelectorAll('#search-results li a')].map(one => one.textContent).join()"
    for asked in ("renormalisation", "注意力"):
        driver.get(f"{address}search.html?q={asked}")
        until(driver, lambda there: "Glossary" in there.execute_script(script), f"{asked} among what is found")


def test_a_reader_changes_the_language(driver: Chrome, address: str) -> None:
    driver.get(address + LESSON)
    driver.find_element("css selector", "a.switch").click()
    assert driver.current_url == f"{address}zh/{LESSON}"
    assert driver.execute_script("return document.documentElement.lang") == "zh-CN"
    assert "下载这个笔记本" in driver.find_element("tag name", "article").text
    driver.find_element("css selector", "a.switch").click()
    assert driver.current_url == address + LESSON
    driver.get(f"{address}docs/glossary.html?lang=zh")
    until(driver, lambda there: there.current_url == f"{address}zh/docs/glossary.html", "the Chinese page")
    assert driver.find_element("css selector", "article h1").text.startswith("术语表")


def test_the_search_in_chinese_finds_words_of_two_characters(driver: Chrome, address: str) -> None:
    script = "return document.getElementById('search-results').textContent"
    driver.get(f"{address}zh/search.html?q=掩码")
    until(driver, lambda there: "术语表" in there.execute_script(script), "the glossary among what is found")
    assert not [entry["message"] for entry in driver.get_log("browser")]


def test_a_reader_chooses_dark_or_light(driver: Chrome, address: str) -> None:
    driver.get(address + LESSON)
    grounds = set()
    for _ in range(3):
        grounds.add(driver.execute_script("return getComputedStyle(document.body).backgroundColor"))
        driver.execute_script("document.querySelector('.content-icon-container .theme-toggle').click()")
        time.sleep(0.1)
    assert len(grounds) == 2


@pytest.mark.long
def test_all_ten_lessons(tmp_path: Path, driver: Chrome) -> None:
    whole = built(tmp_path, topics())
    assert {f"notebooks/{topic}/{topic}.html" for topic in topics()} <= set(pages(whole))
    assert broken_links(whole) == [] and pictures_without_words(whole) == [] and answers_in(whole) == []
    with handed_out(whole) as address:
        assert walk(driver, address, pages(whole)) == {}
