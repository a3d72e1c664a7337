"""The glossary in Chinese: the rows of docs/glossary.md with the Chinese term first and what it means in Chinese."""

import re

from embedding_course.messages import in_language, translate

from ...paths import ROOT

PAGE = "docs/glossary.md"
#: Headings of the page; those of the last chapter are for readers of the code, which is in English.
HEADINGS = {
    "Text and ids": "文本与 id",
    "The table": "嵌入表",
    "Language models": "语言模型",
    "Sequences": "序列",
    "Attention and sentences": "注意力与句子",
    "Training by comparison": "对比训练",
    "Maps": "降维与可视化",
}
LEFT_OUT = "Words of the house"
_OPENING = """\
# 术语表

课程里的术语，中文在前，英文在后，都是这个领域里通用的说法。一个术语有两个中文名时，用逗号隔开。最后一列是第一次用到它的笔记本。
"""
_HEAD = ["| 中文术语 | 英文 | 在这里的意思 | |", "|---|---|---|---|"]


def glossary_page() -> str:
    """Return the page as Markdown.

    Raises
    ------
    LookupError
        If the English page has a heading that is not in `HEADINGS`.
    """
    lines = [_OPENING]
    with in_language("zh"):
        for line in (ROOT / PAGE).read_text(encoding="utf-8").splitlines():
            if line.startswith("## "):
                heading = line.removeprefix("## ")
                if heading == LEFT_OUT:
                    break
                if heading not in HEADINGS:
                    raise LookupError(
                        f"{PAGE}: the heading {heading!r} has no Chinese in grader/authoring/site/glossary_page.py"
                    )
                lines += ["", f"## {HEADINGS[heading]}", "", *_HEAD]
            elif line.startswith("| ") and not line.startswith("| term |"):
                lines.append(_row(line))
    return "\n".join(lines) + "\n"


def _row(line: str) -> str:
    term, chinese, meaning, notebooks = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])
    shown = translate(re.sub(r"\\([|$])", r"\1", meaning))
    escaped = re.sub(r"([|$])", r"\\\1", shown)
    return f"| {chinese} | {term} | {escaped} | {notebooks} |"


def anchor(english: str) -> str:
    """Return the anchor of a chapter of the page, given that of the English page; another anchor as it is.

    >>> anchor("text-and-ids"), anchor("maps")
    ('文本与-id', '降维与可视化')
    """
    by_anchor = {_slug(heading): _slug(chinese) for heading, chinese in HEADINGS.items()}
    return by_anchor.get(english, english)


def _slug(heading: str) -> str:
    return heading.lower().replace(" ", "-")
