"""The templates of the pages for learners: their style sheet, messages and filters."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from embedding_course.checking.render import code, points_text
from embedding_course.checking.result import number
from embedding_course.messages import Message, space_after, translate

if TYPE_CHECKING:
    import jinja2

_HERE = Path(__file__).parent


@lru_cache(maxsize=1)
def environment() -> jinja2.Environment:
    """Return the environment of the pages for learners: style sheet, messages and filters."""
    import jinja2

    pages = jinja2.Environment(loader=jinja2.FileSystemLoader(_HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    pages.globals["style"] = _style()
    pages.globals.update(Message=Message, plural=Message.plural, space_after=space_after)
    pages.filters.update(
        number=number,
        code=lambda text: Markup(code(str(text))),
        highlighted=_highlighted,
        points=points_text,
        translated=translate,
    )
    return pages


def _highlighted(source: str) -> Markup:
    """Return Python code with its words marked as HTML; everything else in it is escaped."""
    from pygments import highlight

    lexer, formatter = _pygments()
    return Markup(highlight(source, lexer, formatter))


@lru_cache(maxsize=1)
def _pygments() -> tuple[Any, Any]:
    from pygments.formatters.html import HtmlFormatter
    from pygments.lexers.python import PythonLexer

    return PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)


def _style() -> Markup:
    """Return the page's style sheet, with the colours of code on light and on dark ground."""
    from pygments.formatters.html import HtmlFormatter

    day, night = (_code_rules(HtmlFormatter(style=name).get_style_defs("pre.code")) for name in ("friendly", "github-dark"))
    sheet = (_HERE / "page.css").read_text(encoding="utf-8")
    return Markup(f"{sheet}\n{day}\n@media screen and (prefers-color-scheme: dark) {{\n{night}\n}}")


def _code_rules(sheet: str) -> str:
    return "\n".join(line for line in sheet.splitlines() if line.startswith("pre.code ."))
