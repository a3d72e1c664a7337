"""Written answers: what could run in them does not, in nbconvert's own page, in ours and in the file; honest ones stay."""

import re
import time
from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import markdown2html_mistune
from typer.testing import CliRunner

from grader.cli import app
from grader.engine.fork_server import Learners
from grader.feedback.text import as_html
from grader.submission.rebuild import KEY, rebuild
from grader.submission.written_answers import LEFT_OUT, MAX_CHARACTERS, defused
from tests.integrations.test_nbgrader import CONFIG, nbgrader
from tests.support.browser import browser
from tests.support.classes import TOPIC, hand_in, perfect
from tests.support.pages import active, has_policy, tags

PNG = "data:image/png;base64,iVBORw0KGgo="

HTML = [
    "<script>alert(1)</script>",
    "<SCRIPT\n>alert(1)",
    "a <svg onload=alert(1)>",
    "<svg/onload=alert(1)//",
    "<img src=x onerror=alert(1)>",
    "<img src='x'\nonerror='alert(1)'",
    "<iframe srcdoc='&lt;script>alert(1)&lt;/script>'></iframe>",
    "<object data='javascript:alert(1)'></object><embed src='//x'>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>",
    "<b onclick='alert(1)'>x</b> <b/onclick=alert(1)>",
    "<br onclick=alert(1)> <code\tid=x>",
    "<!-- a --><img src=x onerror=alert(1)> <![CDATA[<svg onload=alert(1)>]]> <?php <svg onload=alert(1)> ?>",
    "</p><base href='//evil.example'><link rel=stylesheet href='//evil.example'><style>*{display:none}</style>",
    "<form action='//evil.example'><input onfocus=alert(1) autofocus></form><meta http-equiv=refresh content='0;url=//x'>",
    "```mermaid\n<script>alert(1)</script>\n```",
    "~~~ mermaid\ngraph TD; click A href 'javascript:alert(1)'\n~~~",
    "<\x00script>alert(1)</script> <\x1b[0mscript>alert(1) <\u202escript>alert(1)",
    "$<img src=x onerror=alert(1)>$ $$<svg onload=alert(1)>$$",
    "\\text{<script>alert(1)</script>} $\\text{<img src=x onerror=alert(1)>}$",
    "<\\href><\\style>x</\\style> <\\\\data:x>",
]
LINKS = [
    "[x](javascript:alert(1))",
    "[x](  JaVaScRiPt:alert(1))",
    "[x](\njavascript:alert(1))",
    "[x](<javascript:alert(1)>)",
    "[x](< javascript:alert(1)>)",
    "[x](java\tscript:alert(1)) [x](java\nscript:alert(1)) [x](\x01javascript:alert(1))",
    "[x](javascript&colon;alert(1)) [x](javascript&#58;alert(1)) [x](javascript&#x3A;alert(1)) [x](javascript&#58alert(1))",
    "[x](&#106;avascript:alert(1)) [x](&#x6A;avascript:alert(1)) [x](java&Tab;script:a(1)) [x](java&NewLine;script:a(1))",
    "[x](javascript&amp;colon;alert(1)) [x](javascript&amp;#58;alert(1)) [x](&#000000000000106;avascript:alert(1))",
    "[x](javascript\\:alert(1)) [x](java\\script:alert(1)) [x](javascript%3Aalert(1))",
    "[x](" + " " * 500 + "javascript:alert(1)) [x](<" + "&Tab;" * 300 + "javascript:alert(1)>)",
    "[x](" + "\\" * 300 + "javascript:alert(1))",
    "[x](vbscript:a) [x](data:text/html,<script>alert(1)</script>) [x](file:///etc/passwd) [x](blob:x) [x](filesystem:x)",
    "[x](data:text/html;base64,PHNjcmlwdD4=) [x](" + PNG + ")",
    "[x][a]\n\n[a]: javascript:alert(1)",
    "[a]\n\n[a]:\n   javascript:alert(1)\n",
    "> [a]\n>\n> [a]:\n> javascript:alert(1)\n",
    "[a]\n\n   [A]: <javascript:alert(1)> 'title'\n",
    "[[x]](javascript:alert(1)) [![y](" + PNG + ")](javascript:alert(1)) [a [b](javascript:alert(1)) c](javascript:alert(1))",
    "[`](javascript:alert(1)) `](javascript:alert(1))",
    "[x\n](javascript:alert(1) 'title\n')",
    "<https://x/onload=alert(1)//> <https://x'onload=a> <javascript:alert(1)> <JAVASCRIPT:alert(1)> <data:text/html,x>",
    "[^1]\n\n[^1]: [x](javascript:alert(1))",
    "- [ ] [x](javascript:alert(1))\n- a\n\n      [x](javascript:alert(1))",
    "|[x](javascript:alert(1))|b|\n|-|-|\n|<svg onload=alert(1)>|[c](javascript:a)|",
]
PICTURES = [
    "![](https://evil.example/seen.png)",
    "![x](//evil.example/seen.png) ![x](/logout) ![x](../../logout) ![x](a/%2e%2e/%2e%2e/logout) ![x](\\\\evil.example\\a)",
    "!![a](https://evil.example/a.png) ![a ![b](x.png)](https://evil.example/a.png)",
    "![a][b] ![b] ![b][]\n\n[b]: https://evil.example/seen.png",
    "![`](a.png) `](https://evil.example/a.png) ![$](a.png) $](https://evil.example/a.png)",
    "![x]( <https://evil.example/a b.png> 'title')",
    "![x](data:image/svg+xml;base64,PHN2Zz4=) ![x](data:text/html,x) ![x](DATA:image/svg+xml,x)",
    "![x](attachment:a.svg)",
]
FORMULAS = [
    "$\\href{javascript:alert(1)}{x}$",
    "$$\\\\href{javascript:alert(1)}{x}$$",
    "$\\url{javascript:a}\\require{html}\\class{a}{b}\\cssId{toc}{x}\\style{position:fixed}{x}\\unicode{x41}$",
    "$\\htmlData{a=b}{x}\\htmlStyle{color:red}{x}\\data{a=b}{x}\\mmlToken{mi}[onclick='alert(1)']{x}$",
    "\\begin{equation}\\href{javascript:alert(1)}{x}\\end{equation}",
    "&#36;\\hr&#101;f{javascript:alert(1)}{x}&#36; &dollar;\\&#104;ref{javascript:alert(1)}{x}&dollar;",
    "$\\def\\frac{x}\\newcommand{\\sum}{y}\\let\\int\\href$",
]
AROUND = ("a `{}", "<b>\n{}", "$ {} $", "* {}", "[{}](b)", "![{}](b.png)", "<{}", "!{}", "\\{}", "{0}{0}", "]{}", "&{}")
HOSTILE = [*HTML, *LINKS, *PICTURES, *FORMULAS]

