"""The types of documents: what calls return is of them, key by key."""

import types
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, is_typeddict

import pytest
from conftest import CHANCE, EXAMPLES, ROOT, command

import hopflow
from hopflow import documents

FIGURE = ROOT / "examples" / "figure-14.toml"


def misfit(value, kind, at):
    """Where a value is not of a type; None: nowhere."""
    if get_origin(kind) is NotRequired:
        return misfit(value, get_args(kind)[0], at)
    if kind is Any:
        return None
    if is_typeddict(kind):
        if not isinstance(value, dict):
            return f"{at}: {value!r} is no {kind.__name__}"
        missing = kind.__required_keys__ - value.keys()
        unknown = value.keys() - kind.__annotations__.keys()
        if missing or unknown:
            return f"{at}: missing {missing}, unknown {unknown}"
        found = (misfit(value[key], kind.__annotations__[key], f"{at}.{key}") for key in value)
        return next(filter(None, found), None)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        tried = [misfit(value, one, at) for one in args]
        return None if None in tried else "; ".join(tried)
    if origin is Literal:
        return None if value in args else f"{at}: {value!r} is not of {args}"
    if origin is list:
        if not isinstance(value, list):
            return f"{at}: {value!r} is no list"
        return next(filter(None, (misfit(one, args[0], f"{at}[]") for one in value)), None)
    if origin is dict:
        if not isinstance(value, dict):
            return f"{at}: {value!r} is no dict"
        found = (misfit(one, args[1], f"{at}.{key}") for key, one in value.items())
        return next(filter(None, found), None)
    plain = (int, float) if kind is float else kind
    fits = isinstance(value, plain) and (kind is bool or not isinstance(value, bool))
    fits = fits or (kind is type(None) and value is None)
    return None if fits else f"{at}: {value!r} is no {kind}"


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_results_of_every_example_are_run_documents(path):
    """With connections, lanes, rates, coders and calls."""
    scenario = hopflow.load(path)
    short = scenario.duration_ps > 2 * 10**9 and "warm-up" not in scenario.text
    result = hopflow.run(scenario, until="2 ms" if short else None)
    assert misfit(result.document, documents.RunDocument, "run") is None
    assert misfit(hopflow.size(path), documents.SizeDocument, "size") is None


def test_other_calls_return_their_documents(tmp_path):
    """compare with and without seeds, sweep with a row that cannot be read, its bundle and the
    check of that, an array, reproduce, and diff."""
    controls, until = ["as-is", "pfc"], "700 us"
    victim = ROOT / "examples" / "victim.toml"
    one = hopflow.compare(victim, controls, until=until)
    assert misfit(one, documents.CompareDocument, "compare") is None
    two = hopflow.compare(victim, controls, until=until, seeds=2)
    assert misfit(two, documents.SeedsComparisonDocument, "compare") is None
    scenario = hopflow.load(FIGURE).with_settings('duration="1 ms"', CHANCE)
    axes = {"flow.VC1.priority": [0, 9]}
    swept = hopflow.sweep(scenario, axes, seeds=2, out=tmp_path / "s")
    assert swept["failures"] and misfit(swept, documents.SweepDocument, "sweep") is None
    made = hopflow.bundle(tmp_path / "s", tmp_path / "s.tar")
    assert misfit(made, documents.BundleDocument, "bundle") is None
    checked = hopflow.check_bundle(tmp_path / "s.tar")
    assert misfit(checked, documents.BundleCheckDocument, "bundle") is None
    array = hopflow.sweep(scenario, axes, out=tmp_path / "a", engine="slurm", tasks=2)
    assert misfit(array, documents.ArrayDocument, "sweep") is None
    paper = hopflow.reproduce("kung94.fig14")
    assert misfit(paper, documents.ReproduceDocument, "reproduce") is None
    for name, seed in (("a", "1"), ("b", "2")):
        out = ["--seed", seed, "--quiet", "--out", tmp_path / "runs" / name]
        assert command("run", FIGURE, "--set", 'duration="1 ms"', *out).returncode == 0
    differs = hopflow.diff(tmp_path / "runs" / "a", tmp_path / "runs" / "b")
    assert differs["differences"] and misfit(differs, documents.DiffDocument, "diff") is None


def test_wrong_documents_do_not_fit():
    """`misfit` sees a key that lacks, one that is unknown, and a value of another type."""
    document = hopflow.run(hopflow.template(), until="1 ms").document
    vc = document["vcs"][0]
    for broken, says in (
        ({key: vc[key] for key in vc if key != "name"}, "missing {'name'}"),
        ({**vc, "nme": "a"}, "unknown {'nme'}"),
        ({**vc, "throughput_bps": "fast"}, "'fast' is no"),
        ({**vc, "hops": [{**vc["hops"][0], "no_cell_ps": 0.5}]}, "0.5 is no"),
    ):
        said = misfit({**document, "vcs": [broken]}, documents.RunDocument, "run")
        assert said is not None and says in said, said
