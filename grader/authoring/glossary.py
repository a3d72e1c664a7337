"""The glossary that lies beside the notebooks: docs/glossary.md without the words that are only ours."""

from __future__ import annotations

from ..paths import ROOT

__all__ = ["glossary"]

_OURS = "## Words of the house"


def glossary() -> str:
    """The words of the field, as Markdown: what the links in the notebooks lead to."""
    text, found, _ = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").partition(_OURS)
    assert found, f"docs/glossary.md has no heading {_OURS!r}"
    return text.rstrip() + "\n"
