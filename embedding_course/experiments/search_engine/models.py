"""Load published models in a lesson, which goes on without them."""

from typing import Any

from ...data import published


def published_or_none(name: str) -> Any:
    """Return a published model, or None with a sentence that says how to get it.

    Parameters
    ----------
    name : str
        "minilm", "glove" or "static_table".
    """
    try:
        return getattr(published, name)()
    except published.PublishedError as error:
        print(error)
        return None
