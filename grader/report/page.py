"""Render the class report."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from embedding_course.render import code
from embedding_course.result import number

from .. import records
from ..classroom import now
from ..terms.course import load_course
from .histogram import histogram
from .summary import Summary, summarise

__all__ = ["render", "write_report"]


def render(summary: Summary, made_at: str) -> str:
    """The page as HTML. Everything that students wrote is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        number=number, percent=lambda share: f"{share:.0%}", code=lambda text: Markup(code(text))
    )
    template = environment.get_template("page.html.j2")
    charts = {
        line.topic: Markup(
            histogram(line.bins, f"{line.topic}: {len(line.shares)} submissions, median {line.median:.0%}")
        )
        for line in summary.notebooks
    }
    return template.render(summary=summary, charts=charts, made_at=made_at)


def write_report(home: Path) -> Path:
    """Write `reports/class_report.html` of the class in `home`. LookupError when nothing was graded."""
    page = home / "reports" / "class_report.html"
    counted = load_course(home).topics
    text = render(summarise([record for record in records.load_all(home) if record.topic in counted]), now())
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text, encoding="utf-8")
    return page
