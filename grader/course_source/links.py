"""The links of a notebook: badges that open it elsewhere, and plain words where a link would lead to another file.

A notebook is often alone, as on Colab beside a wheel: a link from it to another file of the course leads nowhere there.
"""

import re
from urllib.parse import quote

from .setting import Setting

_TO_A_FILE = re.compile(r"(?<!!)\[([^\[\]]+)\]\([\w./-]+\.(?:md|ipynb|py|toml|tsv|json)(?:#[^)\s]*)?\)")


def alone(text: str) -> str:
    """Return Markdown with plain words in place of links to other files; the site keeps these, and has those files.

    >>> alone("**mask** ([掩码](../glossary.md#text-and-ids)), [a paper](https://example.org), `heads[0](x)`")
    '**mask** (掩码), [a paper](https://example.org), `heads[0](x)`'
    """
    return _TO_A_FILE.sub(r"\1", text)


def links(setting: Setting, topic: str) -> str:
    """Return a line of Markdown, or nothing where the course has no address: a dead badge helps nobody.

    >>> links(Setting(), "03_max_norm")
    ''
    """
    repository = setting.owner_and_name
    if not repository:
        return ""
    branch, path = quote(setting.branch), f"notebooks/{topic}/{topic}.ipynb"
    colab = f"https://colab.research.google.com/github/{repository}/blob/{branch}/{path}"
    binder = f"https://mybinder.org/v2/gh/{repository}/{quote(setting.branch, safe='')}?labpath={quote(path, safe='')}"
    return (
        f"[![Open in Colab](https://colab.research.google.com/assets/colab-badge.svg)]({colab}) "
        f"[![Open on Binder](https://mybinder.org/badge_logo.svg)]({binder}) "
        f"[Source](https://github.com/{repository}/blob/{branch}/{path})"
    )
