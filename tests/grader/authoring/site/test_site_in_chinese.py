"""The Chinese pages of the site: what they are made of, and where their links lead. Sphinx is not needed."""

import re
from pathlib import Path

import pytest
from nbformat.v4 import new_output

from embedding_course.exercises import find_exercise
from embedding_course.learner.glossary import terms
from embedding_course.messages import in_language
from embedding_course.subject.lessons import topics
from grader.authoring.site.chinese_search import words
from grader.authoring.site.edition import EDITIONS, other_edition
from grader.authoring.site.first_page import first_page
from grader.authoring.site.glossary_page import HEADINGS, LEFT_OUT, PAGE, anchor, glossary_page
from grader.authoring.site.lesson_page import lesson_page, typical
from grader.authoring.site.links import Elsewhere, mended
from grader.authoring.site.make_site import make_site
from grader.authoring.site.pages import documents, pages_of, write_documents
from grader.authoring.site.switch import address
from grader.authoring.translations import LANGUAGES
from grader.course_source.notebook import release, source
from grader.course_source.setting import Setting
from grader.paths import ROOT
from tests.support.static_site import broken_links

TOPIC = "03_max_norm"
PAGES = pages_of(topics(), "zh")
ENGLISH_PAGES = Elsewhere(pages_of(topics()), "../")


def test_each_language_of_the_course_has_an_edition() -> None:
    assert set(EDITIONS) == {"en", *LANGUAGES}
    assert [EDITIONS[code].sphinx for code in LANGUAGES] == list(LANGUAGES.values())
    assert other_edition(EDITIONS["zh"], ["zh", "en"]) is EDITIONS["en"] and other_edition(EDITIONS["zh"], ["zh"]) is None


@pytest.mark.parametrize(
    ("text", "home", "wanted"),
    [
        ("[a](../exercises.md#01one_hot)", "docs/zh/formulas.md", '<a href="../../docs/exercises.html#01one_hot">a</a>'),
        ("[a](installing.md#gpu)", "docs/zh/for_students.md", "[a](installing.md#gpu)"),
        (f"[a](../../notebooks/zh/{TOPIC}/{TOPIC}.ipynb)", "docs/zh/formulas.md", f"[a](../notebooks/{TOPIC}/{TOPIC}.ipynb)"),
        ("[a](../glossary.md#text-and-ids)", f"notebooks/{TOPIC}/{TOPIC}.ipynb", "[a](../../docs/glossary.md#文本与-id)"),
        ("[`a`](docs/teaching.md)", "index.md", '<a href="../docs/teaching.html">`a`</a>'),
        ("[a](README.md)", "docs/zh/installing.md", "[a](../index.md)"),
        ("[a](../../LICENSE)", "docs/zh/installing.md", "a"),
        ("[a](#gpu)", "docs/zh/installing.md", "[a](#gpu)"),
    ],
)
def test_links_lead_to_chinese_pages_else_to_english_ones(text: str, home: str, wanted: str) -> None:
    with in_language("zh"):
        assert mended(text, home, PAGES, Setting(), elsewhere=ENGLISH_PAGES) == wanted


def test_alone_the_chinese_pages_have_words_in_place_of_links_to_english_ones() -> None:
    with in_language("zh"):
        assert mended("[a](../exercises.md)", "docs/zh/formulas.md", PAGES, Setting()) == "a"


@pytest.mark.parametrize(
    ("page", "folder", "wanted"),
    [
        ("index", "zh/", "zh/index.html"),
        ("docs/glossary", "zh/", "../zh/docs/glossary.html"),
        ("docs/glossary", "../", "../../docs/glossary.html"),
        ("docs/teaching", "zh/", "../zh/index.html"),
    ],
)
def test_the_switch_leads_to_the_same_page(page: str, folder: str, wanted: str) -> None:
    assert address(page, folder, ["index", "docs/glossary"]) == wanted


