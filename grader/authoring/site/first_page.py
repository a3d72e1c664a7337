"""The site's first page: what the course is, its lessons with their questions, and where to go."""

from collections.abc import Sequence

from embedding_course.exercises import exercises_of
from embedding_course.messages import ENGLISH, edition, translate
from embedding_course.subject.lessons import Lesson, lesson

from ...course_source.setting import Setting
from ...course_source.start_here import NAME
from .links import Elsewhere, mended, place_of
from .pages import CHAPTERS, CHINESE_CHAPTERS, documents, pages_of

#: What the margin calls a page whose title is long.
_SHORT = {
    "docs/for_students.md": "For students",
    "docs/teaching.md": "From clone to grades",
    "docs/architecture.md": "The house",
}
_CHINESE_SHORT = {"docs/for_students.md": "给学生"}

_OPENING = """\
# Embeddings, from lookup table to sentence search

How does a word become numbers, and how does a machine find the sentence that means the same? In eleven notebooks you write the
parts of an embedding model yourself, from one-hot vectors to a search engine for sentences. Each exercise is checked at once,
by a check that knows the usual mistakes, says which one it met, and what to try next.

This site is for reading: every lesson with its figures, every exercise with its stub, and what the check says to a typical
mistake. To write the answers, download a notebook from its page{elsewhere}.

## The lessons

| | lesson | question | exercises | minutes |
|---|---|---|---:|---:|
| 00 | [Start here](notebooks/{start}/{start}.ipynb) | What is a tensor, and how do the notebooks work? | | |
{lessons}

![Eleven notebooks: what each builds on, and what is carried from one to another](docs/img/course_map.svg)

## Where to go

- **To learn alone:** begin with [Start here](notebooks/{start}/{start}.ipynb). [For students](docs/for_students.md) tells how
  checks, hints and progress work. The words are in the [glossary](docs/glossary.md), in English and Chinese, and all formulas
  on [one page](docs/formulas.md). After the last lesson you [build a search engine](projects/search_engine/README.md).
- **To teach a class:** [from clone to grades](docs/teaching.md) is one page. [All exercises](docs/exercises.md) lists points,
  criteria and cases. [What grading costs](docs/benchmarks.md) and [what becomes of attacks](docs/attacks.md) are measured.
- **To check what is said:** the [ledger of claims](docs/claims.md) computes again what five tutorials say, and tells which of
  it is wrong.
"""

_CHINESE_OPENING = """\
# 嵌入：从查表到句子搜索

词怎样变成数字？机器又怎样找到意思相同的句子？在十一个笔记本里，你亲手写出嵌入模型的各个部分：从独热向量开始，\
直到一个搜索句子的引擎。每写完一个，检查马上告诉你对不对。它认得常见的错误：说出你犯了哪一个，再告诉你接下来试什么。

这个网站供你阅读：每一课都有图，每个练习都有等你填的代码，还能看到犯了典型的错误时检查会怎么说。想自己动手写，\
就在那一课的页面上下载笔记本{elsewhere}。

## 课程

| | 笔记本 | 问题 | 练习 | 分钟 |
|---|---|---|---:|---:|
| 00 | [从这里开始](notebooks/{start}/{start}.ipynb) | 张量是什么，笔记本怎么用？ | | |
{lessons}

![十一个笔记本：每一个建立在哪些之上，什么会带到后面去用](docs/img/course_map.svg)

## 接下来去哪里

- **自学**：先做[从这里开始](notebooks/{start}/{start}.ipynb)。[给学生](docs/zh/for_students.md)讲检查、提示和进度怎么用，\
[安装](docs/zh/installing.md)也讲没有网络的机器怎么办。不认识的词看[术语表](docs/glossary.md)，公式都在[一页](docs/zh/formulas.md)上。
- **只有英文的页面**：[全部练习](docs/exercises.md)列出分数和用例；[论断清单](docs/claims.md)用计算检验五篇教程里的论断；\
[教一个班](docs/teaching.md)从安装讲到成绩；学完最后一课，你来[做一个搜索引擎](projects/search_engine/README.md)。
"""


def first_page(topics: Sequence[str], setting: Setting, elsewhere: Elsewhere | None = None) -> str:
    """Return the page as Markdown in the language in use, with the table of contents of its pages.

    Parameters
    ----------
    topics : sequence of str
        Names of the lessons.
    setting : Setting
        Where the course is published.
    elsewhere : Elsewhere, optional
        The pages of the site in another language.
    """
    rows = "\n".join(_row(lesson(topic)) for topic in topics)
    lessons = [f"notebooks/{topic}/{topic}" for topic in (NAME, *topics)]
    if edition() != ENGLISH:
        whole = f"，或者拿走[整门课]({setting.repository})" if setting.repository else ""
        text = _CHINESE_OPENING.format(start=NAME, lessons=rows, elsewhere=whole)
        text = mended(text, "index.md", pages_of(topics, edition()), setting, elsewhere=elsewhere)
        chapters = [_contents("课程", lessons)]
        for words, paths in CHINESE_CHAPTERS.items():
            chapters.append(_contents(words, [_named(place_of(path)) for path in paths]))
        return "\n\n".join([text, *chapters]) + "\n"
    whole = f", or take [the whole course]({setting.repository})" if setting.repository else ""
    text = _OPENING.format(start=NAME, lessons=rows, elsewhere=whole)
    contents = [_contents("Lessons", lessons)]
    contents += [_contents(words, [_named(path) for path in paths]) for words, paths in CHAPTERS.items()]
    named = {path for paths in CHAPTERS.values() for path in paths}
    others = [path.removesuffix(".md") for path in documents() if path not in named]
    return "\n\n".join([text, *contents, *([_contents("More", others)] if others else [])]) + "\n"


def _row(lesson: Lesson) -> str:
    page = f"notebooks/{lesson.topic}/{lesson.topic}.ipynb"
    count = len(exercises_of(lesson.topic))
    return (
        f"| {lesson.number} | [{translate(lesson.title)}]({page}) | {translate(lesson.question)} | {count} | {lesson.minutes} |"
    )


def _named(path: str) -> str:
    """Return an entry of the contents: by the page's own title, or by a shorter one."""
    page = path.removesuffix(".md")
    short = (_SHORT if edition() == ENGLISH else _CHINESE_SHORT).get(path)
    return f"{short} <{page}>" if short else page


def _contents(caption: str, pages: Sequence[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```"])
