"""A class's own hidden queries: read them, find what is wrong with them, suggest which to write.

The queries that come with the course are public, so they serve for practice. Queries that count are written by the class.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from embedding_course.subject.errors import closest

from ...errors import PhraseError
from .task import HIDDEN, PUBLIC, Query, Task

_MAX_FILE_BYTES, _MAX_QUERY_CHARACTERS = 2_000_000, 300
#: With fewer queries, chance decides more than the engine: the standard error of a share is up to 0.5 / sqrt(n).
MIN_QUERIES = 50
#: Two queries that share so many of their words ask the same.
_SAME = 0.7
#: A query that shares so many of its words with a right document is found by counting words.
_EASY = 0.6
_WORD = re.compile(r"\w+")
#: Words that say nothing of what is asked for.
_SMALL = frozenset(
    [
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "by",
        "for",
        "from",
        "how",
        "in",
        "into",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "out",
        "so",
        "that",
        "the",
        "their",
        "them",
        "to",
        "what",
        "when",
        "which",
        "with",
    ]
)


class BadQueries(PhraseError):
    """The file cannot be used; the message says what is wrong and where."""


@dataclass(frozen=True)
class Remark:
    """Something to mend in one line of the file; `grave` if the query cannot count as it stands."""

    line: int
    message: str
    grave: bool = False


@dataclass(frozen=True)
class _Row:
    line: int
    text: str
    names: tuple[str, ...]


def read_queries(path: Path, names: Sequence[str]) -> list[Query]:
    """Read the hidden queries of a class.

    Parameters
    ----------
    path : Path
        A text file: in each line a query, a tab, and the names of the documents that answer it, with spaces between.
    names : sequence of str
        The names of the documents on this machine. A query to which none of them is an answer is left out.

    Raises
    ------
    BadQueries
        Where the file cannot be read, or no query is left.
    """
    positions = {name: position for position, name in enumerate(names)}
    rows = _rows(path)
    queries = [Query(row.text, frozenset(positions[name] for name in row.names if name in positions)) for row in rows]
    kept = [query for query in queries if query.right]
    if not kept:
        raise BadQueries(f"{path}: no query in it names a document of this machine; grader project check-queries says more")
    return kept


def look_over(path: Path, task: Task) -> tuple[int, list[Remark]]:
    """Return how many queries are in the file, and what should be mended in it.

    Raises
    ------
    BadQueries
        Where the file cannot be read.
    """
    rows = _rows(path)
    known = [
        (_content(text), "the public queries" if file == PUBLIC else "the practice queries of the course", text)
        for file in (PUBLIC, HIDDEN)
        for text in _texts(file)
    ]
    documents = dict(zip(task.names, map(_content, task.texts), strict=True))
    remarks: list[Remark] = []
    seen: list[tuple[frozenset[str], int]] = []
    for row in rows:
        remarks += _of_row(row, documents)
        words = _content(row.text)
        for other, where, text in known:
            if _overlap(words, other) >= _SAME:
                remarks.append(
                    Remark(row.line, f"it asks what “{text}” asks, which stands in {where}: anybody can read it", True)
                )
                break
        earlier_line = next((line for other, line in seen if _overlap(words, other) >= _SAME), None)
        if earlier_line is not None:
            remarks.append(Remark(row.line, f"it asks the same as line {earlier_line}"))
        seen.append((words, row.line))
    return len(rows), sorted(remarks, key=lambda remark: remark.line)


def suggestions(task: Task, count: int, used: Sequence[Query] = ()) -> Iterator[str]:
    """Yield lines for queries to write: what is to be found, and the words that a paraphrase should do without.

    Practice queries, whose questions are good and whose wording is public, alternate with documents that no query asks for yet.

    Parameters
    ----------
    task : Task
        Documents and queries of the project.
    count : int
        How many suggestions are wanted; free documents are spread for as many lines.
    used : sequence of Query, optional
        Queries that are written already; practice queries for the same documents are left out.
    """
    taken = {document for query in used for document in query.right}
    asked = [query for query in task.hidden if not query.right & taken]
    lines = [
        f"{' '.join(sorted(task.names[document] for document in query.right))}: ask for it in other words than “{query.text}”, "
        f"so without {_listed(_content(query.text))}"
        for query in asked
    ]
    taken |= {document for query in (*task.public, *task.hidden) for document in query.right}
    free = [document for document in range(len(task.names)) if document not in taken]
    step = max(1, len(free) // max(1, count))
    for document in free[step // 2 :: step]:
        summary = task.texts[document].split("\n")[1] if "\n" in task.texts[document] else ""
        lines.append(
            f"{task.names[document]} (“{summary}”): ask for it without {_listed(_content(f'{task.names[document]} {summary}'))}"
        )
    # Both kinds in turn, so that a short list holds some of each.
    firsts, seconds = lines[: len(asked)], lines[len(asked) :]
    for index in range(max(len(firsts), len(seconds))):
        yield from (part[index] for part in (firsts, seconds) if index < len(part))


def _rows(path: Path) -> list[_Row]:
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise BadQueries(f"{path}: the file is larger than {_MAX_FILE_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadQueries(f"{path}: the file cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BadQueries(f"{path}: the file is not UTF-8 text; save it as UTF-8") from None
    rows = []
    for line, content in enumerate(text.splitlines(), 1):
        if not content.strip() or content.startswith("#"):
            continue
        query, tab, names = content.partition("\t")
        if not tab or "\t" in names or not query.strip() or not names.split():
            raise BadQueries(f"{path}, line {line}: it holds a query, one tab, and the names of its answers; this one does not")
        rows.append(_Row(line, " ".join(query.split()), tuple(names.split())))
    if not rows:
        raise BadQueries(f"{path}: there is no query in it")
    return rows


def _of_row(row: _Row, documents: Mapping[str, frozenset[str]]) -> Iterator[Remark]:
    if len(row.text) > _MAX_QUERY_CHARACTERS:
        yield Remark(row.line, f"it has {len(row.text)} letters; nobody asks in more than {_MAX_QUERY_CHARACTERS}", grave=True)
    here = [name for name in row.names if name in documents]
    for name in row.names:
        if name not in documents:
            yield Remark(row.line, f"there is no document {name} on this machine; {closest(name, documents)}", grave=not here)
    words = _content(row.text)
    for name in here:
        own = frozenset(_words(name.rpartition(".")[2]))
        if own and own <= words:
            yield Remark(row.line, f"it says the name of its answer, {name}: ask as somebody who does not know it")
            return
    shared = max((words & documents[name] for name in here), key=len, default=frozenset())
    if words and len(shared) >= _EASY * len(words):
        yield Remark(row.line, f"its answer's text holds most of its words; ask without {_listed(shared)}")


def _texts(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row[0] for row in csv.reader(file, delimiter="\t") if row]


def _words(text: str) -> list[str]:
    return [word for part in _WORD.findall(text.casefold()) for word in part.split("_") if word]


def _content(text: str) -> frozenset[str]:
    return frozenset(_words(text)) - _SMALL


def _overlap(words: frozenset[str], other: frozenset[str]) -> float:
    return len(words & other) / len(words | other) if words | other else 0.0


def _listed(words: frozenset[str]) -> str:
    return ", ".join(sorted(words))
