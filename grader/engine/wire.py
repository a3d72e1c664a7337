"""The wire between the trusted process and the learner's: length-prefixed msgpack frames of plain data.

A frame is ``[nonce, kind, [tree, tensors]]``: a tree as `embedding_course.codec` makes it, and for each tensor its
type's name, its shape and its bytes. Types come from a white-list, sizes must be exact, frames are capped, and
nothing is ever unpickled.
"""

from __future__ import annotations

import math
import socket
import struct
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import torch

from embedding_course.plain import DTYPES, dtype_name

__all__ = ["CAP", "TICK", "Frame", "TooLarge", "Watch", "WireError", "pack", "receive", "send"]

CAP = 64 * 2**20
#: Seconds between two looks of a watch.
TICK = 0.25

Watch = Callable[[float], None]


class WireError(Exception):
    """The other side closed the connection or sent something that is no frame."""


class TooLarge(WireError):
    """A frame would be over the cap."""


def _never(since: float) -> None:
    """A watch that lets everything wait for ever."""


class Frame(msgspec.Struct, array_like=True):
    nonce: int
    kind: str
    content: msgspec.Raw


class Content(msgspec.Struct, array_like=True):
    tree: Any
    tensors: list[tuple[str, list[int], bytes]] = []


_decoder = msgspec.msgpack.Decoder(Frame)
_contents = msgspec.msgpack.Decoder(Content)
_encoder = msgspec.msgpack.Encoder()


def _bytes(tensor: torch.Tensor) -> bytes:
    if not tensor.numel():
        return b""
    flat = tensor.detach().contiguous().reshape(-1)
    if flat.stride() != (1,):  # a single number counts as contiguous whatever its stride is, but cannot be viewed as bytes
        flat = flat.clone(memory_format=torch.contiguous_format)
    return flat.view(torch.uint8).numpy().tobytes()


def pack(tree: Any, tensors: Sequence[torch.Tensor]) -> bytes:
    """What a frame holds, ready to be sent any number of times."""
    return _encoder.encode(Content(tree, [(dtype_name(one.dtype), list(one.shape), _bytes(one)) for one in tensors]))


def send(
    sock: socket.socket, nonce: int, kind: str, tree: Any, tensors: Sequence[torch.Tensor] = (), watch: Watch = _never
) -> None:
    """Send one frame. `tree` may be a packed content. TooLarge when it is over the cap, WireError when the other
    side is gone."""
    content = tree if isinstance(tree, msgspec.Raw) else msgspec.Raw(pack(tree, tensors))
    body = _encoder.encode(Frame(nonce, kind, content))
    if len(body) > CAP:
        raise TooLarge(f"a frame of {len(body)} bytes is over the cap of {CAP}")
    rest, patience = memoryview(struct.pack(">I", len(body)) + body), _Patience(watch)
    while rest:
        try:
            rest = rest[sock.send(rest) :]
        except TimeoutError:
            pass
        except OSError as error:
            raise WireError("the other side is gone") from error
        patience.look()


def receive(sock: socket.socket, watch: Watch = _never) -> tuple[int, str, Any, list[torch.Tensor]]:
    """Receive one frame. WireError on anything that is no frame.

    `watch` is called about four times a second while waiting, however slowly bytes drip in; what it raises comes out.
    The socket needs a timeout for that.
    """
    patience = _Patience(watch)
    (length,) = struct.unpack(">I", _exactly(sock, 4, patience))
    if length > CAP:
        raise TooLarge(f"a frame of {length} bytes is announced; the cap is {CAP}")
    try:
        frame = _decoder.decode(_exactly(sock, length, patience))
        content = _contents.decode(frame.content)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise WireError("what came is no frame") from error
    return frame.nonce, frame.kind, content.tree, [_tensor(*packed) for packed in content.tensors]


def _tensor(dtype: str, shape: list[int], body: bytes) -> torch.Tensor:
    if dtype not in DTYPES or len(shape) > 16 or any(size < 0 for size in shape):
        raise WireError("a tensor of a type or shape that may not travel")
    if len(body) != math.prod(shape) * DTYPES[dtype].itemsize:
        raise WireError("a tensor whose bytes do not fit its shape")
    if not body:
        if math.prod(max(size, 1) for size in shape) > CAP:  # torch's strides would overflow
            raise WireError("an empty tensor of an absurd shape")
        return torch.empty(shape, dtype=DTYPES[dtype])
    if dtype == "bool":  # any byte but 0 and 1 in a bool tensor is undefined behaviour in torch
        return torch.frombuffer(bytearray(body), dtype=torch.uint8).ne(0).reshape(shape)
    return torch.frombuffer(bytearray(body), dtype=DTYPES[dtype]).reshape(shape)


class _Patience:
    """Calls a watch with the seconds waited, at most four times a second."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.start = self.last = time.monotonic()

    def look(self) -> None:
        now = time.monotonic()
        if now - self.last >= TICK:
            self.last = now
            self.watch(now - self.start)


def _exactly(sock: socket.socket, count: int, patience: _Patience) -> bytes:
    chunks, missing = [], count
    while missing:
        try:
            chunk = sock.recv(min(missing, 2**20))
        except TimeoutError:
            patience.look()
            continue
        except OSError as error:
            raise WireError("the other side is gone") from error
        if not chunk:
            raise WireError("the other side closed the connection")
        chunks.append(chunk)
        missing -= len(chunk)
        patience.look()
    return b"".join(chunks)
