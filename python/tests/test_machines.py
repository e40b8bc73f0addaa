"""Your own algorithms: they can do what the built-in ones do, the engine calls them as documented,
their mistakes are reported, and processes and threads do not matter."""

import importlib
import linecache
import multiprocessing
import os
import pickle
import runpy
import subprocess
import sys
import threading
import traceback

import pytest
from conftest import COMMANDS, ROOT, command

import hopflow
from hopflow import experimental, sources
from hopflow.experimental import At

EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


@experimental.scheduler("turns", version=3)
class Turns:
    """Round robin: the next ready flow after the one that was served last."""

    def __init__(self, port):
        self.last = -1

    def next(self, ready, now):
        return next((flow for flow in ready if flow > self.last), ready[0])

    def start(self, flow, size, now, end):
        self.last = flow


def network(machine="turns", **keys):
    """Three sources into one link that carries half of what they send."""
    made = hopflow.Network(duration="1 ms", record={"trace": True})
    made.defaults("link", rate="424 Mb/s", delay="1 us")
    mine = {"kind": "external", "machine": machine}
    made.switch("S", **{"scheduler": mine, "buffer": "40 cells", **keys}).host("B").link("S", "B")
    for number in range(3):
        made.host(f"A{number}").link(f"A{number}", "S")
        source = {"kind": "poisson", "rate": "70 %"}
        made.flow(f"f{number}", f"A{number}", "B", priority=number, source=source)
    return made


def run(cls, **keys):
    return hopflow.run(network(cls.__hopflow_machine__.name), machines=[cls], **keys)


def counted(result):
    """All counters, and every row of the trace; not the values that only built-in machines have."""
    known = ("delay_bound", "fair_")
    names = [name for name in result.flows.columns if not name.startswith(known)]
    flows = {name: result.flows[name] for name in names}
    return flows, {name: result.trace[name] for name in result.trace.columns}


def scheduler(**methods):
    """A class with these methods, named `odd`."""
    return experimental.scheduler("odd")(type("Odd", (), {"__init__": lambda *_: None, **methods}))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples(path, capsys):
    """Each example compares its own machine with the built-in one, row by row."""
    runpy.run_path(str(path), run_name="__main__")
    assert "the same" in capsys.readouterr().out


@experimental.scheduler("first-come")
class FirstCome:
    """First in, first out."""

    def __init__(self, port):
        self.queue = []

    def arrive(self, flow, size, now):
        self.queue.append(flow)

    def next(self, ready, now):
        assert self.queue[0] in ready, "nothing holds a flow back here"
        return self.queue[0]

    def start(self, flow, size, now, end):
        assert self.queue.pop(0) == flow


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fifo_is_fifo(seed):
    """Every counter and every row are those of the built-in scheduler; the digest is of another
    machine, and the same each time."""
    own = run(FirstCome, seed=seed)
    built_in = hopflow.run(network(scheduler="fifo"), seed=seed)
    assert counted(own) == counted(built_in) != counted(run(Turns, seed=seed))
    assert sum(own.flows["dropped_packets"]) > 0 and own.digest != built_in.digest
    assert run(FirstCome, seed=seed).digest == own.digest


def test_name_and_version_are_part_of_the_digest():
    """The same algorithm under another name or version is another machine; nothing else changes."""
    again = experimental.scheduler("turns", version=4)(type("Turns4", (Turns,), {}))
    other = experimental.scheduler("rounds", version=3)(type("Rounds", (Turns,), {}))
    results = [run(Turns), run(again), run(other)]
    assert len({result.digest for result in results}) == 3
    assert counted(results[0]) == counted(results[1]) == counted(results[2])


def test_unused_machines_do_not_matter():
    """A registered class that the scenario does not name changes nothing."""
    plain = network(scheduler="fifo")
    assert hopflow.run(plain, machines=[Turns]).digest == hopflow.run(plain).digest


