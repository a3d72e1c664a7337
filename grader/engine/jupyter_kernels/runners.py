"""The two runners whose cells go through nbclient."""

import os
import secrets
import signal
import socket

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient.exceptions import DeadKernelError
from nbclient.util import run_sync

from ..fork_server import Learners, NoSandbox
from ..learner import Crashed
from ..process import cpu_seconds
from ..sandbox import Level, Limits
from ..time_limits import TimeBudget, TimeLimits
from ..zygote import Ended
from .learner import KernelLearner, QuietClient
from .provisioner import ZygoteKernelManager, ZygoteProvisioner


def _begin(manager: AsyncKernelManager, limits: Limits) -> QuietClient:
    """Return a started kernel with its client, ready for the first cell."""
    one_cell = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell()])
    client = QuietClient(one_cell, km=manager, allow_errors=True, store_widget_state=False)
    client.most = limits.output
    client.extra_arguments = ["--IPKernelApp.log_level=40"]
    client.reset_execution_trackers()
    try:
        client.start_new_kernel(env=dict(os.environ))
        client.start_new_kernel_client()
    except (RuntimeError, DeadKernelError) as error:
        raise Crashed("the kernel did not start") from error
    return client


class ZygoteKernels:
    """Kernels forked from the warm zygote, sealed as everything that comes from it. Use as a context manager."""

    runner = "kernel"

    def __init__(self, learners: Learners) -> None:
        self.learners, self.time_limits = learners, learners.time_limits
        self.level: Level = learners.level
        self.how = learners.how

    def start(self, *, budget: TimeBudget | None = None) -> KernelLearner:
        client = _begin(ZygoteKernelManager(forks=self.learners), self.learners.limits)
        assert client.km is not None and isinstance(client.km.provisioner, ZygoteProvisioner)
        fork = client.km.provisioner.fork
        assert fork is not None
        end = run_sync(client.km.provisioner.finish)

        join = f"__import__('grader.engine.jupyter_kernels.app', fromlist=['x']).hand_over({self.learners.limits.output})"
        return KernelLearner(client, lambda: fork.wire, join, fork.pid, end, self.time_limits, budget, fork.is_too_full)


class StockKernels:
    """Kernels as nbclient starts them: every one imports torch anew, and nothing but limits shuts it in.

    For platforms where a process cannot be forked. NoSandbox unless `trusted`.
    """

    runner = "stock"
    level: Level = "none"
    how = "limits only"

    def __init__(self, *, trusted: bool, limits: Limits | None = None, time_limits: TimeLimits | None = None) -> None:
        if not trusted:
            raise NoSandbox("stock kernels shut nothing in; say --trust-submissions if you trust every file")
        self.limits, self.time_limits = limits or Limits(), time_limits or TimeLimits()

    def start(self, *, budget: TimeBudget | None = None) -> KernelLearner:
        client = _begin(AsyncKernelManager(kernel_name="python3"), self.limits)
        assert client.km is not None
        listening = socket.create_server(("127.0.0.1", 0))
        listening.settimeout(self.time_limits.clock)
        word = secrets.token_hex(16)
        process = client.km.provisioner.process  # type: ignore[union-attr]
        end = _Ending(client, process, listening)
        join = f"_within.connect({listening.getsockname()[1]}, {word!r}, {self.limits.output})"
        learner = KernelLearner(client, lambda: _accept(listening, word), join, process.pid, end, self.time_limits, budget)
        limits = {name: getattr(self.limits, name) for name in Limits.__dataclass_fields__}
        learner.run(
            "from grader.engine.jupyter_kernels import app as _within\n"
            "from grader.engine.sandbox.resource_limits import Limits as _Limits\n"
            f"_within.begin(get_ipython())\n_within.bound(_Limits(**{limits!r}))"
        )
        learner.errors.clear()
        return learner


class _Ending:
    """End a stock kernel, and say how it went."""

    def __init__(self, client: QuietClient, process: object, listening: socket.socket) -> None:
        self.client, self.process, self.listening = client, process, listening

    def __call__(self) -> Ended:
        self.listening.close()
        code = self.process.poll()  # type: ignore[attr-defined]
        cpu = cpu_seconds(self.process.pid)  # type: ignore[attr-defined]
        manager = self.client.km
        assert manager is not None
        run_sync(manager.shutdown_kernel)(now=True)  # type: ignore[arg-type]
        return Ended(-int(signal.SIGTERM) if code is None else code, code is None, cpu, 0)


def _accept(listening: socket.socket, word: str) -> socket.socket:
    """Return the connection of the kernel that knows the word."""
    while True:
        sock, _ = listening.accept()
        sock.settimeout(5.0)
        if secrets.compare_digest(sock.recv(len(word), socket.MSG_WAITALL), word.encode("ascii")):
            return sock
        sock.close()
