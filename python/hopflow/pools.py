"""Pools that make the batches of a sweep: threads of this process, or workers of Dask or Ray.

A pool takes batches and returns their results, in any order. It may make a batch more than once,
when a worker is lost; it returns each once.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from hopflow.errors import HopflowError, InputError, RunError
from hopflow.packages import package

# Points from the first up to the second, which is excluded.
Batch = tuple[int, int]
# The lines of a batch, and the seconds that it took.
Made = tuple[str, float]
# Arguments of all batches, before their points.
Fixed = tuple[Any, ...]

# How long a cluster may take until it has a worker.
PATIENCE_S = 60


class Pool(Protocol):
    """Makes batches."""

    def slots(self) -> int:
        """The number of batches that can be made at once."""

    def submit(self, batch: Batch) -> None:
        """Takes a batch."""

    def next(self) -> tuple[Batch, Made | None]:
        """A batch that has ended; `None`: its worker died repeatedly. May raise the exception that
        making it raised."""

    def close(self, done: bool) -> None:
        """Cancels the batches under way, if not all are done."""


def cores() -> int:
    """Cores that this process may use, if the system reports that; else all cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Threads:
    """Threads of this process."""

    def __init__(
        self, make: Callable[[int, int], Made], stop: Callable[[], None], count: int | None
    ) -> None:
        self._make, self._stop = make, stop
        self._count = count or cores()
        self._pool = ThreadPoolExecutor(self._count)
        self._flying: dict[Future[Made], Batch] = {}

    def slots(self) -> int:
        return self._count

    def submit(self, batch: Batch) -> None:
        self._flying[self._pool.submit(self._make, *batch)] = batch

    def next(self) -> tuple[Batch, Made | None]:
        ended = wait(self._flying, return_when=FIRST_COMPLETED).done.pop()
        return self._flying.pop(ended), ended.result()

    def close(self, done: bool) -> None:
        if not done:
            self._stop()
        self._pool.shutdown(cancel_futures=True)


class Dask:
    """Workers of Dask distributed: those of `client`, else processes of this machine."""

    def __init__(self, make: Callable[..., Made], fixed: Fixed, client: Any, count: int | None):
        self._distributed = package("distributed", "'hopflow[dask]'")
        self._own: list[Any] = []
        if client is None:
            # Nothing, not even a dashboard, listens beyond this machine.
            cluster = self._distributed.LocalCluster(
                n_workers=count or cores(),
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
            )
            client = self._distributed.Client(cluster)
            self._own = [client, cluster]
        elif not isinstance(client, self._distributed.Client) or client.asynchronous:
            why = "give a distributed.Client that is not asynchronous"
            raise InputError(f"client={client!r}: {why}")
        self._make, self._fixed, self._client = make, fixed, client
        self._flying: dict[str, tuple[Any, Batch]] = {}
        self._ended = self._distributed.as_completed(loop=client.loop, raise_errors=False)
        self._slots, self._asked = 0, 0.0

    def slots(self) -> int:
        now = time.monotonic()
        if self._slots == 0:
            try:
                self._client.wait_for_workers(1, timeout=PATIENCE_S)
            except TimeoutError:
                raise RunError(f"no worker of Dask was there within {PATIENCE_S} s") from None
            except OSError as lost:
                raise _given_up(lost) from lost
        if self._slots == 0 or now > self._asked + 1.0:
            try:
                self._slots, self._asked = sum(self._client.nthreads().values()), now
            except OSError as lost:
                raise _given_up(lost) from lost
        # Workers that are lost now may be back in a moment.
        return max(self._slots, 1)

    def submit(self, batch: Batch) -> None:
        # Not pure: an older answer to equal arguments must not be taken.
        future = self._client.submit(self._make, *self._fixed, *batch, pure=False)
        self._flying[future.key] = (future, batch)
        self._ended.add(future)

    def next(self) -> tuple[Batch, Made | None]:
        future = next(self._ended)
        try:
            # Waits if the answer was lost with its worker: it is made again.
            made = future.result()
        except self._distributed.scheduler.KilledWorker:
            made = None
        except self._distributed.client.FutureCancelledError as lost:
            raise _given_up(lost) from lost
        except ModuleNotFoundError as lacks:
            if (lacks.name or "").split(".")[0] != "hopflow":
                raise
            raise RunError("a worker of Dask has no hopflow: install the same on all") from lacks
        return self._flying.pop(future.key)[1], made

    def close(self, done: bool) -> None:
        if self._flying and not done:
            self._client.cancel([future for future, _ in self._flying.values()], force=True)
        self._flying.clear()
        for one in self._own:
            one.close()


def _given_up(lost: BaseException) -> RunError:
    """The error for a scheduler of Dask that is gone, which any call of its client may find."""
    return RunError(
        f"the scheduler of Dask has given up the sweep: {lost}. What is stored is safe; the same "
        "call goes on from there"
    )


class Ray:
    """Workers of the Ray that this process is connected to."""

    def __init__(self, make: Callable[..., Made], fixed: Fixed) -> None:
        self._ray = package("ray", "'hopflow[ray]'")
        if not self._ray.is_initialized():
            raise InputError(
                "engine='ray' needs a connection to Ray: call ray.init() before. hopflow does not "
                "start Ray, as that listens on all interfaces of this machine"
            )
        # A worker that dies is retried; an exception of the call is not.
        self._make = self._ray.remote(make).options(num_cpus=1, max_retries=3)
        self._fixed = fixed
        self._flying: dict[Any, Batch] = {}

    def slots(self) -> int:
        return max(int(self._ray.cluster_resources().get("CPU", 1)), 1)

    def submit(self, batch: Batch) -> None:
        self._flying[self._make.remote(*self._fixed, *batch)] = batch

    def next(self) -> tuple[Batch, Made | None]:
        errors = self._ray.exceptions
        (ended,), _ = self._ray.wait(list(self._flying), num_returns=1)
        try:
            made = self._ray.get(ended)
        except errors.RayTaskError as failed:
            raise _cause(failed) from failed
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError):
            made = None
        return self._flying.pop(ended), made

    def close(self, done: bool) -> None:
        if not done:
            for one in self._flying:
                self._ray.cancel(one, force=True)
        self._flying.clear()


def _cause(failed: Any) -> BaseException:
    """The exception of a task, as a direct call would have raised it."""
    cause = getattr(failed, "cause", None)
    if isinstance(cause, HopflowError):
        return cause
    return RunError(f"a worker of Ray could not make a batch: {failed}")