def test_manifest_names_the_machine():
    """Name and version are in the place of the scheduler."""
    links = run(Turns).document["manifest"]["scenario"]["links"]
    kinds = [one["scheduler"] for link in links for one in link["directions"]]
    assert {"kind": "external", "machine": "turns", "version": 3} in kinds


def test_calls_follow_the_contract():
    """Instants never go back, sizes and flows are those of the port, every start was answered and
    is of the first packet that arrived, and after `At` it is called again at that instant."""
    ports, calls = [], []

    @experimental.scheduler("odd")
    class Watching:
        def __init__(self, port):
            self.waits = {}
            ports.append(port)

        def arrive(self, flow, size, now):
            calls.append(("arrive", now, flow, size))

        def next(self, ready, now):
            assert ready == sorted(set(ready)) and ready
            at = self.waits.setdefault(len([c for c in calls if c[0] == "start"]), now + 100_000)
            answer = ready[-1] if now >= at else At(at)
            calls.append(("next", now, answer))
            return answer

        def start(self, flow, size, now, end):
            assert end == now + 1_000_000 and size == 53
            calls.append(("start", now, flow, size))

    result = run(Watching, until="100 us")
    assert [(port.sender, port.receiver, port.rate_bps) for port in ports] == [
        ("S", "B", 424_000_000)
    ]
    assert [flow.name for flow in ports[0].flows] == ["f0", "f1", "f2"]
    assert [flow.priority for flow in ports[0].flows] == [0, 1, 2]
    assert all(flow.largest_bytes == 53 and not flow.is_ack for flow in ports[0].flows)
    assert [call[1] for call in calls] == sorted(call[1] for call in calls)
    for before, call in zip(calls, calls[1:], strict=False):
        if call[0] == "start":
            assert before == ("next", call[1], call[2])
        if before[0] == "next" and isinstance(before[2], At):
            assert call[1] <= before[2].time_ps
    waited = [call[2].time_ps for call in calls if call[0] == "next" and isinstance(call[2], At)]
    asked = {call[1] for call in calls if call[0] == "next"}
    assert waited and all(time in asked for time in waited if time < 100_000_000)
    starts = sum(call[0] == "start" for call in calls)
    arrivals = sum(call[0] == "arrive" for call in calls)
    # The last may still be on its way: in transmission, or on the link of 1 us.
    received = sum(result.flows["received_packets"])
    assert received <= starts <= received + 2 and 50 < starts < arrivals


def test_idle_forever():
    """`None` leaves the port idle; the run ends as it should, and nothing is delivered."""
    result = run(scheduler(next=lambda self, ready, now: None))
    assert sum(result.flows["received_packets"]) == 0 and not result.violations


@pytest.mark.parametrize("method", ["__init__", "arrive", "next", "start"])
def test_an_exception_comes_out_as_it_is(method):
    """In the middle of a run, with its traceback into the method and a note of where it occurred;
    the next run is complete."""

    class Mine(Exception):
        pass

    whole = run(Turns).digest
    seen = []

    def fails(*args):
        seen.append(args)
        if method == "__init__" or len(seen) == 40:
            raise Mine("out of order", len(seen))
        return args[1][0] if method == "next" else None

    cls = scheduler(**{"next": lambda self, ready, now: ready[0], method: fails})
    with pytest.raises(Mine) as caught:
        run(cls)
    assert caught.value.args == ("out of order", 1 if method == "__init__" else 40)
    assert len(seen) == caught.value.args[1], "nothing is called after it"
    assert "in fails" in "".join(traceback.format_exception(caught.value))
    assert "the external scheduler `odd` at `S->B`" in caught.value.__notes__[0]
    assert run(Turns).digest == whole


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, MemoryError])
def test_every_exception_comes_out(kind):
    """Also one that is not an `Exception`."""

    def fails(*_):
        raise kind

    with pytest.raises(kind):
        run(scheduler(next=fails))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (7, "flow 7, which may not send: answer a flow of ["),
        (-1, "it answered -1"),
        (2**40, "it answered 1099511627776"),
        (True, "it answered True"),
        (0.0, "it answered 0.0"),
        ("f0", "it answered 'f0'"),
        (At(0), "asked again at 0 ps"),
        (At(-1), "it answered At(time_ps=-1)"),
        (At(1.5), "it answered At(time_ps=1.5)"),
    ],
)
def test_an_answer_that_is_not_allowed(answer, said):
    """A typed error names machine, port, instant and answer, and can be pickled."""
    with pytest.raises(hopflow.MachineError) as caught:
        run(scheduler(next=lambda self, ready, now: answer))
    wrong = caught.value
    assert isinstance(wrong, hopflow.RunError) and said in str(wrong)
    assert (wrong.role, wrong.machine, wrong.place) == ("scheduler", "odd", "S->B")
    assert wrong.now_ps > 0 and "the external scheduler `odd` at `S->B`, at " in str(wrong)
    back = pickle.loads(pickle.dumps(wrong))
    assert str(back) == str(wrong) and back.now_ps == wrong.now_ps


