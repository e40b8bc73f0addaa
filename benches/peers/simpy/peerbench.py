"""The workloads in SimPy.

usage: peerbench.py 1 CELLS | 2 CELLS FLOWS | 3 PACKETS HOSTS shift|rand

1 is the tandem, 2 many flows, 3 the fabric (see ../README.md). As a user of SimPy writes it: one
process for each output link, which pulls from a Store; the propagation delay is a Timeout with a
callback, so no process per cell. All queues are FIFO and without limit. Prints one line of JSON.
"""

import json
import random
import sys
import time

import simpy

MASK = (1 << 64) - 1
CELL_TIME = 53 * 8 / 155.52e6


class Link:
    """An output queue, its link and what is on the wire."""

    __slots__ = ("env", "queue", "transmit", "delay", "sink")

    def __init__(self, sink, transmit, delay):
        self.env = sink.env
        self.queue = simpy.Store(self.env)
        self.transmit = transmit
        self.delay = delay
        self.sink = sink
        self.env.process(self.run())

    def put(self, packet):
        """Takes a packet: [route, index of this link on it]."""
        self.queue.put(packet)

    def run(self):
        env, queue, transmit, delay = self.env, self.queue, self.transmit, self.delay
        arrive = self.sink.arrive
        while True:
            packet = yield queue.get()
            yield env.timeout(transmit)
            env.timeout(delay, packet).callbacks.append(arrive)


class Sink:
    """Hands packets on, and counts those at their end."""

    def __init__(self, env):
        self.env = env
        self.received = 0
        self.last = 0.0

    def arrive(self, event):
        packet = event._value
        packet[1] += 1
        route = packet[0]
        if packet[1] == len(route):
            self.received += 1
            self.last = self.env.now
        else:
            route[packet[1]].put(packet)


def source(env, route, packets, gap, burst=0, off=None, start=0.0):
    """Sends packets `gap` apart, with silence drawn from `off` after every `burst`."""
    if start:
        yield env.timeout(start)
    first = route[0]
    for i in range(packets):
        first.put([route, 0])
        span = gap
        if burst and (i + 1) % burst == 0:
            span += off()
        yield env.timeout(span)


def tandem(sink, cells):
    """Builds the tandem, and tells its hops."""
    route = [Link(sink, CELL_TIME, 50e-6) for _ in range(6)]
    sink.env.process(source(sink.env, route, cells, CELL_TIME))
    return 6 * cells


def many_flows(sink, cells, flows):
    """Builds many flows over one trunk, and tells their hops."""
    rng = random.Random(1)
    trunk = Link(sink, CELL_TIME, 50e-6)
    leave = Link(sink, CELL_TIME, 5e-6)
    mean = 100 * CELL_TIME * flows / 0.9 - 100 * CELL_TIME

    def off():
        return rng.expovariate(1 / mean)

    for _ in range(flows):
        route = [Link(sink, CELL_TIME, 5e-6), trunk, leave]
        cells_each = cells // flows
        sink.env.process(source(sink.env, route, cells_each, CELL_TIME, 100, off, off()))
    return 3 * (cells // flows) * flows


def splitmix64(state):
    state[0] = (state[0] + 0x9E3779B97F4A7C15) & MASK
    z = state[0]
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def targets(hosts, pattern):
    """By host: whom it sends to."""
    if pattern == "shift":
        return [(i + hosts // 2) % hosts for i in range(hosts)]
    state = [1]
    target = list(range(hosts))
    for i in range(hosts - 1, 0, -1):
        j = splitmix64(state) % (i + 1)
        target[i], target[j] = target[j], target[i]
    for i in range(hosts):
        if target[i] == i:
            j = (i + 1) % hosts
            target[i], target[j] = target[j], target[i]
    return target


def fabric(sink, packets, hosts, pattern):
    """Builds the fat tree, and tells the hops of all its packets."""
    k = 4 if hosts == 64 else 8
    packet_time = 4096 * 8 / 100e9
    links = {}

    def link(*key):
        if key not in links:
            links[key] = Link(sink, packet_time, 1e-6)
        return links[key]

    hops = 0
    for host, target in enumerate(targets(hosts, pattern)):
        edge, last_edge = host // k, target // k
        pod, last_pod = edge // k, last_edge // k
        up, core = target % k, (target // k) % k
        route = [link("host", host)]
        if edge != last_edge:
            route.append(link("edge", edge, up))
            if pod != last_pod:
                route.append(link("aggregation", pod, up, core))
                route.append(link("core", last_pod, up, core))
            route.append(link("aggregation down", last_edge, up))
        route.append(link("edge down", target))
        hops += len(route) * packets
        sink.env.process(source(sink.env, route, packets, packet_time))
    return hops


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
    many = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    pattern = sys.argv[4] if len(sys.argv) > 4 else "shift"
    begun = time.perf_counter()
    env = simpy.Environment()
    sink = Sink(env)
    if number == 1:
        hops = tandem(sink, size)
    elif number == 2:
        hops = many_flows(sink, size, many)
    else:
        hops = fabric(sink, size, many, pattern)
    ready = time.perf_counter()
    env.run()
    run = time.perf_counter() - ready
    print(json.dumps({
        "peer": "simpy", "w": number, "n": size, "rx": sink.received, "hops": hops,
        "setup_s": ready - begun, "run_s": run, "hops_per_s": hops / run, "sim_s": sink.last,
        "rss_mb": peak_memory(),
    }))


if __name__ == "__main__":
    main()
