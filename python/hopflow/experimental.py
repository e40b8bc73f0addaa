"""Your own algorithms, as classes. Experimental: this may change in any version.

A class is registered as a scheduler or a source under a name and a version, and a scenario names
it; the engine makes an instance for every port or flow that has it, and calls its methods.

Examples
--------
>>> import hopflow
>>> from hopflow import experimental
>>> @experimental.scheduler("longest-name-first", version=1)
... class LongestNameFirst:
...     def __init__(self, port):
...         self.names = [flow.name for flow in port.flows]
...     def next(self, ready, now):
...         return max(ready, key=lambda flow: len(self.names[flow]))
>>> network = hopflow.Network.of(hopflow.template("parking-lot"))
>>> mine = {"kind": "external", "machine": "longest-name-first"}
>>> network = network.defaults("switch", scheduler=mine)
>>> result = hopflow.run(network, machines=[LongestNameFirst], until="21 ms")
>>> result.violations
[]

Rules for all of them:

* A machine receives instants (ps, ``int``) and sizes (bytes) as arguments. The same arguments must
  yield the same answers: it reads no clock, and its random numbers are its own and seeded.
* It is called in the order of docs/models/order.md, in one thread, and is never called twice for
  one event. The name and the version represent its behaviour in the digest of the run: change the
  version when the behaviour changes.
* An exception that it raises ends the run, and ``run`` raises it unchanged, with a note of where it
  occurred. An answer that is not allowed raises ``MachineError``. No state is left; the next run
  starts afresh.
* A scenario with machines can be pickled as far as its classes can: by reference with ``pickle``,
  by value with cloudpickle. A class of another version under the reference raises
  ``InputError``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from hopflow.errors import InputError
from hopflow.sources import note
from hopflow.sources import source as source_of

__all__ = ["At", "Flow", "Port", "SourceFlow", "scheduler", "source"]

Machines = tuple[type, ...]
Pickled = tuple[tuple[type, str, str, int], ...]
Shared = tuple[tuple[type, str, str, int, str], ...]
# Role, name, version, digest of the source, and the function that makes an instance.
Native = tuple[str, str, int, str, Callable[..., object]]
_Class = TypeVar("_Class", bound=type)

# The attribute in which a class keeps its registration.
_KEY = "__hopflow_machine__"


class _Registration(NamedTuple):
    role: str
    name: str
    version: int


@dataclass(frozen=True, slots=True)
class At:
    """An answer of a scheduler: the port stays idle until ``time_ps``, unless something changes.

    Attributes
    ----------
    time_ps : int
        The instant, later than ``now``.
    """

    time_ps: int


@dataclass(frozen=True, slots=True)
class Flow:
    """A flow of a port.

    Attributes
    ----------
    name : str
        Its name in the scenario.
    is_ack : bool
        Whether it consists of the ACKs of that flow, on their way back.
    priority : int
        0 to 7, 0 the most urgent.
    weight : int
        Its share: the reserved rate in b/s, or its weight if it has reserved nothing.
    reserved_bps : int or None
        The reserved rate.
    largest_bytes : int
        The size of its largest packet.
    """

    name: str
    is_ack: bool
    priority: int
    weight: int
    reserved_bps: int | None
    largest_bytes: int


@dataclass(frozen=True, slots=True)
class Port:
    """A port, as its scheduler sees it.

    Attributes
    ----------
    sender, receiver : str
        The nodes at the ends of its link.
    rate_bps : int
        The rate of its link.
    flows : tuple of Flow
        The flows that may arrive, by their numbers.
    """

    sender: str
    receiver: str
    rate_bps: int
    flows: tuple[Flow, ...]


@dataclass(frozen=True, slots=True)
class SourceFlow:
    """A flow, as its source sees it.

    Attributes
    ----------
    name : str
        Its name in the scenario.
    start_ps : int
        When the source begins.
    stop_ps : int or None
        No packet is born at or after it.
    link_rate_bps : int
        The rate of its first link.
    largest_bytes : int
        The size of its largest packet.
    seed : int
        The seed of the run, for its own random draws.
    """

    name: str
    start_ps: int
    stop_ps: int | None
    link_rate_bps: int
    largest_bytes: int
    seed: int


def scheduler(name: str, *, version: int = 1) -> Callable[[_Class], _Class]:
    """Registers a class as a scheduler; a scenario names it as
    ``scheduler = { kind = "external", machine = "NAME" }`` of a node or a link.

    One instance is made for each port that has flows, as ``cls(port)`` with a ``Port``. Flows are
    numbers, 0 to ``len(port.flows) - 1``. The class defines

    ``next(ready, now)``
        The port is idle, and the flows of the list ``ready``, ascending, have a packet that may be
        sent. Returns the flow whose first packet starts now, or ``At``, or ``None``: idle until
        something changes. It is called again when a packet has arrived or started, when a flow
        becomes ready that was not, or at the instant of ``At``, and at no other time.

    and may define

    ``arrive(flow, size, now)``
        A packet of ``size`` bytes joined the end of the flow's queue.
    ``start(flow, size, now, end)``
        The first packet of the flow, which ``next`` returned, starts; the port is busy until
        ``end``.
    ``lost(flow, size, last)``
        The last packet of the flow's queue was removed, or the first: of a greedy source that was
        switched off, a branch of a multicast flow that waited too long, a lane that was paused.

    Parameters
    ----------
    name : str
        How scenarios name it.
    version : int, optional
        Change it when the behaviour changes: 0 to 2^64 - 1.

    Raises
    ------
    InputError
        The name or the version is wrong, or the class has no ``next``.
    """
    return _registering("scheduler", name, version, "next(ready, now)")


def source(name: str, *, version: int = 1) -> Callable[[_Class], _Class]:
    """Registers a class as a source; a scenario names it as
    ``source = { kind = "external", machine = "NAME" }`` of a flow.

    One instance is made for each such flow, as ``cls(flow)`` with a ``SourceFlow``. The class
    defines

    ``next(last, size)``
        Returns the instant at which the next packet, of ``size`` bytes, is born, or ``None`` if
        there are no more. It is later than ``last``, the previous answer; the first may be at
        ``last``, where the source begins. It is called as soon as the previous packet is made, or
        earlier where a shaper looks ahead.

    and may define

    ``slow_down(now)``
        A scheduler on the way found the flow too fast (``virtual-clock`` with ``messages``).

    The keys ``stop``, ``packets``, ``packet``, ``policing`` and ``envelope`` of the scenario apply
    to it.

    Parameters
    ----------
    name : str
        How scenarios name it.
    version : int, optional
        Change it when the behaviour changes: 0 to 2^64 - 1.

    Raises
    ------
    InputError
        The name or the version is wrong, or the class has no ``next``.
    """
    return _registering("source", name, version, "next(last, size)")


def _registering(
    role: str, name: str, version: int, method: str
) -> Callable[[_Class], _Class]:
    if not isinstance(name, str) or not name:
        raise InputError(f"the name of a machine is a text, not {name!r}")
    if not isinstance(version, int) or isinstance(version, bool) or not 0 <= version < 2**64:
        raise InputError(f"version={version!r}: give a whole number from 0 to 2^64 - 1")

    def registered(cls: _Class) -> _Class:
        if not isinstance(cls, type) or not callable(getattr(cls, "next", None)):
            raise InputError(f"the {role} {name!r} is not a class with a method {method}")
        setattr(cls, _KEY, _Registration(role, name, version))
        note(cls)
        return cls

    return registered


def _new_scheduler(
    cls: type,
    sender: str,
    receiver: str,
    rate_bps: int,
    flows: list[tuple[str, bool, int, int, int | None, int]],
) -> tuple[Any, ...]:
    """The methods ``arrive``, ``next``, ``start`` and ``lost`` of a new scheduler; ``None`` for
    those that it does not have."""
    port = Port(sender, receiver, rate_bps, tuple(Flow(*flow) for flow in flows))
    return _methods(cls(port), "arrive", "next", "start", "lost")


def _new_source(cls: type, *facts: Any) -> tuple[Any, ...]:
    """The methods ``next`` and ``slow_down`` of a new source; ``None`` for one that is
    missing."""
    return _methods(cls(SourceFlow(*facts)), "next", "slow_down")


def _methods(made: object, *names: str) -> tuple[Any, ...]:
    return tuple(getattr(made, name, None) for name in names)


# The functions that the extension calls with the class, then plain values.
_MAKERS: dict[str, Callable[..., object]] = {"scheduler": _new_scheduler, "source": _new_source}


def _registration(cls: object) -> _Registration:
    found = vars(cls).get(_KEY) if isinstance(cls, type) else None
    if not isinstance(found, _Registration):
        raise InputError(
            f"{cls!r} is not a machine: decorate it with hopflow.experimental.scheduler(NAME) "
            "or source(NAME)"
        )
    return found


def _machines(given: Iterable[type]) -> Machines:
    """The classes, each registered under a name of its own."""
    if isinstance(given, (str, type)):
        raise InputError(f"machines={given!r}: give a list of classes")
    classes = tuple(given)
    seen: dict[tuple[str, str], type] = {}
    for cls in classes:
        role, name, _ = _registration(cls)
        other = seen.setdefault((role, name), cls)
        if other is not cls:
            raise InputError(f"two classes are the {role} {name!r}: {other!r} and {cls!r}")
    return tuple(seen.values())


def _natives(classes: Machines, sources: Iterable[str] = ()) -> list[Native]:
    """The same for the extension, with the digests of their sources where runs are stored."""
    known = [_registration(cls) for cls in classes]
    given = tuple(sources) or ("",) * len(known)
    both = zip(classes, known, given, strict=True)
    return [(*one, source, partial(_MAKERS[one.role], cls)) for cls, one, source in both]


def _shared(classes: Machines) -> Shared:
    """The classes of a sweep, with all that another process needs of them."""
    return tuple((cls, *_registration(cls), source_of(cls)) for cls in classes)


def _of_shared(shared: Shared) -> list[Native]:
    """The same in that process, where the source must be the same if there is one."""
    classes = _unpickled(tuple(one[:4] for one in shared))
    for cls, *_, source in shared:
        module = sys.modules.get(cls.__module__)
        by_name = getattr(module, cls.__qualname__, None) is cls and cls.__module__ != "__main__"
        # A class that was pickled by value is unchanged.
        if by_name and source_of(cls) != source:
            raise InputError(f"{cls!r} has another source here than where the sweep was begun")
    return _natives(classes, (one[4] for one in shared))


def _pickled(classes: Machines) -> Pickled:
    return tuple((cls, *_registration(cls)) for cls in classes)


def _unpickled(pickled: Pickled) -> Machines:
    """The classes as they are here, which must be those that were pickled."""
    for cls, *was in pickled:
        here = _registration(cls)
        if here != tuple(was):
            raise InputError(
                f"{cls!r} was pickled as {tuple(was)} and is {tuple(here)} here: the two processes "
                "have different sources"
            )
    return _machines(cls for cls, *_ in pickled)