HONEST = [
    "",
    "The gradient of a row is the sum over its places.\r\n\r\nTwo *words*, **one** row.\n",
    "```python\nif a < b and x[0] > 3:\n    y = f[0](x)\nelse:\n    print('a: b')\n```\n",
    "Inline `a < b`, `x[i]`, and $x < y$, $$\\frac{a}{b} \\le \\sum_{i=1}^n \\hat{x}_i \\\\ \\text{softmax}(z)$$\n",
    "| a | b |\n|---|:-:|\n| 1 | $x_1$ |\n\n1. one\n2. two\n   - [x] three\n\n> quoted\n\n---\n# Heading\n",
    'See [the paper](https://arxiv.org/abs/1301.3781 "word2vec"), '
    "[me](mailto:ada@example.org), [above](#top), [file](notes.md#a:b).",
    "[1]: https://example.org/?a=1&period=2&copy=3\n[2]: <http://example.org> 'title'\n\n[one][1] <https://example.org/a#b>",
    f"![a map](figure.png) ![](figures/map-2.jpeg) ![x]({PNG})",
    "H<sub>2</sub>O, x<sup>2</sup>, <b>bold</b>, <kbd>Ctrl</kbd><br>next<br/>next<br />\n"
    "AT&amp;T &lt;s&gt; 3 &times; 4 &nbsp; 5 < 6 > 4",
    "因为嵌入层只是查表，所以没有出现的词的梯度为零：$\\nabla_E L = 0$。\n\n- 第一，`E[i] < 0`；\n- 第二，见[论文](https://arxiv.org/abs/1706.03762)。\n\n"
    "```python\nif a < b:\n    打印 = E[词]\n```\n\n| 词 | 频率 |\n|---|---|\n| 狗 | 3 |\n",
    "[注意]: 这里说的是方向，不是长度。 [x] (y)",
    "Emoji 👩‍🔬, Persian می‌خواهم, Hebrew שלום, tabs\tand café.",
]


def test_what_is_tried_here_is_active_as_it_came() -> None:
    """The yardstick has teeth: most of these run or fetch where nothing is done. The others only do so elsewhere."""
    raw = [text for text in HOSTILE if "attachment" not in text]
    assert sum(bool(active(markdown2html_mistune(text))) for text in raw) >= 40


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_it_is_active(text: str) -> None:
    safe = defused(text)
    for page in (markdown2html_mistune(safe), as_html(safe), as_html(text)):
        assert active(page) == []
    assert defused(safe) == safe, "a second time there is nothing left to do"


@pytest.mark.parametrize("text", HOSTILE)
def test_it_is_not_active_within_other_markdown(text: str) -> None:
    for around in AROUND:
        assert active(markdown2html_mistune(defused(around.format(text)))) == []


