"""Numbers in arrays of numpy, for a course without torch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from safetensors.numpy import load as read_pool
from safetensors.numpy import save as _save

__all__ = [
    "DTYPES", "FLOAT", "INTEGER", "Carrier", "alike", "array_of", "bytes_of", "carried", "carries", "is_one", "key_of",
    "largest", "made", "of_bytes", "read_pool", "seed", "seeded", "write_pool",
]  # fmt: skip

Carrier = np.ndarray
#: The types that may travel.
DTYPES = {
    name: np.dtype(name)
    for name in (
        "float64", "float32", "float16", "int64", "int32", "int16", "int8", "uint64", "uint32", "uint16", "uint8", "bool",
    )
}  # fmt: skip
#: The types that inputs are drawn in, unless a case says otherwise.
FLOAT, INTEGER = np.dtype("float64"), np.dtype("int64")


def carried(array: np.ndarray) -> np.ndarray:
    """Return a copy of the array in C order and in this machine's byte order."""
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C")


def array_of(array: np.ndarray) -> np.ndarray:
    """Return a copy of the array."""
    return array.copy()


def carries(dtype: np.dtype) -> bool:
    """Return True if an array of this type can travel."""
    return dtype.name in DTYPES


def is_one(value: Any) -> bool:
    """Return True for an array."""
    return isinstance(value, np.ndarray)


def made(values: Any, dtype: Any, shape: Sequence[int]) -> np.ndarray:
    """Return an array of these values."""
    return np.array(values, dtype=dtype).reshape(shape)


def bytes_of(array: np.ndarray) -> bytes:
    """Return the bytes of its numbers, row by row."""
    return array.tobytes()


def of_bytes(dtype: str, shape: Sequence[int], body: bytes) -> np.ndarray:
    """Return the inverse of `bytes_of`; `body` has as many bytes as the shape asks for."""
    if dtype == "bool":  # a byte but 0 and 1 is no truth value
        return (np.frombuffer(body, dtype=np.uint8) != 0).reshape(shape)
    return np.frombuffer(body, dtype=DTYPES[dtype]).reshape(shape).copy()


def write_pool(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return named arrays as safetensors; `read_pool` is the inverse."""
    return _save(dict(arrays))


def key_of(array: np.ndarray) -> tuple[Any, ...]:
    """Return what tells an array from another."""
    return array.dtype, array.shape, array.tobytes()


def largest(array: np.ndarray) -> float:
    """Return the size of its largest finite number; 0 where there is none."""
    finite = array[np.isfinite(array)].astype(np.float64)
    return float(np.abs(finite).max()) if finite.size else 0.0


def alike(first: np.ndarray, second: np.ndarray) -> bool:
    """Return True if two arrays are of one type and shape, and equal within rounding."""
    return first.dtype == second.dtype and first.shape == second.shape and np.allclose(first, second, equal_nan=True)


def seed() -> None:
    """Begin numpy's global random numbers anew."""
    np.random.seed(0)


@contextlib.contextmanager
def seeded() -> Iterator[None]:
    """Restart numpy's global random numbers inside the context, and restore their state afterwards."""
    before = np.random.get_state()
    seed()
    try:
        yield
    finally:
        np.random.set_state(before)
