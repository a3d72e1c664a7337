"""The site's first page: what the course is, its lessons with their questions, and where to go."""

from collections.abc import Sequence

from embedding_course.exercises import exercises_of
from embedding_course.subject.lessons import Lesson, lesson

from ...course_source.setting import Setting
from ...course_source.start_here import NAME
from .pages import CHAPTERS, documents

#: What the margin calls a page whose title is long.
_SHORT = {
    "docs/for_students.md": "For students",
    "docs/teaching.md": "From clone to grades",
    "docs/architecture.md": "The house",
}

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


def first_page(topics: Sequence[str], setting: Setting) -> str:
    """Return the page as Markdown, with the table of contents of the whole site."""
    lessons = [lesson(topic) for topic in topics]
    whole = f", or take [the whole course]({setting.repository})" if setting.repository else ""
    text = _OPENING.format(start=NAME, lessons="\n".join(map(_row, lessons)), elsewhere=whole)
    contents = [_contents("Lessons", [f"notebooks/{topic}/{topic}" for topic in (NAME, *topics)])]
    contents += [_contents(words, [_named(path) for path in paths]) for words, paths in CHAPTERS.items()]
    named = {path for paths in CHAPTERS.values() for path in paths}
    others = [path.removesuffix(".md") for path in documents() if path not in named]
    return "\n\n".join([text, *contents, *([_contents("More", others)] if others else [])]) + "\n"


def _row(lesson: Lesson) -> str:
    page = f"notebooks/{lesson.topic}/{lesson.topic}.ipynb"
    count = len(exercises_of(lesson.topic))
    return f"| {lesson.number} | [{lesson.title}]({page}) | {lesson.question} | {count} | {lesson.minutes} |"


def _named(path: str) -> str:
    """Return an entry of the contents: by the page's own title, or by a shorter one."""
    page = path.removesuffix(".md")
    return f"{_SHORT[path]} <{page}>" if path in _SHORT else page


def _contents(caption: str, pages: Sequence[str]) -> str:
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```"])
