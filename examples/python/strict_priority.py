"""A scheduler in Python beside the built-in one that does the same.

`StrictPriority` serves the most urgent priority, and inside it the packet that came first: what
`strict-priority` does. Both runs start every packet at the same instant, so all that was counted
and every row of the trace are equal; the digests differ, because the name and the version of the
machine are part of one.

    python examples/python/strict_priority.py
"""

from collections import deque

import hopflow
from hopflow import experimental


@experimental.scheduler("my-strict-priority", version=1)
class StrictPriority:
    def __init__(self, port):
        self.priority = [flow.priority for flow in port.flows]
        self.queues = [deque() for _ in port.flows]
        self.came = 0

    def arrive(self, flow, size, now):
        self.queues[flow].append(self.came)
        self.came += 1

    def next(self, ready, now):
        return min(ready, key=lambda flow: (self.priority[flow], self.queues[flow][0]))

    def start(self, flow, size, now, end):
        self.queues[flow].popleft()

    def lost(self, flow, size, last):
        self.queues[flow].pop() if last else self.queues[flow].popleft()


def network(scheduler):
    """Three sources into one link that carries two of them; the last is the most urgent."""
    # A built-in scheduler with classes spares the urgent flow the jitter of a full buffer; of one
    # of Python nothing is known. So packets are admitted exactly.
    made = hopflow.Network(duration="2 ms", jitter="exact", record={"trace": True})
    made.defaults("link", rate="1 Gb/s", delay="1 us")
    made.switch("S", scheduler=scheduler, buffer="60 packets").host("B")
    made.link("S", "B")
    for number, (priority, share) in enumerate([(2, "70 %"), (1, "50 %"), (0, "60 %")]):
        made.host(f"A{number}").link(f"A{number}", "S")
        source = {"kind": "poisson", "rate": share}
        made.flow(
            f"f{number}", f"A{number}", "B", priority=priority, packet="500 B", source=source
        )
    return made


def main():
    mine = {"kind": "external", "machine": "my-strict-priority"}
    own = hopflow.run(network(mine), machines=[StrictPriority])
    built_in = hopflow.run(network("strict-priority"))
    for name in own.flows.columns:
        # Nobody knows what a scheduler of Python promises: its bounds and shares are empty.
        if not name.startswith(("delay_bound", "fair_")):
            assert own.flows[name] == built_in.flows[name], name
    for name in own.trace.columns:
        assert own.trace[name] == built_in.trace[name], name
    assert own.digest != built_in.digest
    print(f"{len(own.trace)} events are the same; digests {own.digest} and {built_in.digest}")


if __name__ == "__main__":
    main()
