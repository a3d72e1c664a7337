"""The version of a notebook's public checks: a fingerprint of the cases and results that a wheel ships."""

import hashlib
import zlib
from collections.abc import Mapping
from functools import cache
from typing import Any

from ..subject.course import course
from .intake.cells import KEY

#: The key of the version among the versions that a receipt holds.
CHECKS = "checks"


@cache
def public_version(topic: str) -> str:
    """Return eight hexadecimal digits that change when public cases, their results or known mistakes of a notebook change.

    It is empty for a notebook without public checks.

    >>> len(public_version("03_max_norm"))
    8
    """
    digest, count = hashlib.sha256(), 0
    for path in sorted((course().home / "expected" / topic).glob("*.bin")):
        # Unpacked, since two versions of zlib may pack the same in two ways.
        digest.update(path.name.encode() + b"\0" + zlib.decompress(path.read_bytes()) + b"\0")
        count += 1
    return digest.hexdigest()[:8] if count else ""


def claimed_version(metadata: Mapping[str, Any]) -> str:
    """Return the version of the public checks that the receipt in a notebook's metadata names; empty if there is none.

    >>> claimed_version({"embedding_course": {"receipt": {"versions": {"checks": "0a1b2c3d"}}}}), claimed_version({})
    ('0a1b2c3d', '')
    """
    value: Any = metadata
    for key in (KEY, "receipt", "versions", CHECKS):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""
