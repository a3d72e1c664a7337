"""The text cells of a feedback page as HTML: what nbconvert makes of them, with formulas drawn and nothing that runs."""

import html
from functools import lru_cache

import nh3
from nbconvert.filters.markdown_mistune import InvalidNotebook, IPythonRenderer, MarkdownWithMath

from .formulas import ATTRIBUTES, TAGS, mathml

_TAGS = nh3.ALLOWED_TAGS | TAGS
_ATTRIBUTES = {
    **nh3.ALLOWED_ATTRIBUTES,
    **{tag: ATTRIBUTES for tag in TAGS},
    **{tag: nh3.ALLOWED_ATTRIBUTES[tag] | {"style"} for tag in ("td", "th")},
    "*": {"class", "id", "title", "lang", "dir"},
}
_SCHEMES = {"http", "https", "mailto", "data"}
_PICTURES = ("data:image/png;", "data:image/jpeg;", "data:image/gif;")
_COLUMNS = ("text-align:left", "text-align:center", "text-align:right")


class _Renderer(IPythonRenderer):
    """nbconvert's, for a page without scripts."""

    def inline_math(self, body: str) -> str:
        return mathml(body)

    def block_math(self, body: str) -> str:
        return mathml(body, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", block=True)

    def block_mermaidjs(self, code: str) -> str:
        return f"<pre><code>{html.escape(code)}</code></pre>"

    def task_list_item(self, text: str, checked: bool = False) -> str:
        return f"<li>{'☑' if checked else '☐'} {text}</li>\n"


@lru_cache(maxsize=1024)
def as_html(source: str, anchor: str = "¶") -> str:
    """Return a text cell as HTML. Lessons are the same for everybody, so each text is read once a run.

    Without a text for their anchors, headings get none.

    >>> as_html("*a* <b onclick='x()'>b</b> $c$ <script>d()</script>")[:25]
    '<p><em>a</em> <b>b</b> <m'
    >>> as_html("## A", "").strip(), as_html("## A").count("anchor-link")
    ('<h2>A</h2>', 1)
    """
    try:
        # An anchor without text would be written as <a/>, which a browser does not close.
        renderer = _Renderer(escape=False, anchor_link_text=anchor, exclude_anchor_links=not anchor)
        made = MarkdownWithMath(renderer=renderer).render(source)
    except (RecursionError, ValueError, InvalidNotebook):  # nested too deeply, a number too long, a picture that is not there
        made = f"<pre>{html.escape(source)}</pre>"
    return nh3.clean(
        made,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_allowed,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )


def _allowed(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute if it may stay, else None.

    Pictures must be part of the page, nothing else may be data, and the only styles are those that align columns of tables.
    """
    if name == "src":
        return value if value.startswith(_PICTURES) else None
    if name == "style":
        return value if value in _COLUMNS else None
    return None if name == "href" and value.strip().lower().startswith("data:") else value
