"""The badges on top of a notebook: open it on Colab or Binder. Without a public address there are none."""

from __future__ import annotations

from urllib.parse import quote

from .setting import Setting

__all__ = ["links"]


def links(setting: Setting, topic: str) -> str:
    """A line of Markdown, or nothing where the course has no address: a dead badge helps nobody.

    >>> links(Setting(), "03_max_norm")
    ''
    """
    place = setting.owner_and_name
    if not place:
        return ""
    branch, path = quote(setting.branch), f"notebooks/{topic}/{topic}.ipynb"
    colab = f"https://colab.research.google.com/github/{place}/blob/{branch}/{path}"
    binder = f"https://mybinder.org/v2/gh/{place}/{quote(setting.branch, safe='')}?labpath={quote(path, safe='')}"
    return (
        f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({colab}) "
        f"[![Open on Binder](https://mybinder.org/badge_logo.svg)]({binder}) "
        f"[Source](https://github.com/{place}/blob/{branch}/{path})"
    )
