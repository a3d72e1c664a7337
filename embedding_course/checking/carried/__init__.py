"""The containers of the numbers of the course in use: tensors of torch, or arrays of numpy where torch is not imported.

Both modules define the same names. Which of them is used is decided once, when this package is imported.
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
