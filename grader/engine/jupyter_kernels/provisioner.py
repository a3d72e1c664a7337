r"""Provide kernels to jupyter_client that are forks of the warm zygote: sandboxed, and ready at once.

Any tool that takes a kernel manager class can have them::

    jupyter nbconvert --execute \
        --ExecutePreprocessor.kernel_manager_class=grader.engine.jupyter_kernels.provisioner.ZygoteKernelManager
"""

import asyncio
import atexit
import contextlib
import os
import socket
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.provisioner_base import KernelProvisionerBase
from traitlets import Any as AnyTrait

from ..fork_server import Learners
from ..forks import Fork, Forks
from ..process import is_over
from ..zygote import Ended
from .app import CHANNELS

_POLL = 0.02


@cache
def _shared() -> Learners:
    """Return the zygote for tools that know nothing of ours."""
    learners = Learners(kernels=True, topics=())
    atexit.register(learners.close)
    return learners


class ZygoteProvisioner(KernelProvisionerBase):
    """Starts kernels as forks. `fork` is the process with the socket of its wire, `ended` how it went."""

    fork: Fork | None = None
    ended: Ended | None = None

    @property
    def has_process(self) -> bool:
        """Return True if a kernel was started and has not ended."""
        return self.fork is not None and self.ended is None

    async def pre_launch(self, **kwargs: Any) -> dict[str, Any]:
        """Make a temporary folder for the sockets of the kernel's channels, and enter their addresses in the kernel manager."""
        self._folder = tempfile.TemporaryDirectory(prefix="kernel-")
        manager = self._manager()
        manager.transport, manager.ip = "ipc", str(Path(self._folder.name, "socket"))
        for number, channel in enumerate(CHANNELS, 1):
            setattr(manager, f"{channel}_port", number)
        return await super().pre_launch(cmd=[], **kwargs)

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> Any:
        """Listen on a socket for each channel, and fork a kernel that inherits them; `cmd` is not used."""
        manager = self._manager()
        forks: Forks = getattr(manager, "forks", None) or _shared()
        with contextlib.ExitStack() as stack:
            listening = []
            for number in range(1, len(CHANNELS) + 1):
                sock = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM))
                sock.bind(f"{manager.ip}-{number}")
                sock.listen()
                listening.append(sock.fileno())
            self.fork, self.ended = forks.fork(listening, manager.session.key), None
        self.connection_info = manager.get_connection_info()
        return self.connection_info

    def _manager(self) -> Any:
        if self.parent is None:
            raise RuntimeError("a kernel of the zygote needs a kernel manager")
        return self.parent

    async def poll(self) -> int | None:
        """Return the exit code of the kernel; None while it runs."""
        if self.fork and self.ended is None and is_over(self.fork.pid):
            self.ended = self.fork.end()
        return self.ended.code if self.ended else None

    async def wait(self) -> int | None:
        """Wait until the kernel has ended, and return its exit code."""
        while self.has_process and await self.poll() is None:
            await asyncio.sleep(_POLL)
        return self.ended.code if self.ended else None

    async def send_signal(self, signum: int) -> None:
        """Send a signal to the kernel, if it runs."""
        if self.fork and self.has_process:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.fork.pid, signum)

    async def kill(self, restart: bool = False) -> None:
        """End the kernel, if it has not ended."""
        if self.fork and self.ended is None:
            self.ended = self.fork.end()

    async def terminate(self, restart: bool = False) -> None:
        """End the kernel, if it has not ended, as `kill` does."""
        await self.kill(restart)

    async def finish(self) -> Ended:
        """End the process and remove what it left; how it went."""
        await self.cleanup()
        assert self.ended is not None
        return self.ended

    async def cleanup(self, restart: bool = False) -> None:
        """End the kernel and remove the folder of its sockets."""
        await self.kill(restart)
        self._folder.cleanup()


class ZygoteKernelManager(AsyncKernelManager):
    """A kernel manager that knows one kind of kernel, whatever name it is asked for."""

    forks = AnyTrait(help="where the kernels come from; a zygote of one's own unless said")

    @property
    def kernel_spec(self) -> KernelSpec:
        """Return the description of the one kind of kernel, which `ZygoteProvisioner` starts."""
        return KernelSpec(
            argv=[],
            display_name="Sealed Python",
            language="python",
            interrupt_mode="signal",
            metadata={"kernel_provisioner": {"provisioner_name": "embedding-course"}},
        )