@pytest.mark.parametrize("text", FORMULAS)
def test_formulas_only_draw(text: str) -> None:
    shown = re.sub(r"<[^>]*>", "", markdown2html_mistune(defused(text)))
    assert not re.search(r"\\(href|url|require|class|cssId|style|data|unicode|html|mml|def|newcommand|let)", shown)


@pytest.mark.parametrize("text", HONEST)
def test_an_honest_answer_stays_as_it_was(text: str) -> None:
    assert defused(text) == text


def test_codes_and_reversed_text_go() -> None:
    assert defused("a\x1b[31mb\x1b]0;title\x07c\x07 \u202eabc\u2066d &#x202e;") == "abc abcd & #x202e;"


def test_a_very_long_answer_is_cut_and_says_so() -> None:
    assert defused("字" * MAX_CHARACTERS) == "字" * MAX_CHARACTERS
    assert defused("字" * (MAX_CHARACTERS + 1)) == "字" * MAX_CHARACTERS + LEFT_OUT


HARD = ["](", "](\\", "]: ", "![a](", "<", "&#", "$\\frac{", "{", "> ", "<sub>", "[", "\\\\[", "\x1b]", "\\"]


@pytest.mark.parametrize("piece", HARD)
def test_texts_made_to_be_hard_come_to_an_end(piece: str) -> None:
    begun = time.process_time()
    page = as_html(defused((piece * MAX_CHARACTERS)[: 2 * MAX_CHARACTERS]))
    assert time.process_time() - begun < 20 and active(page) == []


def _written(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The cell of the written answer."""
    marks = [(cell, cell.metadata.get("nbgrader", {})) for cell in notebook.cells]
    return next(cell for cell, mark in marks if mark.get("grade") and mark.get("solution"))


def test_only_the_text_of_a_cell_is_taken() -> None:
    notebook = perfect()
    cell = _written(notebook)
    cell.source = "I saw it: ![x](attachment:a.svg)"
    cell.attachments = {"a.svg": {"image/svg+xml": "PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+"}}
    cell.metadata["title"] = notebook.metadata["title"] = "<script>alert(1)</script>"
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"a": "<script>alert(1)</script>"}}
    rebuilt = rebuild(perfect(), notebook, TOPIC)
    assert "attachments" not in _written(rebuilt)
    assert "alert" not in nbformat.writes(rebuilt) and "PHN2" not in nbformat.writes(rebuilt)
    assert rebuilt.metadata[KEY]["topic"] == TOPIC


def test_a_hostile_answer_through_the_commands(tmp_path: Path, learners: Learners) -> None:
    """`grader grade`, then nbgrader's feedback; and the page that formgrader's own exporter would show."""
    (tmp_path / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    notebook = perfect()
    _written(notebook).source = "\n\n".join(text.replace("\x00", "") for text in HOSTILE)
    path = hand_in(tmp_path, "eve", notebook)
    before = path.read_bytes()
    assert CliRunner().invoke(app, ["grade", "--class", str(tmp_path)], obj=learners).exit_code == 0
    nbgrader(tmp_path, "generate_feedback", TOPIC)
    assert path.read_bytes() == before

    page = (tmp_path / "feedback" / "eve" / TOPIC / f"{TOPIC}.html").read_text(encoding="utf-8")
    assert active(page) == [] and has_policy(page)
    assert "<script" not in page and "cloudflare" not in page and "<math" in page
    assert "Written answers" in page and "alert(1)" in page, "it can still be read"

    graded = nbformat.read(tmp_path / "autograded" / "eve" / TOPIC / f"{TOPIC}.ipynb", as_version=4)
    alone = nbformat.v4.new_notebook(cells=[_written(graded)])
    plain, _ = HTMLExporter(template_name="basic").from_notebook_node(alone)
    assert active(plain) == []
    assert {attributes["src"] for tag, attributes in tags(plain) if tag == "img"} <= {PNG, "x.png", "a.png"}


@pytest.mark.slow
def test_a_browser_opens_no_dialog(tmp_path: Path) -> None:
    """Without any policy to help: the answer as nbconvert shows it, and every link in it followed."""
    exceptions = pytest.importorskip("selenium.common.exceptions")
    path = tmp_path / "answer.html"
    page = "\n".join(markdown2html_mistune(defused(text)) for text in HOSTILE)
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8><title>safe</title>{page}", encoding="utf-8")
    with browser(tmp_path) as driver:
        driver.get(path.as_uri())
        # Those that lead beside the answer, or nowhere (":"), would only leave this page: the others are followed.
        led = driver.execute_script(
            "const links = [...document.querySelectorAll('a')];"
            "links.forEach(a => { if (!/^(https?|mailto|file|):$/.test(a.protocol)) a.click() });"
            "return links.map(a => a.protocol);"
        )
        assert led and set(led) <= {"http:", "https:", "mailto:", "file:", ":"}
        with pytest.raises(exceptions.NoAlertPresentException):
            _ = driver.switch_to.alert
        assert driver.title == "safe"
