"""For Sphinx: each page links to the same page in the other language, or to its first page where it has no such page."""

from typing import Any


def setup(app: Any) -> dict[str, Any]:
    """Register the switch with Sphinx, and the settings with which `run_sphinx` describes the other language."""
    app.add_config_value("switch_language", "", "html")
    app.add_config_value("switch_name", "", "html")
    app.add_config_value("switch_folder", "", "html")
    app.add_config_value("switch_pages", [], "html")
    app.connect("html-page-context", _into)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def address(page: str, folder: str, pages: list[str]) -> str:
    """Return the path from a page to the same page of the other language.

    Parameters
    ----------
    page : str
        Name of the page, such as "docs/glossary".
    folder : str
        Path to the pages of the other language, seen from the first page of this one.
    pages : list of str
        Names of the pages of the other language.

    Examples
    --------
    >>> address("docs/glossary", "zh/", ["docs/glossary"]), address("docs/teaching", "zh/", ["docs/glossary"])
    ('../zh/docs/glossary.html', '../zh/index.html')
    """
    up = "../" * page.count("/")
    return f"{up}{folder}{page if page in pages else 'index'}.html"


def _into(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: Any) -> None:
    settings = app.config
    if settings.switch_language:
        context["switch_address"] = address(pagename, settings.switch_folder, settings.switch_pages)
        context["switch_language"], context["switch_name"] = settings.switch_language, settings.switch_name
