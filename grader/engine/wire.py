"""The wire between the trusted process and the learner's: length-prefixed msgpack frames of plain data.

A frame is ``[nonce, kind, [head, body]]``. The head holds a tree as `embedding_course.checking.codec` makes it and the
type and shape of each tensor; the body holds the tensors' bytes, one behind the other. Types come from a white-list, sizes
must be exact, and nothing is ever unpickled.

A tree of a few bytes can unfold to many objects, so a head is weighed before anything is built from it.
"""

import math
import socket
import struct
import time
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec

from embedding_course.checking.carried import DTYPES, bytes_of, of_bytes
from embedding_course.checking.wire_data import MAX_AXES, MAX_EMPTY_SPAN, dtype_name
from embedding_course.subject.tensors import torch

#: The largest frame that we send: a cell of a submission may be long.
CAP = 64 * 2**20
#: The most that an answer may weigh. The heaviest honest one, wrong answers included, weighs a ninth of it
#: (tests/grader/engine/test_answer_sizes.py measures that).
ANSWER = 8 * 2**20
#: How many bytes of memory one byte of a head may become: an empty list is one byte in a frame and 72 as an object.
_UNFOLDED = 64
_NO_FRAME = "what came is no frame"
_MAX_KIND_CHARACTERS = 16
#: Seconds between two looks of a watch.
TICK = 0.25

Watch = Callable[[float], None]


class WireError(Exception):
    """The other side closed the connection or sent something that is no frame."""


class TooLarge(WireError):
    """A frame would be over the cap."""


class Waiting:
    """How long one question has taken so far, over all frames that it takes.

    `watch` is called with the seconds since `begin`, at most four times a second. The wait ends if it raises.
    """

    def __init__(self, watch: Watch = lambda waited: None) -> None:
        self._watch = watch
        self._began = self._looked = time.monotonic()

    def begin(self) -> None:
        """Start to measure the time anew."""
        self._began = time.monotonic()

    def waited(self) -> float:
        """Return the seconds since `begin`."""
        return time.monotonic() - self._began

    def look(self) -> None:
        """Call `watch` with the seconds since `begin`, unless it was called a moment ago."""
        now = time.monotonic()
        if now - self._looked >= TICK:
            self._looked = now
            self._watch(now - self._began)


