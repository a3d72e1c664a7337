"""The runner whose cells go through nbclient: a learner's kernel is asked for the rest over the wire."""

import os
import socket
import time
from collections.abc import Callable
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbclient.util import run_sync
from nbformat.notebooknode import NotebookNode

from ..fork_server import Learners
from ..learner_proxy import Crashed, Learner
from ..sandbox import Level
from ..time_budget import TimeBudget, TimedOut, TimeLimits
from ..zygote import Ended
from .provisioner import ZygoteKernelManager, ZygoteProvisioner


class QuietClient(NotebookClient):
    """Runs cells and keeps nothing of what they show, only how much it was. Gives up on a cell that shows too much."""

    shown = 0
    most = 16 * 2**20

    def process_message(self, msg: dict[str, Any], cell: NotebookNode, cell_index: int) -> NotebookNode | None:
        """Count the output instead of storing it; stop waiting for the cell when it printed more than it may.

        Parameters
        ----------
        msg : dict of str to Any
            Message that the kernel sent.
        cell : NotebookNode
            Cell that is running.
        cell_index : int
            Position of the cell in the notebook.
        """
        if msg["msg_type"] in ("stream", "display_data", "execute_result", "update_display_data"):
            self.shown += len(str(msg["content"]))
            if self.shown > self.most:
                waiting = self.task_poll_for_reply
                assert waiting is not None
                waiting.cancel()
            return None
        return super().process_message(msg, cell, cell_index)


class KernelLearner(Learner):
    """A learner whose cells run in a Jupyter kernel, which the line `join` then tells to serve the wire.

    `sock` is the trusted end of the wire.
    """

    def __init__(
        self,
        client: QuietClient,
        sock: socket.socket,
        join: str,
        pid: int,
        end: Callable[[], Ended],
        time_limits: TimeLimits,
        budget: TimeBudget | None = None,
        is_too_full: Callable[[], bool] = lambda: False,
    ) -> None:
        self._client, self._join = client, join
        self._joined = False
        super().__init__(sock, pid, end, time_limits, budget, is_too_full)

    def run(self, *cells: str) -> str | None:
        """Run cells in order, through the kernel until it serves the wire.

        Returns
        -------
        str or None
            What the last cell raised.
        """
        if self._joined:  # a kernel that serves the wire takes no more cells from nbclient: they go the same way
            return super().run(*cells)
        self.cells += cells
        for source in cells:
            self._budget.look()
            began = time.monotonic()
            try:
                self._note(*self._run(source))
                self._look_at_files()
            finally:
                self._budget.clock -= time.monotonic() - began
        return self.errors[-1] if self.errors else None

    def _run(self, source: str) -> tuple[str | None, str, int]:
        if not source.strip():
            return None, "", 0
        reply: dict[str, Any] = {}
        self._client.timeout = max(1, round(min(self._time_limits.clock, self._budget.clock)))
        self._client.on_cell_executed = lambda execute_reply, **_: reply.update(execute_reply["content"])
        try:
            self._client.execute_cell(nbformat.v4.new_code_cell(source), 0)
        except CellTimeoutError:
            self._late = True
            self._budget.look(self._client.timeout)
            raise TimedOut from None
        except DeadKernelError as error:
            self._large = self._client.shown > self._client.most
            raise Crashed(str(error)) from None
        name = None if reply.get("status") == "ok" else str(reply.get("ename", "error"))
        return name, str(reply.get("evalue", "")), 0  # a kernel does not tell the line

    def _send(self, kind: str, tree: Any, tensors: Any) -> int:
        if not self._joined:
            assert self._client.kc is not None
            self._client.kc.execute(self._join, silent=True, store_history=False)
            self._joined = True
        return super()._send(kind, tree, tensors)

    def end(self) -> Ended:
        """Close the channels to the kernel, end its process, and return how it ended."""
        if self._ended is None:
            if self._client.kc is not None:
                self._client.kc.stop_channels()
            super().end()
        assert self._ended is not None
        return self._ended


class ZygoteKernels:
    """Kernels forked from the warm zygote, sealed as everything that comes from it. Use as a context manager."""

    runner = "kernel"

    def __init__(self, learners: Learners) -> None:
        self.learners, self.time_limits = learners, learners.time_limits
        self.level: Level = learners.level
        self.how = learners.how

    def start(self, *, budget: TimeBudget | None = None) -> KernelLearner:
        """Start a kernel for a learner. Raise Crashed if it does not start."""
        output = self.learners.limits.output
        one_cell = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell()])
        manager = ZygoteKernelManager(forks=self.learners)
        client = QuietClient(one_cell, km=manager, allow_errors=True, store_widget_state=False)
        client.most = output
        client.extra_arguments = ["--IPKernelApp.log_level=40"]
        client.reset_execution_trackers()
        try:
            client.start_new_kernel(env=dict(os.environ))
            client.start_new_kernel_client()
        except (RuntimeError, DeadKernelError) as error:
            raise Crashed("the kernel did not start") from error
        assert isinstance(manager.provisioner, ZygoteProvisioner)
        fork = manager.provisioner.fork
        assert fork is not None
        end = run_sync(manager.provisioner.finish)
        join = f"__import__('grader.engine.jupyter_kernels.app', fromlist=['x']).hand_over({output})"
        return KernelLearner(client, fork.wire, join, fork.pid, end, self.time_limits, budget, fork.is_too_full)
