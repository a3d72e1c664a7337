"""What carries the numbers of the course in use, to and fro: tensors of torch, or arrays of numpy where torch is not imported.

Both modules have the same names; which one serves is decided once, when this is imported.
"""

from typing import TYPE_CHECKING

from ...subject.tensors import TENSORS

if TYPE_CHECKING or TENSORS:
    from .as_tensors import (
        DTYPES,
        FLOAT,
        INTEGER,
        Carrier,
        alike,
        array_of,
        bytes_of,
        carried,
        carries,
        is_one,
        key_of,
        largest,
        made,
        of_bytes,
        read_pool,
        seed,
        seeded,
        write_pool,
    )
else:
    from .as_arrays import (
        DTYPES,
        FLOAT,
        INTEGER,
        Carrier,
        alike,
        array_of,
        bytes_of,
        carried,
        carries,
        is_one,
        key_of,
        largest,
        made,
        of_bytes,
        read_pool,
        seed,
        seeded,
        write_pool,
    )

__all__ = [
    "DTYPES",
    "FLOAT",
    "INTEGER",
    "TENSORS",
    "Carrier",
    "alike",
    "array_of",
    "bytes_of",
    "carried",
    "carries",
    "is_one",
    "key_of",
    "largest",
    "made",
    "of_bytes",
    "read_pool",
    "seed",
    "seeded",
    "write_pool",
]
