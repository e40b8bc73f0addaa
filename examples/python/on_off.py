"""A source in Python beside the built-in one that does the same.

`OnOff` sends bursts of five packets back to back, with a silence of 20 us after each: what
`on-off` does with a burst of 5 and `burst-first`. All that was counted and every row of the trace
are equal; the digests differ, because the name and the version of the machine are part of one.

    python examples/python/on_off.py
"""

import hopflow
from hopflow import experimental


@experimental.source("my-on-off", version=1)
class OnOff:
    BURST = 5
    OFF_PS = 20_000_000

    def __init__(self, flow):
        self.rate_bps = flow.link_rate_bps
        self.packets = 0
        self.ends = flow.start_ps

    def next(self, last, size):
        if self.packets == self.BURST:
            self.packets = 0
            self.ends += self.OFF_PS
        begins = self.ends
        self.packets += 1
        # A packet takes its bits at the rate of the first link, rounded up to a picosecond.
        self.ends = begins - (-size * 8 * 10**12 // self.rate_bps)
        return begins


def network(source):
    """Two such flows into one link."""
    made = hopflow.Network(duration="2 ms", record={"trace": True})
    made.defaults("link", rate="622.08 Mb/s", delay="1 us")
    made.switch("S", buffer="20 cells").host("B").link("S", "B")
    for number in range(2):
        made.host(f"A{number}").link(f"A{number}", "S")
        made.flow(f"f{number}", f"A{number}", "B", source=source, start=f"{number} us")
    return made


def main():
    mine = {"kind": "external", "machine": "my-on-off"}
    own = hopflow.run(network(mine), machines=[OnOff])
    same = {"kind": "on-off", "burst": 5, "off": "20 us", "burst-first": True}
    built_in = hopflow.run(network(same))
    for name in own.flows.columns:
        # Nobody knows how fast a source of Python is: its bounds and shares are empty.
        if not name.startswith(("delay_bound", "fair_")):
            assert own.flows[name] == built_in.flows[name], name
    for name in own.trace.columns:
        assert own.trace[name] == built_in.trace[name], name
    assert own.digest != built_in.digest
    print(f"{len(own.trace)} events are the same; digests {own.digest} and {built_in.digest}")


if __name__ == "__main__":
    main()
