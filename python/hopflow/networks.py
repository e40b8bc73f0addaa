"""A scenario under construction."""

from __future__ import annotations

import json
import operator
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any

from hopflow.errors import InputError
from hopflow.scenarios import Scenario, loads

_BARE = re.compile(r"[A-Za-z0-9_-]+")
# Text that may contain something like a heading, and then the headings of lists of tables.
_HEADING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#[^\n]*|"
    r"^[ \t]*\[\[[ \t]*([A-Za-z0-9_-]+)[ \t]*\]\]",
    re.DOTALL | re.MULTILINE,
)


class Network(MutableMapping[str, Any]):
    """A scenario under construction: the content of a scenario file, as dictionaries and lists.

    A network is a mapping of the keys of the file (docs/scenario.md lists all), so it can express
    everything that a file can: ``network["flow"][0]["source"]``. The methods add tables; in their
    keyword arguments ``_`` stands for ``-`` of the file, as in ``port_buffer``. Mistakes are found
    when the network becomes a `Scenario`. Hosts, switches, topologies and links are numbered
    together, in the order in which they were added.

    Parameters
    ----------
    **keys : object
        Keys at the top of the file, such as ``duration="10 ms"`` and ``title="..."``. ``version``
        is 2 unless it is given. Quantities are texts with a unit.

    Examples
    --------
    >>> import hopflow
    >>> network = hopflow.Network(duration="1 ms")
    >>> network.host("A").switch("S").host("B")
    <hopflow.Network: 3 nodes, 0 links, 0 flows>
    >>> network.defaults("link", rate="622.08 Mb/s", delay="10 us")
    <hopflow.Network: 3 nodes, 0 links, 0 flows>
    >>> network.link("A", "S").link("S", "B")
    <hopflow.Network: 3 nodes, 2 links, 0 flows>
    >>> network.flow("VC1", "A", "B", source={"kind": "greedy"}, control={"kind": "none"})
    <hopflow.Network: 3 nodes, 2 links, 1 flows>
    >>> result = hopflow.run(network)
    >>> result.flows["vc"]
    ['VC1']
    >>> network.to_toml().splitlines()[:2]
    ['version = 2', 'duration = "1 ms"']
    """

    def __init__(self, **keys: Any) -> None:
        self._keys: dict[str, Any] = {"version": 2, **_hyphens(keys)}
        self._name = "<network>"
        # The tables of lists in the order in which they were added: hosts and switches share one.
        self._order: list[object] = []

    @classmethod
    def from_toml(cls, text: str, name: str = "<network>") -> Network:
        """The network of the text of a scenario. Comments are lost; everything else is kept.

        Parameters
        ----------
        text : str
            The content of a scenario file.
        name : str, optional
            The name that messages use. Files that the scenario names are looked up beside it.

        Raises
        ------
        InputError
            The text is not TOML.

        Examples
        --------
        >>> import hopflow
        >>> network = hopflow.Network.from_toml(hopflow.template().text)
        >>> network["duration"]
        '10 ms'
        """
        try:
            keys = tomllib.loads(text)
        except tomllib.TOMLDecodeError as wrong:
            raise InputError(f"{name} is not TOML: {wrong}") from wrong
        network = cls()
        network._keys, network._name = keys, name
        rest = {key: iter(value) for key, value in keys.items() if _is_tables(value)}
        headings = (found[1] for found in _HEADING.finditer(text) if found[1])
        network._order = [next(rest[heading]) for heading in headings if heading in rest]
        return network

    @classmethod
    def of(cls, scenario: Scenario) -> Network:
        """The network of a scenario, with its settings; to change it and run it again.

        Examples
        --------
        >>> import hopflow
        >>> network = hopflow.Network.of(hopflow.template())
        >>> network["seed"] = 7
        >>> network.scenario().seed
        7
        """
        return cls.from_toml(scenario.text, scenario.name)

    def scenario(self, *, machines: Iterable[type] = ()) -> Scenario:
        """Checks the network and returns its scenario.

        Parameters
        ----------
        machines : iterable of classes, optional
            Your own algorithms that it may name; see `hopflow.experimental`.

        Raises
        ------
        ScenarioError
            The scenario is wrong; places are in the text of `to_toml`.
        InputError
            A value cannot be written in a file.
        """
        return loads(self.to_toml(), self._name, machines=machines)

    def to_toml(self) -> str:
        """The text of a scenario file, which `load` and the command read.

        Raises
        ------
        InputError
            A value cannot be written in a file, such as `None`.
        """
        return "\n\n".join(_blocks(self._keys, self._order)) + "\n"

    def host(self, name: str, /, **keys: Any) -> Network:
        """Adds a host and returns the network."""
        return self._add("host", {"name": name, **_hyphens(keys)})

    def switch(self, name: str, /, **keys: Any) -> Network:
        """Adds a switch, such as ``network.switch("S", buffer="1280 cells")``."""
        return self._add("switch", {"name": name, **_hyphens(keys)})

    def link(self, one: str, other: str, /, **keys: Any) -> Network:
        """Adds a link between two nodes; its ``rate`` and ``delay`` may be in `defaults`."""
        return self._add("link", {"between": [one, other], **_hyphens(keys)})

    def flow(
        self,
        name: str,
        sender: str | None = None,
        to: str | list[str] | None = None,
        /,
        **keys: Any,
    ) -> Network:
        """Adds a flow from one host to another, or to each of a list.

        Parameters
        ----------
        name : str
            Its name.
        sender, to : str, optional
            Its ends; without them the keywords specify its route, such as ``path``.
        **keys : object
            Its keys, such as ``source={"kind": "constant", "rate": "6 Gb/s"}`` and
            ``control={"kind": "n23", "n3": "auto"}``.
        """
        ends = {"from": sender, "to": to}
        given = {key: value for key, value in ends.items() if value is not None}
        return self._add("flow", {"name": name, **given, **_hyphens(keys)})

    def topology(self, kind: str, /, **keys: Any) -> Network:
        """Adds a generated network, such as ``network.topology("fat-tree", k=4)``."""
        return self._add("topology", {"kind": kind, **_hyphens(keys)})

    def event(self, **keys: Any) -> Network:
        """Adds an event at an instant."""
        return self._add("event", _hyphens(keys))

    def variant(self, name: str, /, **keys: Any) -> Network:
        """Adds a control to be compared, such as ``flow={"control": {"kind": "n23"}}``."""
        return self._add("variant", {"name": name, **_hyphens(keys)})

    def defaults(self, table: str, /, **keys: Any) -> Network:
        """Sets keys of all hosts, switches, links or flows that do not set them themselves."""
        self._keys.setdefault("defaults", {}).setdefault(table, {}).update(_hyphens(keys))
        return self

    def record(self, **keys: Any) -> Network:
        """Sets what is recorded, such as ``queues=["S"]`` and ``trace=True``."""
        self._keys.setdefault("record", {}).update(_hyphens(keys))
        return self

    def _add(self, table: str, keys: dict[str, Any]) -> Network:
        self._keys.setdefault(table, []).append(keys)
        self._order.append(keys)
        return self

    def __getitem__(self, key: str) -> Any:
        return self._keys[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = value

    def __delitem__(self, key: str) -> None:
        del self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        count = {name: len(self._keys.get(name, ())) for name in ("host", "switch", "link", "flow")}
        nodes = count["host"] + count["switch"]
        return f"<hopflow.Network: {nodes} nodes, {count['link']} links, {count['flow']} flows>"


def _hyphens(keys: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("_", "-"): value for key, value in keys.items()}


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _is_tables(value: object) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(map(_is_table, value))


def _blocks(keys: Mapping[str, Any], order: list[object]) -> Iterator[str]:
    """The keys at the top, then a block per table; those of lists come last, in their order."""
    lists = {key: value for key, value in keys.items() if _is_tables(value)}
    tables = {key: value for key, value in keys.items() if _is_table(value)}
    top = {key: value for key, value in keys.items() if key not in lists and key not in tables}
    yield "\n".join(_line(*each) for each in top.items())
    for key, value in tables.items():
        if value and all(map(_is_table, value.values())):
            # [defaults.link] reads better than a table in one line.
            for inner, one in value.items():
                yield _block(f"[{_key(key)}.{_key(inner)}]", one)
        else:
            yield _block(f"[{_key(key)}]", value)
    places = {id(one): place for place, one in enumerate(order)}
    rows = [(key, one) for key, value in lists.items() for one in value]
    # Tables that were put into a list directly follow those that a method added.
    rows.sort(key=lambda row: places.get(id(row[1]), len(order)))
    for key, one in rows:
        yield _block(f"[[{_key(key)}]]", one)


def _block(head: str, table: Mapping[str, Any]) -> str:
    return "\n".join([head, *(_line(*each) for each in table.items())])


def _line(key: str, value: object) -> str:
    return f"{_key(key)} = {_value(key, value)}"


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise InputError(f"a key is a text, not {key!r}")
    return key if _BARE.fullmatch(key) else _text(key)


def _value(key: str, value: object) -> str:
    """A value in one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, Mapping):
        inner = ", ".join(_line(*each) for each in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(key, one) for one in value)}]"
    try:
        return str(operator.index(value))  # type: ignore[arg-type]
    except TypeError:
        kind = type(value).__name__
        raise InputError(f"{key} = {value!r}: a scenario file has no value of {kind}") from None


def _text(text: str) -> str:
    """A text between quotes. JSON escapes all that TOML requires, except DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
