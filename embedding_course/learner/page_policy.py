"""What the pages that we write may do in a browser: show themselves. They run nothing, fetch nothing and send nothing."""

from __future__ import annotations

__all__ = ["policy"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def policy(pictures: bool = False) -> str:
    """The element that tells a browser so; it comes first in a page's head. `pictures` may lie in the page itself.

    >>> policy()[:57]
    '<meta http-equiv="Content-Security-Policy" content="defau'
    """
    more = "; img-src data:" if pictures else ""
    return f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}{more}">'
