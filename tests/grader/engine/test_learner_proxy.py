"""A learner's process that answers what no learner's process would: it has crashed, timed out or flooded, and no more."""

import contextlib
import socket
import struct
import threading
import time

import msgspec
import pytest
import torch

from embedding_course.checking.exercise import Case
from embedding_course.exercises import known
from grader.engine.learner_proxy import Crashed, Learner, OutOfTime, TimeBudget, TimedOut, TimeLimits, ask_for
from grader.engine.wire import ANSWER, WireError, receive, send
from grader.engine.zygote import Ended
from tests.support.frames import tensor_frame

FIRST = next(iter(known().values()))


@pytest.fixture
def impostor(monkeypatch: pytest.MonkeyPatch):
    """A learner's process that answers as the test says."""
    mine, theirs = socket.socketpair()
    theirs.settimeout(5)
    learner = Learner(mine, 0, lambda: Ended(0, False, 0.0, 0), TimeLimits(clock=5.0))
    threads = []

    def answer(reply) -> Learner:
        def serve() -> None:
            asked = receive(theirs)
            with contextlib.suppress(WireError):  # hung up on
                reply(theirs, asked[0])

        threads.append(threading.Thread(target=serve))
        threads[-1].start()
        return learner

    with mine, theirs:
        yield answer
        for thread in threads:
            thread.join()


@pytest.mark.parametrize(
    "reply",
    [
        lambda sock, nonce: send(sock, nonce + 1, "reply", {"value": 1}, []),
        lambda sock, nonce: send(sock, nonce, "reply", {"value": {"$tensor": 4}}, []),
        lambda sock, nonce: send(sock, nonce, "reply", {"value": {"$dict": [[[], 1]]}}, []),
        lambda sock, nonce: send(sock, nonce, "reply", {"value": {"$tensor": 0, "strided": True}}, [torch.tensor(1)]),
        lambda sock, nonce: send(sock, nonce, "reply", [1, 2], []),
        lambda sock, nonce: send(sock, nonce, "reply", "passed", []),
        lambda sock, nonce: sock.sendall(tensor_frame("float99", [1], b"")),
        lambda sock, nonce: sock.sendall(struct.pack(">I", ANSWER + 1)),
        lambda sock, nonce: send(sock, nonce, "reply", {"value": [{"$tensor": 0}, {"$tensor": 0}]}, [torch.zeros(2)]),
        lambda sock, nonce: sock.close(),
    ],
    ids=["wrong nonce", "no such tensor", "a list as key", "0-d strided", "a list", "a word", "dtype", "cap", "twice", "gone"],
)
def test_a_learner_that_talks_nonsense_has_crashed(impostor, reply) -> None:
    learner = impostor(reply)
    with pytest.raises(Crashed):
        list(learner.observe(ask_for(FIRST, [Case("a case", {}, "")]), 1))


@pytest.mark.parametrize("reply", [None, 3, [], ["a", "b"], {"a": 1}], ids=repr)
def test_a_learner_that_lies_about_its_cells_has_crashed(impostor, reply) -> None:
    learner = impostor(lambda sock, nonce: send(sock, nonce, "reply", reply, []))
    learner.errors = []
    with pytest.raises(Crashed):
        learner.run("x = 1")


def test_a_learner_that_says_nothing_has_timed_out(impostor) -> None:
    learner = impostor(lambda sock, nonce: None)
    learner._time_limits = TimeLimits(clock=0.05)
    with pytest.raises(TimedOut):
        list(learner.observe(ask_for(FIRST, [Case("a case", {}, "")]), 1))
    assert learner.why() == "timed out"


def test_many_short_waits_use_up_what_a_submission_has(impostor) -> None:
    """No single answer is slow; together they take longer than the submission may."""

    def slowly(sock: socket.socket, nonce: int) -> None:
        for _ in range(100):
            time.sleep(0.02)
            send(sock, nonce, "reply", {"value": 1}, [])

    learner = impostor(slowly)
    learner._budget = TimeBudget(TimeLimits(whole_clock=0.3))
    done = []
    with pytest.raises(OutOfTime):
        for seen in learner.observe(ask_for(FIRST, [Case("a case", {}, "")]), 100):
            done.append(seen)
    assert 5 <= len(done) <= 20
    learner.end()


def test_all_answers_to_an_exercise_together_have_a_most(impostor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.engine.learner_proxy._MAX_OBSERVED_BYTES", 10_000)
    large = {"value": {"$tensor": 0}}

    def answer(sock: socket.socket, nonce: int) -> None:
        for _ in range(10):
            send(sock, nonce, "reply", large, [torch.zeros(500)])

    learner = impostor(answer)
    done = []
    with pytest.raises(Crashed):
        for seen in learner.observe(ask_for(FIRST, [Case("a case", {}, "")]), 10):
            done.append(seen)
    assert len(done) == 2 and learner.why() == "flooded"


_CONTENT = [msgspec.Raw(msgspec.msgpack.encode([{"value": 1}, []])), b""]


@pytest.mark.parametrize(
    ("kind", "content", "beside"),
    [("reply", _CONTENT, [bytes(10**6)]), ("reply", [*_CONTENT, bytes(10**6)], []), ("reply" * 10**5, _CONTENT, [])],
    ids=["behind the content", "in the content", "the kind"],
)
def test_nothing_comes_beside_what_is_weighed(impostor, kind: str, content: list, beside: list) -> None:
    """Answers are kept as they came until the last is there: what rode along unweighed would be kept with them."""

    def answer(sock: socket.socket, nonce: int) -> None:
        body = msgspec.msgpack.encode([nonce, kind, content, *beside])
        sock.sendall(struct.pack(">I", len(body)) + body)

    with pytest.raises(Crashed):
        list(impostor(answer).observe_packed(ask_for(FIRST, [Case("a case", {}, "")]), 1))