def test_the_glossary_has_every_term_chinese_first() -> None:
    lines = glossary_page().splitlines()
    english = (ROOT / PAGE).read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", english, re.MULTILINE) == [*HEADINGS, LEFT_OUT]
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == list(HEADINGS.values())
    rows = [line.split(" | ") for line in lines if line.startswith("| ") and not line.startswith("| 中文")]
    assert [(row[0].removeprefix("| "), row[1]) for row in rows] == [(term.chinese, term.term) for term in terms()]
    assert [row for row in rows if not re.search(r"[\u4e00-\u9fff]", row[2])] == []


def test_anchors_of_the_glossary_are_those_of_its_chinese_headings() -> None:
    assert anchor("attention-and-sentences") == "注意力与句子" and anchor("elsewhere") == "elsewhere"


def test_the_first_page_is_chinese_and_leads_to_all_pages() -> None:
    with in_language("zh"):
        text = first_page(topics(), Setting(), ENGLISH_PAGES)
    assert "[独热与查表](notebooks/01_onehot_vs_lookup/01_onehot_vs_lookup.ipynb) | 词怎样变成数字？" in text
    assert all(path.replace("docs/zh/", "docs/").removesuffix(".md") in text for path in documents("zh"))
    assert all(f"notebooks/{topic}/{topic}.ipynb" in text for topic in topics())
    assert '<a href="../docs/teaching.html">' in text and "docs/zh" not in text and "{" not in text.partition("```")[0]


def test_the_documents_are_written_without_a_second_switch(tmp_path: Path) -> None:
    with in_language("zh"):
        write_documents(tmp_path, PAGES, Setting(), "zh", ENGLISH_PAGES)
    written = {path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.md")}
    assert set(written) == {"docs/glossary.md", "docs/formulas.md", "docs/installing.md", "docs/for_students.md"}
    assert not [name for name, text in written.items() if "[English](" in text or "English</a>" in text]
    assert "独热与查表" in "".join((tmp_path / "docs/img/course_map.svg").read_text(encoding="utf-8").split())


def test_a_lesson_s_page_is_chinese(tmp_path: Path) -> None:
    guess = new_output("display_data", {"text/html": "<p>答案：1。（没有记录你的猜测；先猜一猜更有意思。）</p>"})
    with in_language("zh"):
        verdicts = {"03-renorm-rows-check": typical(find_exercise("03.renorm_rows"))}
        released = release(source(TOPIC, Setting()))
        made = lesson_page(released, {"five-rows-lookup": [guess]}, verdicts, TOPIC, tmp_path, PAGES, Setting(), ENGLISH_PAGES)
    cell_by_id = {cell.id: cell for cell in made.cells}
    assert "下载这个笔记本 <../../downloads/03_max_norm.ipynb>" in made.cells[1].source
    shown = cell_by_id["five-rows-lookup"].outputs[0].data["text/html"]
    assert shown == "<details><summary>答案</summary><p>1</p></details>"
    assert "还不对" in cell_by_id["03-renorm-rows-check-typical"].source
    assert "raise NotImplementedError()" in cell_by_id["03-renorm-rows"].source
    assert 'set_language("zh")' in cell_by_id["setup"].source and "tags" in cell_by_id["setup"].metadata


def test_the_search_takes_chinese_apart() -> None:
    assert words("多头注意力 multi_head 3 个") == ["多头", "头注", "注意", "意力", "multi_head", "3", "个"]


@pytest.mark.slow
def test_a_site_in_chinese_alone_has_no_switch_and_no_broken_link(tmp_path: Path) -> None:
    for name in ("sphinx", "myst_nb", "furo"):
        pytest.importorskip(name, reason="the site's packages are not installed: pip install -e .[site]")
    steps: list[str] = []
    first = make_site(tmp_path / "site", [], setting=Setting(), announce=steps.append, languages=["zh"])
    assert first == tmp_path / "site" / "zh" / "index.html" and steps == ["ran 00_start_here (zh)"]
    assert broken_links(tmp_path / "site") == []
    text = (first.parent / "notebooks" / "00_start_here" / "00_start_here.html").read_text(encoding="utf-8")
    assert '<html class="no-js" lang="zh-CN"' in text and 'class="switch' not in text
    assert "下载这个笔记本" in text and "回到顶部" in text
