"""A call that waits for the network, with an end that neither the other side nor a name server can put off."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from review_gate.shell.process import Commands

T = TypeVar("T")


class InterruptedCallError(Exception):
    """The run that the call was for is being ended."""


def call_within(seconds: float, call: Callable[[], Awaitable[T]], commands: Commands) -> T:
    """What a call brings; a TimeoutError at its end, an InterruptedCallError when the run is ended before.

    A timeout of the HTTP library begins anew with every byte. A task can be cancelled wherever it waits, and closes its
    connections on the way out.
    """
    with asyncio.Runner(loop_factory=_Loop) as runner:
        try:
            return runner.run(_bounded(seconds, call, commands))
        except asyncio.CancelledError:
            raise InterruptedCallError from None


async def _bounded(seconds: float, call: Callable[[], Awaitable[T]], commands: Commands) -> T:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()

    def cancel() -> None:
        # The loop may be closed by now.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(task.cancel if task else loop.stop)

    with commands.ended_by_interrupt(cancel):
        async with asyncio.timeout(seconds):
            return await call()


class _Loop(asyncio.SelectorEventLoop):
    """A loop that need not wait for name servers: threads of asyncio's own are waited for at its end, and at exit."""

    async def getaddrinfo(self, *arguments: Any, **options: Any) -> Any:
        """The addresses of a host, asked for in a thread that nobody waits for."""
        future: asyncio.Future[Any] = self.create_future()

        def look_up() -> None:
            try:
                found: object = socket.getaddrinfo(*arguments, **options)
            except Exception as error:
                found = error
            with contextlib.suppress(RuntimeError):
                self.call_soon_threadsafe(settle, found)

        def settle(found: object) -> None:
            if not future.done():
                future.set_exception(found) if isinstance(found, Exception) else future.set_result(found)

        threading.Thread(target=look_up, daemon=True).start()
        return await future
