"""Who submitted what, as Gradescope's export says in submission_metadata.yml beside the folders of submissions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

import yaml

from .bounds import BadArchive
from .parse_times import read_moment

METADATA = "submission_metadata.yml"
#: Letters of an honest file of a large class.
_MAX_CHARACTERS = 32 * 2**20


@dataclass(frozen=True)
class Submitter:
    """A person who submitted: their name, the `words` by which a roster may know them, and when the submission came."""

    name: str
    words: tuple[str, ...]
    when: datetime | None


def submitters_of(path: PurePosixPath, content: bytes) -> dict[PurePosixPath, tuple[Submitter, ...]]:
    """Return those who submitted, by folder, as the metadata at `path` says.

    Raises
    ------
    BadArchive
        If the metadata cannot be read.
    """
    try:
        if len(content) > _MAX_CHARACTERS:
            raise BadArchive("it is too large")
        tree = yaml.load(content, Loader=_NoAliases)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BadArchive(f"it is not YAML ({str(error).splitlines()[0][:80]})") from None
    folders = tree if isinstance(tree, dict) else {}
    return {
        path.with_name(str(name)): tuple(_people(submission)) for name, submission in folders.items() if "/" not in str(name)
    }


class _NoAliases(yaml.BaseLoader):
    """Every value as the text that stands there. Gradescope writes no aliases, and nested ones grow without bound."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("it holds aliases")
        return super().compose_node(parent, index)


def _people(submission: object) -> Iterator[Submitter]:
    when = _moment(str(_value(submission, "created_at") or ""))
    people = _value(submission, "submitters")
    for person in people if isinstance(people, list) else []:
        words = tuple(_words(_value(person, key) for key in ("sid", "email", "name")))
        if words:
            yield Submitter(str(_value(person, "name") or words[0]), words, when)


def _moment(text: str) -> datetime | None:
    try:
        when = read_moment(text)
    except (ValueError, OverflowError):
        return None
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _value(record: object, key: str) -> Any:
    """Return what Ruby wrote under a symbol, or under a plain word."""
    return record.get(f":{key}", record.get(key)) if isinstance(record, Mapping) else None


def _words(values: Iterable[Any]) -> Iterator[str]:
    return (str(value).strip() for value in values if value is not None and str(value).strip())