class Frame(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A message on the wire. All large fields are in `content`, whose size is checked."""

    nonce: int
    kind: Annotated[str, msgspec.Meta(max_length=_MAX_KIND_CHARACTERS)]
    content: msgspec.Raw


class Content(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What a frame carries: the packed `Head`, and the bytes of all tensors one after the other."""

    head: msgspec.Raw
    body: bytes = b""

    @property
    def weight(self) -> int:
        """Return about how many bytes it may take when it is unpacked."""
        return _UNFOLDED * len(memoryview(self.head)) + len(self.body)


class Head(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The value that a frame carries, and the dtype and shape of each tensor in the body."""

    tree: Any
    tensors: list[tuple[str, list[int]]] = []


_frames = msgspec.msgpack.Decoder(Frame)
_contents = msgspec.msgpack.Decoder(Content)
_heads = msgspec.msgpack.Decoder(Head)
_encoder = msgspec.msgpack.Encoder()


def pack(tree: Any, tensors: Sequence[torch.Tensor] = ()) -> bytes:
    """Return what a frame holds, ready to be sent any number of times."""
    head = _encoder.encode(Head(tree, [(dtype_name(tensor.dtype), list(tensor.shape)) for tensor in tensors]))
    return _encoder.encode(Content(msgspec.Raw(head), b"".join(map(bytes_of, tensors))))


def read_content(packed: bytes | msgspec.Raw, most: float = ANSWER) -> Content:
    """Return a content whose value and tensors are still packed.

    Raises
    ------
    TooLarge
        If its weight is more than `most`.
    WireError
        If it is no content.
    """
    try:
        content = _contents.decode(packed)
    except (msgspec.DecodeError, msgspec.ValidationError) as error:
        raise WireError(_NO_FRAME) from error
    if content.weight > most:
        raise TooLarge(f"a content that weighs {content.weight}; the most is {most}")
    return content


def unpack(content: bytes | msgspec.Raw | Content, most: float = ANSWER) -> tuple[Any, list[torch.Tensor]]:
    """Return the tree and the tensors of a content. Raise TooLarge if it weighs more than `most`, WireError if it is none."""
    frame = content if isinstance(content, Content) else read_content(content, most)
    try:
        head = _heads.decode(frame.head)
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise WireError(_NO_FRAME) from error
    return head.tree, _tensors(head.tensors, frame.body)


def send(
    sock: socket.socket,
    nonce: int,
    kind: str,
    tree: Any,
    tensors: Sequence[torch.Tensor] = (),
    waiting: Waiting | None = None,
    cap: float = CAP,
) -> None:
    """Send one frame.

    Parameters
    ----------
    sock : socket.socket
    nonce : int
        Number of the exchange; an answer carries the nonce of its question.
    kind : str
        What the frame is, such as the name of a request.
    tree : Any
        Value of plain Python types, or the result of `pack` as `msgspec.Raw`.
    tensors : sequence of torch.Tensor, optional
        Tensors to which `tree` refers; not used if `tree` is packed already.
    waiting : Waiting, optional
        Watches the time while the frame is sent.
    cap : float, optional
        Largest size of the frame, in bytes.

    Raises
    ------
    TooLarge
        If the frame is over the cap.
    WireError
        If the other side is gone.
    """
    content = tree if isinstance(tree, msgspec.Raw) else msgspec.Raw(pack(tree, tensors))
    body = _encoder.encode(Frame(nonce, kind, content))
    if len(body) > cap:
        raise TooLarge(f"a frame of {len(body)} bytes is over the cap of {cap}")
    rest, waiting = memoryview(struct.pack(">I", len(body)) + body), waiting or Waiting()
    while rest:
        try:
            rest = rest[sock.send(rest) :]
        except TimeoutError:
            pass
        except OSError as error:
            raise WireError("the other side is gone") from error
        waiting.look()


def receive_frame(sock: socket.socket, waiting: Waiting | None = None, cap: float = CAP) -> Frame:
    """Receive one frame and leave its content packed.

    Parameters
    ----------
    sock : socket.socket
    waiting : Waiting, optional
        Watches the time even if bytes come slowly; the socket needs a timeout for that.
    cap : float, optional
        Largest size of the frame, in bytes.

    Raises
    ------
    TooLarge
        If the frame is over the cap.
    WireError
        If something else than a frame comes.
    """
    waiting = waiting or Waiting()
    (length,) = struct.unpack(">I", _exactly(sock, 4, waiting))
    if length > cap:
        raise TooLarge(f"a frame of {length} bytes is announced; the cap is {cap}")
    try:
        return _frames.decode(_exactly(sock, length, waiting))
    except (msgspec.DecodeError, msgspec.ValidationError, RecursionError) as error:
        raise WireError(_NO_FRAME) from error


def receive(
    sock: socket.socket, waiting: Waiting | None = None, most: float = ANSWER
) -> tuple[int, str, Any, list[torch.Tensor]]:
    """Receive one frame and unpack it.

    Parameters
    ----------
    sock : socket.socket
    waiting : Waiting, optional
        Watches the time even if bytes come slowly; the socket needs a timeout for that.
    most : float, optional
        Most bytes that the unpacked content may take.

    Returns
    -------
    tuple
        The nonce, the kind, the tree and the tensors of the frame.

    Raises
    ------
    TooLarge
        If its content takes more than `most` bytes.
    WireError
        If something else than a frame comes.
    """
    frame = receive_frame(sock, waiting, min(most, CAP))
    return frame.nonce, frame.kind, *unpack(frame.content, most)


def _tensors(described: Sequence[tuple[str, list[int]]], body: bytes) -> list[torch.Tensor]:
    """Cut the body into tensors. No byte may be left over or missing."""
    tensors: list[torch.Tensor] = []
    offset, empty = 0, 0
    for dtype, shape in described:
        if dtype not in DTYPES or len(shape) > MAX_AXES or any(size < 0 for size in shape):
            raise WireError("a tensor of a type or shape that may not travel")
        end = offset + math.prod(shape) * DTYPES[dtype].itemsize
        empty += math.prod(max(size, 1) for size in shape) if end == offset else 0
        if end > len(body) or empty > MAX_EMPTY_SPAN:
            raise WireError("a tensor whose bytes do not fit its shape")
        tensors.append(of_bytes(dtype, shape, body[offset:end]))
        offset = end
    if offset != len(body):
        raise WireError("bytes that belong to no tensor")
    return tensors


def _exactly(sock: socket.socket, count: int, waiting: Waiting) -> bytes:
    chunks, missing = [], count
    while missing:
        try:
            chunk = sock.recv(min(missing, 2**20))
        except TimeoutError:
            waiting.look()
            continue
        except OSError as error:
            raise WireError("the other side is gone") from error
        if not chunk:
            raise WireError("the other side closed the connection")
        chunks.append(chunk)
        missing -= len(chunk)
        waiting.look()
    return b"".join(chunks)
