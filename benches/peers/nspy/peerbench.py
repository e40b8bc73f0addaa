"""The workloads in ns.py, a library of network elements on SimPy.

usage: peerbench.py 1 CELLS | 2 CELLS FLOWS [fifo|vc]

1 is the tandem, 2 many flows (see ../README.md); vc puts a VirtualClock server at the trunk. Prints
one line of JSON.
"""

import json
import random
import sys
import time

import simpy
from ns.packet.dist_generator import DistPacketGenerator
from ns.port.port import Port
from ns.port.wire import Wire
from ns.scheduler.virtual_clock import VirtualClockServer

RATE = 155.52e6
CELL_TIME = 53 * 8 / RATE


class Count:
    """The sink."""

    def __init__(self, env):
        self.env = env
        self.received = 0
        self.last = 0.0

    def put(self, _packet):
        self.received += 1
        self.last = self.env.now


def wire(env, delay, out):
    element = Wire(env, lambda: delay)
    element.out = out
    return element


def port(env, delay, out):
    """An output port and its link."""
    element = Port(env, RATE)
    element.out = wire(env, delay, out)
    return element


def tandem(env, sink, cells):
    """Builds the tandem, and tells its hops."""
    element = sink
    for _ in range(6):
        element = port(env, 50e-6, element)
    # The generator waits one gap before its first cell: start one gap late, as it always does.
    generator = DistPacketGenerator(env, "s", lambda: CELL_TIME, lambda: 53, size=53 * cells)
    generator.out = element
    return 6 * cells


def gaps(rng, mean):
    """One cell time after each cell, with silence before every hundredth."""
    count = 0

    def gap():
        nonlocal count
        count += 1
        silence = rng.expovariate(1 / mean) if count % 100 == 1 else 0.0
        return CELL_TIME + silence

    return gap


def many_flows(env, sink, cells, flows, virtual_clock):
    """Builds many flows over one trunk, and tells their hops."""
    rng = random.Random(1)
    mean = 100 * CELL_TIME * flows / 0.9 - 100 * CELL_TIME
    leave = port(env, 5e-6, sink)
    if virtual_clock:
        trunk = VirtualClockServer(env, RATE, [flows / RATE] * flows)
        trunk.out = wire(env, 50e-6, leave)
    else:
        trunk = port(env, 50e-6, leave)
    for flow in range(flows):
        size = 53 * (cells // flows)
        gap = gaps(rng, mean)
        generator = DistPacketGenerator(env, flow, gap, lambda: 53, size=size, flow_id=flow)
        generator.out = port(env, 5e-6, trunk)
    return 3 * (cells // flows) * flows


def peak_memory():
    """Tells the most memory this process has ever held, in MiB, where the system tells (Linux)."""
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return None


def main():
    number, size = int(sys.argv[1]), int(sys.argv[2])
    flows = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    virtual_clock = len(sys.argv) > 4 and sys.argv[4] == "vc"
    begun = time.perf_counter()
    env = simpy.Environment()
    sink = Count(env)
    if number == 1:
        hops = tandem(env, sink, size)
    else:
        hops = many_flows(env, sink, size, flows, virtual_clock)
    ready = time.perf_counter()
    env.run()
    run = time.perf_counter() - ready
    print(json.dumps({
        "peer": "ns.py", "w": number, "n": size, "rx": sink.received, "hops": hops,
        "setup_s": ready - begun, "run_s": run, "hops_per_s": hops / run, "sim_s": sink.last,
        "rss_mb": peak_memory(),
    }))


if __name__ == "__main__":
    main()
