"""Numbers in tensors of torch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from safetensors.torch import load as read_pool
from safetensors.torch import save as _save

__all__ = [
    "DTYPES", "FLOAT", "INTEGER", "Carrier", "alike", "array_of", "bytes_of", "carried", "carries", "is_one", "key_of",
    "largest", "made", "of_bytes", "read_pool", "seed", "seeded", "write_pool",
]  # fmt: skip

Carrier = torch.Tensor
#: The tensor types that may travel. Complex and quantised results are no exercise's answer.
DTYPES = {
    "float32": torch.float32,
    "float64": torch.float64,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "int64": torch.int64,
    "int32": torch.int32,
    "int16": torch.int16,
    "int8": torch.int8,
    "uint8": torch.uint8,
    "bool": torch.bool,
}
#: The types that inputs are drawn in, unless a case says otherwise.
FLOAT, INTEGER = torch.float32, torch.int64


def carried(array: np.ndarray) -> torch.Tensor:
    """Return an array's numbers in a tensor of their own."""
    return torch.tensor(array)


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """Return the tensor's numbers in a numpy array of their own.

    numpy has no bfloat16, so a bfloat16 tensor becomes a float32 array, which holds every bfloat16 number exactly.
    """
    return (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).detach().numpy().copy()


def carries(dtype: np.dtype) -> bool:
    """Return True if an array of this dtype can be sent as a tensor, that is, if `DTYPES` has it."""
    return dtype.name in DTYPES


def is_one(value: Any) -> bool:
    """Return True for a tensor."""
    return isinstance(value, torch.Tensor)


def made(values: Any, dtype: torch.dtype, shape: Sequence[int]) -> torch.Tensor:
    """Return a tensor of these values."""
    return torch.tensor(values, dtype=dtype).reshape(shape)


def bytes_of(tensor: torch.Tensor) -> bytes:
    """Return the bytes of its numbers, row by row."""
    if not tensor.numel():
        return b""
    flat = tensor.detach().contiguous().reshape(-1)
    if flat.stride() != (1,):  # a single number counts as contiguous whatever its stride is, but cannot be viewed as bytes
        flat = flat.clone(memory_format=torch.contiguous_format)
    return flat.view(torch.uint8).numpy().tobytes()


def of_bytes(dtype: str, shape: Sequence[int], body: bytes) -> torch.Tensor:
    """Return the inverse of `bytes_of`; `body` has as many bytes as the shape asks for."""
    kind = DTYPES[dtype]
    if not body:
        return torch.empty(shape, dtype=kind)
    if kind == torch.bool:  # any byte but 0 and 1 in a bool tensor is undefined behaviour in torch
        return torch.frombuffer(bytearray(body), dtype=torch.uint8).ne(0).reshape(shape)
    return torch.frombuffer(bytearray(body), dtype=kind).reshape(shape)


def write_pool(tensors: Mapping[str, torch.Tensor]) -> bytes:
    """Return named tensors as safetensors; `read_pool` is the inverse."""
    return _save({name: tensor.clone() for name, tensor in tensors.items()})


def key_of(tensor: torch.Tensor) -> tuple[Any, ...]:
    """Return what tells a tensor from another."""
    return tensor.dtype, tuple(tensor.shape), array_of(tensor).tobytes()


def largest(tensor: torch.Tensor) -> float:
    """Return the size of its largest finite number; 0 where there is none."""
    finite = tensor.detach()[torch.isfinite(tensor)].double()
    return float(finite.abs().max()) if finite.numel() else 0.0


def alike(first: torch.Tensor, second: torch.Tensor) -> bool:
    """Return True if two tensors are of one type and shape, and equal within rounding."""
    fits = first.dtype == second.dtype and first.shape == second.shape
    return fits and torch.allclose(first.double(), second.double(), equal_nan=True)


def seed() -> None:
    """Begin torch's random numbers anew. torch.manual_seed would write down the stack for every kind of device."""
    torch.default_generator.manual_seed(0)


@contextlib.contextmanager
def seeded() -> Iterator[None]:
    """Restart torch's random numbers inside the context, and restore their state afterwards."""
    with torch.random.fork_rng(devices=[]):
        seed()
        yield
