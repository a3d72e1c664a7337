"""The ledger of claims that lies beside the notebooks: docs/claims.md with links that hold there."""

from __future__ import annotations

from ..paths import ROOT

__all__ = ["ledger"]

_FROM_DOCS = "](../notebooks/"


def ledger() -> str:
    """What the links of the quoted bugs lead to, as Markdown; its own links lead to the notebooks beside it."""
    text = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    assert _FROM_DOCS in text, "docs/claims.md links to no notebook"
    return text.replace(_FROM_DOCS, "](")