def test_the_command_has_no_machines(tmp_path):
    """One diagnostic with a code, the place of the name, and what to do."""
    path = tmp_path / "mine.toml"
    path.write_text(network().to_toml())
    for program in COMMANDS:
        printed = command("run", path, "--no-directory", program=program)
        assert printed.returncode == 2 and "1 error;" in printed.stderr
        assert "HF0096" in printed.stderr and "machines=[...]" in printed.stderr
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.load(path)
    [wrong] = caught.value.diagnostics
    assert wrong.code == "HF0096" and path.read_text()[slice(*wrong.span)] == '"turns"'
    assert hopflow.load(path, machines=[Turns]).machines == (Turns,)
    near = experimental.scheduler("turn")(type("Turn", (Turns,), {}))
    with pytest.raises(hopflow.ScenarioError, match="did you mean `turn`"):
        hopflow.load(path, machines=[near])


def test_where_it_does_not_fit():
    """A node that pushes packets out allows none; the code is that of built-in schedulers."""
    with pytest.raises(hopflow.ScenarioError, match="HF0077.*\n?.*external scheduler"):
        network(discard="last-of-own").scenario(machines=[Turns])


def test_wrong_registrations():
    """Each is reported at once."""
    for wrong in (1, "", None):
        with pytest.raises(hopflow.InputError, match="name of a machine"):
            experimental.scheduler(wrong)
    for wrong in (-1, 1.0, True, 2**64):
        with pytest.raises(hopflow.InputError, match="version="):
            experimental.scheduler("a", version=wrong)
    with pytest.raises(hopflow.InputError, match=r"is not a class with a method next"):
        experimental.scheduler("a")(object)
    with pytest.raises(hopflow.InputError, match="is not a machine"):
        hopflow.loads("version = 2", machines=[dict])
    with pytest.raises(hopflow.InputError, match="give a list"):
        hopflow.loads("version = 2", machines=Turns)
    other = experimental.scheduler("turns")(type("Other", (Turns,), {}))
    with pytest.raises(hopflow.InputError, match="two classes are the scheduler 'turns'"):
        network().scenario(machines=[Turns, other])
    sub = type("Sub", (Turns,), {})
    with pytest.raises(hopflow.InputError, match="is not a machine"):
        network().scenario(machines=[sub])
    with pytest.raises(hopflow.InputError, match="machines already"):
        hopflow.run(network().scenario(machines=[Turns]), machines=[Turns])


def test_what_takes_no_machines():
    """Sweeps by Slurm, comparisons and sizes refuse them by name."""
    scenario = network().scenario(machines=[Turns])
    for call in (
        lambda: hopflow.sweep(scenario, {"seed": [1, 2]}, engine="slurm"),
        lambda: hopflow.compare(scenario, ["as-is"]),
        lambda: hopflow.size(scenario),
    ):
        with pytest.raises(hopflow.InputError, match=r"algorithms of your own \(Turns\)"):
            call()


