"""For Sphinx: each page says first what a browser may load for it. Its own files, and nothing from elsewhere."""

import json
import re
from pathlib import Path
from typing import Any

#: The theme's few lines of script and our verdicts' styles stand in the pages themselves.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'"
)


def setup(app: Any) -> dict[str, Any]:
    """Register the content security policy with Sphinx."""
    app.connect("html-page-context", _into)
    app.connect("build-finished", _without_evaluation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _into(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    text = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    context["metatags"] = text + context.get("metatags", "")


def _without_evaluation(app: Any, exception: Exception | None) -> None:
    """Write the words of a search without the text that Sphinx's script makes a function of, which the policy forbids."""
    path = Path(app.outdir, "_static", "translations.js")
    if exception is None and path.exists():
        catalogue = json.loads(path.read_text(encoding="utf-8").partition("(")[2].rpartition(")")[0])
        plural = re.fullmatch(r"[n\d\s()<>=!&|?:%+-]+", catalogue["plural_expr"])
        if not plural:
            raise ValueError(f"translations.js: {catalogue['plural_expr']!r} is no rule for plurals that we know")
        path.write_text(
            f"Object.assign(Documentation.TRANSLATIONS, {json.dumps(catalogue['messages'])});\n"
            f"Documentation.PLURAL_EXPR = (n) => Number({plural[0]});\n"
            f"Documentation.LOCALE = {json.dumps(catalogue['locale'])};\n",
            encoding="utf-8",
        )
