"""Define the content security policy of the pages that we write: they run nothing, fetch nothing and send nothing."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def policy(pictures: bool = False) -> str:
    """Return the meta element with the policy, the first element of a page's head. `pictures` allows embedded pictures.

    Examples
    --------
    >>> policy()[:57]
    '<meta http-equiv="Content-Security-Policy" content="defau'
    """
    more = "; img-src data:" if pictures else ""
    return f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}{more}">'
