"""A kernel in a fork of the zygote. Its sockets were made outside, so it needs no sight of the files behind them.

Like the worker, this module must not import the catalogues: it is in reach of student code.
"""

from __future__ import annotations

import os
import random
import socket
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from embedding_course.checking.intake.progress_bars import offer_progress_bars
from embedding_course.checking.intake.quiet_shell import calm
from embedding_course.subject.tensors import TENSORS, torch

from ..worker import Worker

__all__ = ["CHANNELS", "hand_over", "serve"]

#: The sockets of a kernel, in the order in which they are handed over.
CHANNELS = ("shell", "iopub", "stdin", "hb", "control")
_wire: list[socket.socket] = []


def serve(wire: int, listening: Sequence[int], key: bytes) -> None:
    """Run as a kernel until the process is ended.

    Parameters
    ----------
    wire : int
        Descriptor of the socket to the trusted side.
    listening : sequence of int
        Descriptors of the sockets that listen, in the order of `CHANNELS`.
    key : bytes
        Key with which the kernel signs its messages.
    """
    import zmq
    from ipykernel import kernelapp
    from ipykernel.heartbeat import Heartbeat
    from ipykernel.iostream import IOPubThread
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    handed = dict(zip(CHANNELS, listening, strict=True))

    class PipelessThread(IOPubThread):
        """Without the pipe for what child processes print: it would need the network, and there are no children."""

        def __init__(self, socket: Any, pipe: bool = False, session: Any = False) -> None:
            super().__init__(socket, pipe=False, session=session)

    class HandedHeartbeat(Heartbeat):
        def _try_bind_socket(self) -> Any:
            return _take(self.socket, handed["hb"])

    class HandedApp(kernelapp.IPKernelApp):
        def _try_bind_socket(self, s: Any, port: int) -> int:
            _take(s, listening[port - 1])
            return port

        def init_connection_file(self) -> None:
            """Do nothing; no connection file is needed, because the addresses are known already."""

        def write_connection_file(self, **_: Any) -> None:
            pass

        def init_heartbeat(self) -> None:
            self.heartbeat = HandedHeartbeat(zmq.Context(), ("ipc", "handed", CHANNELS.index("hb") + 1))
            self.heartbeat.start()

    _wire[:] = [socket.socket(fileno=wire)]
    kernelapp.__dict__["IOPubThread"] = PipelessThread
    InteractiveShell.clear_instance()
    config = Config()
    config.HistoryManager.enabled = False
    config.Session.key = key
    config.IPKernelApp.update(transport="ipc", ip="handed", log_level=50)
    for number, channel in enumerate(CHANNELS, 1):
        config.IPKernelApp[f"{channel}_port"] = number
    sys.argv = ["kernel"]
    app = HandedApp.instance(config=config)
    app.initialize([])
    _begin(app.shell)
    app.start()


def _begin(shell: Any) -> None:
    """Start as the engine does: nobody watches, and random generators are seeded."""
    calm(shell)
    offer_progress_bars()
    random.seed(0)
    np.random.seed(0)
    if TENSORS:
        torch.manual_seed(0)


def hand_over(output: int) -> None:
    """Serve the wire with this kernel's shell, to its end."""
    from IPython.core.getipython import get_ipython

    Worker(_wire[0], get_ipython(), output).serve()
    os._exit(0)


def _take(zmq_socket: Any, descriptor: int) -> None:
    import zmq

    zmq_socket.setsockopt(zmq.USE_FD, descriptor)
    zmq_socket.bind("ipc://handed")
