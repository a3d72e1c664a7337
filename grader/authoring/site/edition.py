"""The languages of the site: where the pages of each lie, and the words that only the site has."""

from collections.abc import Sequence
from dataclasses import dataclass

from embedding_course.messages import ENGLISH


@dataclass(frozen=True)
class Edition:
    """The site in one language.

    Attributes
    ----------
    code : str
        The language, as `set_language` takes it.
    sphinx : str
        The language, as Sphinx takes it.
    folder : str
        Folder of its pages, seen from the site's first page; empty for the language that the site opens in.
    name : str
        What the language is called in itself; the switch on a page of the other language says it.
    title, download, note, typical, answer, show_imports, hide_imports : str
        Words that stand on its pages.
    """

    code: str
    sphinx: str
    folder: str
    name: str
    title: str
    download: str
    note: str
    typical: str
    answer: str
    show_imports: str
    hide_imports: str

    @property
    def to_top(self) -> str:
        """Return the path from the first page of this edition to that of the site."""
        return "../" if self.folder else ""


EDITIONS = {
    ENGLISH: Edition(
        code=ENGLISH,
        sphinx="en",
        folder="",
        name="English",
        title="Embeddings",
        download="Download this notebook",
        note="Figures and checks come from a run with right answers. "
        "The answers are not on this page: they are yours to write.",
        typical="What the check says to a typical mistake",
        answer="The answer",
        show_imports="Show what is imported",
        hide_imports="Hide what is imported",
    ),
    "zh": Edition(
        code="zh",
        sphinx="zh_CN",
        folder="zh",
        name="中文",
        title="嵌入",
        download="下载这个笔记本",
        note="图和检查结果来自一次答案全对的运行。答案不在这一页上：留给你来写。",
        typical="犯了典型的错误，检查会这样说",
        answer="答案",
        show_imports="显示导入了什么",
        hide_imports="收起导入的内容",
    ),
}


def other_edition(edition: Edition, languages: Sequence[str]) -> Edition | None:
    """Return the other edition of a site in these languages, None if there is one only.

    >>> other_edition(EDITIONS["en"], ["en", "zh"]).name
    '中文'
    """
    return next((EDITIONS[code] for code in languages if code != edition.code), None)
