"""The runner whose cells go through nbclient."""

import os

import nbformat
from nbclient.exceptions import DeadKernelError
from nbclient.util import run_sync

from ..fork_server import Learners
from ..learner import Crashed
from ..sandbox import Level
from ..time_limits import TimeBudget
from .learner import KernelLearner, QuietClient
from .provisioner import ZygoteKernelManager, ZygoteProvisioner

__all__ = ["ZygoteKernels"]


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