def test_sweep(tmp_path):
    """A sweep stores the digests of runs, and continues; the runs of a class of the same name and
    version with another source are made again. A run that fails says which call repeats it."""
    polars = pytest.importorskip("polars")
    scenario, axes = network().scenario(machines=[Turns]), {"seed": [1, 2, 3]}
    found = hopflow.sweep(scenario, axes, out=tmp_path / "s", threads=2)
    dataset = tmp_path / "s" / "runs.parquet"
    rows = polars.read_parquet(dataset).sort("point")
    assert list(rows["digest"]) == [run(Turns, seed=seed).digest for seed in (1, 2, 3)]
    assert found["failures"] == []
    stored = dataset.read_bytes()
    again = hopflow.sweep(scenario, axes, out=tmp_path / "s")
    assert dataset.read_bytes() == stored
    assert again["stale"] == {"program": 0, "input": 0, "why": None}

    @experimental.scheduler("turns", version=3)
    class Last:
        def __init__(self, port):
            pass

        def next(self, ready, now):
            if now > 100_000_000:
                raise ValueError("no more")
            return ready[-1]

    other = network().scenario(machines=[Last])
    found = hopflow.sweep(other, axes, out=tmp_path / "s")
    failures = found["failures"]
    assert found["stale"]["input"] == 3 and "external machine" in found["stale"]["why"]
    assert [failure["status"] for failure in failures] == ["failed"] * 3
    assert "no more" in failures[0]["error"]
    call = 'hopflow.run(hopflow.load('
    assert failures[1]["command"].startswith(call) and "seed=2)" in failures[1]["command"]


HELPED = """
from hopflow import experimental
import helper_of_turns

@experimental.scheduler("helped", version=1)
class Helped:
    def __init__(self, port):
        pass
    def next(self, ready, now):
        import lazy_of_turns
        return helper_of_turns.chosen(ready) + lazy_of_turns.NOTHING
"""


def test_a_helper_is_part_of_the_source(tmp_path, monkeypatch):
    """Runs are made again after a change of a module that the module of the class imports, at its
    top or in a method, and not after that of another module beside it. What counts is the code that
    runs: a file that changes later counts when it is loaded again."""
    polars = pytest.importorskip("polars")
    monkeypatch.syspath_prepend(str(tmp_path))
    names = ("helped_turns", "helper_of_turns", "lazy_of_turns")

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text)

    def swept(**files):
        for name, text in files.items():
            write(name, text)
        for name in names:
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        linecache.clearcache()
        cls = importlib.import_module("helped_turns").Helped
        scenario = network("helped").scenario(machines=[cls])
        found = hopflow.sweep(scenario, {"seed": [1, 2]}, out=tmp_path / "s")
        rows = polars.read_parquet(tmp_path / "s" / "runs.parquet").sort("point")
        fresh = [hopflow.run(scenario.with_settings(f"seed={seed}")).digest for seed in (1, 2)]
        assert list(rows["digest"]) == fresh
        return found["stale"]["input"]

    first = "def chosen(ready):\n    return ready[0]\n"
    write("beside_turns", "X = 1")
    assert swept(helped_turns=HELPED, helper_of_turns=first, lazy_of_turns="NOTHING = 0") == 0
    assert swept(beside_turns="X = 2") == 0
    assert swept(helper_of_turns=first.replace("[0]", "[-1]")) == 2
    assert swept(lazy_of_turns="NOTHING = 0 + 0") == 2
    assert swept(helper_of_turns=first) == 2
    cls = sys.modules["helped_turns"].Helped
    was = sources.source(cls)
    write("helper_of_turns", first.replace("[0]", "[-1]"))
    assert sources.source(cls) == was


