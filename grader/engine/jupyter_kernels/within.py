"""What runs inside a kernel: before the cells a clean start, after them the wire.

Like the worker, this module must not import the catalogues: it is in reach of student code.
"""

import contextlib
import os
import random
import socket
import tempfile
from typing import Any

import numpy as np

from embedding_course.checking.intake.progress_bars import offer_progress_bars
from embedding_course.checking.intake.quiet_shell import calm
from embedding_course.subject.tensors import TENSORS, torch

from ..sandbox.resource_limits import Limits, apply
from ..worker import Worker

_wire: list[socket.socket] = []


def begin(shell: Any) -> None:
    """The same start as in the engine: nobody watches, random generators are seeded."""
    calm(shell)
    offer_progress_bars()
    random.seed(0)
    np.random.seed(0)
    if TENSORS:
        torch.manual_seed(0)


def bound(limits: Limits) -> None:
    """A folder of one's own, and the limits that this platform has."""
    os.chdir(tempfile.mkdtemp(prefix="learner-"))
    with contextlib.suppress(ImportError):  # there are none on Windows
        apply(limits, own_user=False)


def connect(port: int, word: str, output: int) -> None:
    """Reach the trusted side on this machine, say the word that it waits for, and serve."""
    wire = socket.create_connection(("127.0.0.1", port))
    wire.sendall(word.encode("ascii"))
    _wire[:] = [wire]
    hand_over(output)


def hand_over(output: int) -> None:
    """Serve the wire with this kernel's shell, to its end."""
    from IPython.core.getipython import get_ipython

    Worker(_wire[0], get_ipython(), output).serve()
    os._exit(0)
