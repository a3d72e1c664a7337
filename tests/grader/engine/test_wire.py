"""The wire: what is no frame is refused, whatever the other side sends."""

import socket
import struct
import threading
import time
import tracemalloc

import pytest
import torch

from embedding_course.checking.codec import decode
from embedding_course.checking.wire_data import DTYPES
from grader.engine import wire
from grader.engine.wire import ANSWER, TooLarge, Waiting, WireError, receive, send
from tests.support.frames import frame, tensor_frame


@pytest.fixture
def ends():
    mine, theirs = socket.socketpair()
    mine.settimeout(5)
    theirs.settimeout(5)
    with mine, theirs:
        yield mine, theirs


@pytest.mark.parametrize("name", list(DTYPES))
@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (2, 0)], ids=str)
def test_tensors_travel(ends, name: str, shape: tuple[int, ...]) -> None:
    mine, theirs = ends
    tensor = torch.ones(shape).to(DTYPES[name])
    send(mine, 5, "reply", {"$tensor": 0}, [tensor])
    nonce, kind, tree, (received,) = receive(theirs)
    assert (nonce, kind, tree) == (5, "reply", {"$tensor": 0})
    assert received.dtype == tensor.dtype and torch.equal(received, tensor)
    received.zero_() if received.numel() else None  # it must be our own memory


def test_gaps_in_memory_do_not_travel(ends) -> None:
    mine, theirs = ends
    grid = torch.arange(12).reshape(3, 4)
    send(mine, 1, "reply", None, [grid.T, grid[:, 1]])
    assert [received.tolist() for received in receive(theirs)[3]] == [grid.T.tolist(), grid[:, 1].tolist()]


def test_a_single_number_cut_from_a_larger_tensor_travels(ends) -> None:
    mine, theirs = ends
    single_number = torch.arange(4.0)[::2][1:]
    assert single_number.is_contiguous() and single_number.stride() == (2,)
    send(mine, 1, "reply", None, [single_number])
    assert [received.tolist() for received in receive(theirs)[3]] == [[2.0]]


def test_large_frames_arrive_in_pieces(ends) -> None:
    mine, theirs = ends
    large = torch.arange(2**19)
    sender = threading.Thread(target=send, args=(mine, 1, "reply", None, [large]))
    sender.start()
    assert torch.equal(receive(theirs)[3][0], large)
    sender.join()


@pytest.mark.parametrize(
    "body",
    [
        tensor_frame("float32", [2], b"\0" * 7),
        tensor_frame("float32", [2], b"\0" * 9),
        tensor_frame("float32", [], b""),
        tensor_frame("float32", [-1], b""),
        tensor_frame("float32", [-1, -1], b"\0" * 4),
        tensor_frame("float32", [2**62, 2**62], b""),
        tensor_frame("float32", [0] * 17, b""),
        tensor_frame("float32", [0, 2**63 - 1, 2**63 - 1], b""),
        tensor_frame("complex64", [1], b"\0" * 8),
        tensor_frame("object", [1], b"\0" * 8),
        tensor_frame("float32", ["2"], b"\0" * 8),
        tensor_frame("float32", None, b""),
        frame(1, "reply", [[None, [["float32"]]], b"\0" * 4]),
        frame(1, "reply", [[None, [["float32", [1]]] * 2], b"\0" * 4]),
        frame(1, "reply", [[None, [["float32", [0, 2**30]]] * 2], b""]),
        frame(1, "reply", [[None, []], b"\0"]),
        frame(1, "reply", [[None, []], 3]),
        frame("1", "reply", [[None, []], b""]),
        frame(1, "reply", 3),
        frame(1, "reply", [3]),
        frame(1, "reply", [[None, 3]]),
        frame(1, "reply", []),
        frame(1, "reply", [[]]),
        frame(1),
        frame(),
        struct.pack(">I", 4) + b"\xc1\xc1\xc1\xc1",
        struct.pack(">I", 0),
        struct.pack(">I", 5000) + b"\x91" * 5000,
        struct.pack(">I", ANSWER + 1),
        struct.pack(">I", 2**32 - 1),
        b"\0\0",
        struct.pack(">I", 10) + b"short",
        b"",
    ],
    ids=lambda body: body[:24].hex(),
)
def test_what_is_no_frame_is_refused(ends, body: bytes) -> None:
    mine, theirs = ends
    theirs.sendall(body)
    theirs.close()
    with pytest.raises(WireError):
        receive(mine)


def test_any_byte_may_stand_for_a_truth_value(ends) -> None:
    mine, theirs = ends
    theirs.sendall(tensor_frame("bool", [3], b"\x00\x07\xff"))
    assert receive(mine)[3][0].tolist() == [False, True, True]


def test_a_frame_over_the_cap_is_not_sent(ends) -> None:
    with pytest.raises(TooLarge, match="cap"):
        send(ends[0], 1, "reply", "x" * 200, [], cap=100)


@pytest.mark.parametrize(
    "body",
    [
        frame(1, "reply", [[[[]] * (ANSWER - 1000), []], b""]),
        frame(1, "reply", [[None, [["int8", [0]]] * (ANSWER // 10)], b""]),
        frame(1, "reply", [[{index: {} for index in range(ANSWER // 10)}, []], b""]),
    ],
    ids=["empty lists", "empty tensors", "empty dicts"],
)
def test_a_frame_that_would_unfold_is_weighed_before_anything_is_built(ends, body: bytes) -> None:
    mine, theirs = ends
    sender = threading.Thread(target=theirs.sendall, args=(body,))
    sender.start()
    tracemalloc.start()
    began = time.process_time()
    try:
        with pytest.raises(TooLarge, match="weighs"):
            receive(mine)
        assert tracemalloc.get_traced_memory()[1] < 4 * ANSWER
    finally:
        tracemalloc.stop()
        sender.join()
    assert time.process_time() - began < 2.0


def test_what_is_weighed_is_what_it_may_take() -> None:
    """The heaviest tree that passes, of the smallest objects that there are, takes no more memory than it weighs."""
    content = wire.pack([[]] * 100_000)
    tracemalloc.start()
    try:
        tree, weight = wire.unpack(content)[0], wire.read_content(content).weight
        value = decode(tree, [])
        assert value == tree and tracemalloc.get_traced_memory()[1] < 3 * weight
    finally:
        tracemalloc.stop()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch):
    """One who gives up waiting after a tenth of a second."""
    monkeypatch.setattr(wire, "TICK", 0.02)

    def watch(waited: float) -> None:
        if waited > 0.1:
            raise InterruptedError

    return Waiting(watch)


def test_silence_is_watched(ends, impatient) -> None:
    ends[0].settimeout(0.02)
    with pytest.raises(InterruptedError):
        receive(ends[0], impatient)


def test_a_slow_drip_is_watched_too(ends, impatient) -> None:
    mine, theirs = ends
    mine.settimeout(0.02)
    theirs.sendall(struct.pack(">I", 1000))
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.005):
            theirs.sendall(b"\0")

    thread = threading.Thread(target=drip)
    thread.start()
    try:
        with pytest.raises(InterruptedError):
            receive(mine, impatient)
    finally:
        stop.set()
        thread.join()


def test_one_that_does_not_listen_is_watched(ends, impatient) -> None:
    ends[0].settimeout(0.02)
    with pytest.raises(InterruptedError):
        send(ends[0], 1, "observe", "x" * 10**7, [], impatient)