def test_no_source_no_sweep(tmp_path):
    """A class without a source cannot be distinguished from others, so no run of it is stored."""
    space = {"experimental": experimental}
    text = "class Own:\n    def next(self, ready, now):\n        return ready[0]\n"
    exec(compile(text, "<nowhere>", "exec"), space)
    own = experimental.scheduler("own")(space["Own"])
    own.__init__ = lambda self, port: None
    with pytest.raises(hopflow.InputError, match="has no source"):
        hopflow.sweep(network("own").scenario(machines=[own]), {"seed": [1]}, out=tmp_path / "s")
    assert not (tmp_path / "s").exists()


def test_settings_and_controls_keep_machines():
    """Scenarios that are made from a scenario have its machines."""
    scenario = network().scenario(machines=[Turns])
    other = scenario.with_settings("seed=9")
    assert other.machines == (Turns,) and hopflow.run(other).digest == run(Turns, seed=9).digest
    assert other.under("as-is").machines == (Turns,)


def test_threads_do_not_matter():
    """A run with machines has one thread, whatever is requested, and it is the caller's."""
    threads = set()

    def picks(self, ready, now):
        threads.add(threading.get_ident())
        return ready[0]

    cls = scheduler(next=picks)
    assert run(cls, threads=4).digest == run(cls, threads=1).digest
    assert threads == {threading.get_ident()}


