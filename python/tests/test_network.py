"""The builder: it expresses all that a scenario file can, and converts both ways."""

import tomllib

import pytest
from conftest import EXAMPLES, ROOT, command

import hopflow


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example_goes_there_and_back(path):
    """Nothing is lost: the same tables, the same resolved scenario, the same digest."""
    scenario = hopflow.load(path)
    network = hopflow.Network.of(scenario)
    text = network.to_toml()
    assert tomllib.loads(text) == tomllib.loads(path.read_text(encoding="utf-8"))
    assert hopflow.Network.from_toml(text) == network
    try:
        first, second = hopflow.run(scenario, until="200 us"), hopflow.run(network, until="200 us")
    except hopflow.RunError:
        # It has a warm-up, so the whole run is made.
        first, second = hopflow.run(scenario), hopflow.run(network)
    assert first.digest == second.digest and first.document == second.document


def test_built_by_hand_it_is_the_example():
    """The smallest example, call by call, has the digest of its file under the command."""
    network = hopflow.Network(title="One VC that needs a third of its link", duration="10000 cells")
    network.defaults("link", rate="622.08 Mb/s", delay="76.5 cells")
    network.host("A").switch("S").host("B").link("A", "S").link("S", "B")
    path = ROOT / "examples" / "one-vc.toml"
    flow = tomllib.loads(path.read_text(encoding="utf-8"))["flow"][0]
    name, ends = flow.pop("name"), [flow.pop("from", None), flow.pop("to", None)]
    network.flow(name, *ends, **flow)
    digest = command("run", path, "--no-directory", "--format", "json", "--quiet").stdout
    assert hopflow.run(network).digest in digest


def test_the_command_runs_what_is_written(tmp_path):
    """The text is a scenario file."""
    network = hopflow.Network.of(hopflow.template()).record(queues=["S"])
    path = tmp_path / "mine.toml"
    path.write_text(network.to_toml(), encoding="utf-8")
    printed = command("run", path, "--no-directory", "--format", "json", "--quiet").stdout
    assert hopflow.run(network).digest in printed


def test_texts_and_keys_survive():
    """Quotes, control characters, DEL, other scripts, keys with dots, big and small numbers."""
    text = '"\\ \n\t\x00\x7f é → 水'
    values = {"a.b": text, "": [1, -(2**63), 2**63 - 1], "c": [0.1, 1e300, -0.0], "d": {"x": {}}}
    network = hopflow.Network(title=text)
    network["odd"] = values
    network["odd"]["list"] = [{"k": True}, {"k": [[], ["a"]]}]
    assert tomllib.loads(network.to_toml()) == dict(network)


def test_nodes_keep_the_order_in_which_they_were_added():
    """Hosts between switches, a heading in a text and in a comment, and a list changed by hand."""
    text = 'version = 2\ntitle = """\n[[host]]"""\n# [[host]]\nduration = "1 ms"\n'
    for kind, name in (("switch", "S1"), ("host", "A"), ("switch", "S2"), ("host", "B")):
        text += f"[[{kind}]]\nname = '{name}'\n"
    network = hopflow.Network.from_toml(text)
    network["host"].append({"name": "C"})
    built = hopflow.Network(duration="1 ms").switch("S1").host("A").switch("S2").host("B").host("C")
    for each in (network, built):
        each.defaults("link", rate="1 Gb/s", delay="1 us")
        for name in ("A", "B", "C", "S2"):
            each.link(name, "S1")
        assert each.scenario().nodes == ["S1", "A", "S2", "B", "C"]


def test_what_no_file_can_say_is_refused():
    """None, sets and keys that are not texts are named with their place."""
    for value in (None, {1}, object()):
        with pytest.raises(hopflow.InputError, match="warm-up = "):
            hopflow.Network(warm_up=value).to_toml()
    with pytest.raises(hopflow.InputError, match="a key is a text"):
        hopflow.Network(record={1: 2}).to_toml()
    with pytest.raises(hopflow.InputError, match="is not TOML"):
        hopflow.Network.from_toml("a = = b")


def test_mistakes_are_found_as_in_a_file():
    """A bare number where a unit is needed yields the diagnostic of the file, in its text."""
    network = hopflow.Network(duration=5)
    with pytest.raises(hopflow.ScenarioError) as caught:
        network.scenario()
    text = network.to_toml()
    spans = [text[slice(*one.span)] for one in caught.value.diagnostics]
    assert "5" in spans
