"""Keep verdicts, so that answers with equal results, bit by bit, are compared with the right ones only once."""

import hashlib
from collections.abc import Iterable

from embedding_course.checking.result import Result
from embedding_course.messages import edition

#: Verdicts that are kept: right answers differ in a few ways only, and what a class does must not fill our memory.
_MAX_VERDICTS = 64


class VerdictCache:
    """Verdicts on one exercise's answers for one seed, by the `key_of` what these returned in its cases, in each language.

    Kept are those for which nothing else counts: on right answers and on untouched stubs. What is said of a wrong one may
    depend on how it is written.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, bytes], Result] = {}

    def find(self, key: bytes) -> Result | None:
        """Return the verdict on answers whose results have this key; None if there is none."""
        return self._known.get((edition(), key))

    def keep(self, key: bytes, result: Result) -> None:
        """Keep this verdict if it depends on the results alone."""
        if (result.passed or result.status == "not attempted") and len(self._known) < _MAX_VERDICTS:
            same = next((kept for kept in self._known.values() if kept == result), result)  # most are, and need be held once
            self._known[edition(), key] = same


def key_of(packed: Iterable[bytes | memoryview]) -> bytes:
    """Return what tells answers apart, as they came over the wire; where one ends and the next begins counts too."""
    whole = hashlib.sha256()
    for packed_answer in packed:
        view = memoryview(packed_answer)
        whole.update(len(view).to_bytes(8, "big"))
        whole.update(view)
    return whole.digest()