def test_two_runs_in_two_threads():
    """Each has its own instances: the digests are those of consecutive runs. An exception in one
    does not reach the other."""
    alone = [run(Turns, seed=seed).digest for seed in (1, 2)]
    failing = scheduler(next=lambda self, ready, now: ready[9])
    found = {}

    def work(key, cls, seed):
        try:
            found[key] = run(cls, seed=seed).digest
        except IndexError:
            found[key] = "raised"

    jobs = [(0, Turns, 1), (1, Turns, 2), (2, failing, 1)]
    threads = [threading.Thread(target=work, args=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == {0: alone[0], 1: alone[1], 2: "raised"}


def test_a_run_inside_a_callback():
    """A machine may run a scenario, with machines, too."""
    inner = []

    def picks(self, ready, now):
        if not inner:
            inner.append(run(Turns).digest)
        return ready[0]

    run(scheduler(next=picks), until="50 us")
    assert inner == [run(Turns).digest]


def _digest(scenario):
    return hopflow.run(scenario).digest


@pytest.mark.parametrize("way", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_worker_processes(way, monkeypatch):
    """A pickled scenario finds its classes by their names where it is loaded: the digests are
    those of this process, and exceptions are returned."""
    folder = os.path.dirname(__file__)
    monkeypatch.setenv("PYTHONPATH", folder)
    monkeypatch.syspath_prepend(folder)
    scenarios = [
        network().scenario(machines=[Turns]).with_settings(f"seed={seed}") for seed in (1, 2)
    ]
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert pool.map(_digest, scenarios) == [_digest(one) for one in scenarios]


def test_a_class_that_is_not_there():
    """By reference, a class that the other process lacks raises the error of pickle."""
    text = pickle.dumps(network().scenario(machines=[Turns]))
    code = "import pickle, sys; pickle.load(sys.stdin.buffer)"
    there = {**os.environ, "PYTHONPATH": ""}
    done = subprocess.run([sys.executable, "-I", "-c", code], input=text, env=there,
                          capture_output=True, check=False)
    assert done.returncode == 1 and b"ModuleNotFoundError" in done.stderr


def test_a_class_of_another_version():
    """A worker with another version under the same name reports that."""
    text = pickle.dumps(network().scenario(machines=[Turns]))
    was = Turns.__hopflow_machine__
    experimental.scheduler("turns", version=4)(Turns)
    try:
        with pytest.raises(hopflow.InputError, match="different sources"):
            pickle.loads(text)
    finally:
        Turns.__hopflow_machine__ = was
    assert pickle.loads(text).machines == (Turns,)


def test_pickled_by_value(tmp_path):
    """With cloudpickle, as Dask uses it, a class of a notebook is sent along."""
    cloudpickle = pytest.importorskip("cloudpickle")

    def local():
        @experimental.scheduler("turns", version=3)
        class Local:
            def __init__(self, port):
                self.last = -1

            def next(self, ready, now):
                return next((flow for flow in ready if flow > self.last), ready[0])

            def start(self, flow, size, now, end):
                self.last = flow

        return Local

    local.__module__ = "__main__"
    cls = local()
    cls.__module__ = "__main__"
    for method in (cls.__init__, cls.next, cls.start):
        method.__module__ = "__main__"
    path = tmp_path / "scenario.pickle"
    path.write_bytes(cloudpickle.dumps(network().scenario(machines=[cls])))
    code = (
        "import pickle, sys, hopflow; "
        "print(hopflow.run(pickle.load(open(sys.argv[1], 'rb'))).digest)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code, path], capture_output=True, text=True,
                          check=False)
    assert done.stdout.strip() == run(Turns).digest, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fork_in_a_callback():
    """The engine has no other thread, so each process continues with its own run."""
    whole = run(Turns, until="100 us").digest
    forked = []

    @experimental.scheduler("turns", version=3)
    class Forking(Turns):
        def arrive(self, flow, size, now):
            if not forked:
                read, write = os.pipe()
                forked.append((os.fork(), read, write))

    digest = run(Forking, until="100 us").digest
    [(child, read, write)] = forked
    if child == 0:
        os.write(write, digest.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as end:
        assert end.read() == digest == whole
    assert os.waitpid(child, 0)[1] == 0


def test_no_bound_is_invented():
    """Delay bounds and fair shares of flows over such a port are reported as unknown."""
    result = run(Turns)
    assert result.flows["delay_bound_ps"] == result.flows["fair_share_bps"] == [None] * 3
    assert all("external scheduler" in text for text in result.flows["delay_bound"])


def sending(machine, **keys):
    """One flow whose source has this name."""
    made = hopflow.Network(duration="1 ms", record={"trace": True})
    made.defaults("link", rate="424 Mb/s", delay="1 us")
    made.host("A").switch("S").host("B").link("A", "S").link("S", "B")
    mine = {"kind": "external", "machine": machine}
    return made.flow("f", "A", "B", **{"source": mine, "start": "10 us", **keys})


def send(cls, **keys):
    return hopflow.run(sending(cls.__hopflow_machine__.name, **keys), machines=[cls])


def source(**methods):
    """A class with these methods, named `odd`."""
    return experimental.source("odd")(type("Odd", (), {"__init__": lambda *_: None, **methods}))


@experimental.source("every-3", version=1)
class EveryThird:
    """One packet in three packet times."""

    def __init__(self, flow):
        self.gap = 3 * -(-flow.largest_bytes * 8 * 10**12 // flow.link_rate_bps)
        self.first = True

    def next(self, last, size):
        self.first, first = False, self.first
        return last if first else last + self.gap


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"stop": "400 us"},
        {"packet": {"sizes": ["53 B", "53 B"], "weights": [1, 1]}},
        {"policing": {"kind": "token-bucket", "rate": "50 Mb/s", "burst": "106 B"}},
    ],
    ids=["plain", "stop", "sizes", "policing"],
)
def test_a_source_is_that_source(keys):
    """Every counter and every row are those of the built-in source, also where the flow has a stop,
    sizes or a policer; the digest is of another machine."""
    own = send(EveryThird, **keys)
    built_in = hopflow.run(sending("", **{"source": {"kind": "every-kth", "k": 3}, **keys}))
    assert counted(own) == counted(built_in) and own.digest != built_in.digest
    assert own.flows["created_packets"][0] > 100


def test_a_source_ends():
    """`None` ends it, and it is not called again; `packets` of the flow ends it, too."""
    asked = []

    def plans(self, last, size):
        asked.append((last, size))
        return last + 1_000_000 if len(asked) < 6 else None

    assert send(source(next=plans)).flows["created_packets"] == [5]
    start = 10_000_000
    assert asked == [(start + number * 1_000_000, 53) for number in range(6)]
    asked.clear()
    mine = {"kind": "external", "machine": "odd", "packets": 2}
    assert send(source(next=plans), source=mine).flows["created_packets"] == [2]


def test_what_a_source_receives():
    """Facts of its flow, one instance for each; a message of VirtualClock."""
    flows, messages = [], []

    @experimental.source("odd")
    class Fast:
        def __init__(self, flow):
            flows.append(flow)

        def next(self, last, size):
            return last + 2_000_000

        def slow_down(self, now):
            messages.append(now)

    keys = {"reservation": {"rate": "10 Mb/s", "interval": "50 us"}, "stop": "900 us"}
    network = sending("odd", **keys).defaults("switch", scheduler="virtual-clock")
    result = hopflow.run(network, machines=[Fast], seed=5)
    [flow] = flows
    assert (flow.name, flow.start_ps, flow.stop_ps) == ("f", 10_000_000, 900_000_000)
    assert (flow.link_rate_bps, flow.largest_bytes, flow.seed) == (424_000_000, 53, 5)
    assert len(messages) == result.flows["slow_down_messages"][0] > 0
    assert messages == sorted(messages)


@pytest.mark.parametrize("method", ["__init__", "next"])
def test_an_exception_of_a_source(method):
    """It is raised unchanged, with a note of the flow and the instant."""
    seen = []

    def fails(*args):
        seen.append(args)
        if method == "__init__" or len(seen) == 20:
            raise LookupError(len(seen))
        return args[1] + 1_000_000

    with pytest.raises(LookupError) as caught:
        send(source(**{"next": lambda self, last, size: None, method: fails}))
    assert len(seen) == caught.value.args[0]
    assert "the external source `odd` at `f`" in caught.value.__notes__[0]
    assert send(EveryThird).digest == send(EveryThird).digest


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (5, "it planned a packet for 5 ps, but the one before is at 10000000 ps"),
        (-1, "it answered -1: answer an instant"),
        (1.5, "it answered 1.5: answer an instant"),
        (True, "it answered True"),
        (2**64, "it answered 18446744073709551616"),
    ],
)
def test_an_instant_that_is_not_allowed(answer, said):
    """A typed error names machine, flow, instant and answer."""
    with pytest.raises(hopflow.MachineError) as caught:
        send(source(next=lambda self, last, size: answer))
    wrong = caught.value
    assert said in str(wrong) and (wrong.role, wrong.machine, wrong.place) == ("source", "odd", "f")
    assert wrong.now_ps == 10_000_000


def test_a_second_packet_at_the_same_instant():
    """Only the first may be where the source begins, so a source cannot stop time."""
    with pytest.raises(hopflow.MachineError, match="answer a later instant"):
        send(source(next=lambda self, last, size: last))


def test_roles_have_names_of_their_own():
    """A source is not a scheduler; two roles may share a name."""
    with pytest.raises(hopflow.ScenarioError, match="no external source `turns`"):
        sending("turns").scenario(machines=[Turns])
    same = experimental.source("turns")(type("Same", (EveryThird,), {}))
    made = sending("turns")
    made.defaults("switch", scheduler={"kind": "external", "machine": "turns"})
    result = hopflow.run(made, machines=[Turns, same])
    plain = hopflow.run(sending("turns"), machines=[same])
    assert counted(result) == counted(plain) and result.digest != plain.digest


def test_a_source_of_python_has_no_bound():
    """Its packets are not known beforehand, and the result says so."""
    result = send(EveryThird)
    assert result.flows["delay_bound_ps"] == result.flows["fair_share_bps"] == [None]
    assert "external source" in result.flows["delay_bound"][0]
