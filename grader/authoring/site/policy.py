"""For Sphinx: each page says first what a browser may load for it. Its own files, and nothing from elsewhere."""

from typing import Any

#: The theme's few lines of script and our verdicts' styles stand in the pages themselves.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
)


def setup(app: Any) -> dict[str, Any]:
    """Register the content security policy with Sphinx."""
    app.connect("html-page-context", _into)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _into(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    text = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    context["metatags"] = text + context.get("metatags", "")
