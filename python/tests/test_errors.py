"""Mistakes are exceptions with their place; no panic leaves the extension."""

import json
import pickle

import pytest
from conftest import command

import hopflow
from hopflow import _hopflow

# Characters of several bytes precede the mistake, and two mistakes are found at once.
WRONG = 'version = 2\ntitle = "Grüße → ß"\nduraton = "1 ms"\n[[hots]]\nname = "A"\n'


def test_diagnostics_are_those_of_the_command(tmp_path):
    """Code, message, hint and place of each are those of `check --format json`."""
    path = tmp_path / "wrong.toml"
    path.write_text(WRONG, encoding="utf-8")
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.load(path)
    errors = json.loads(command("check", path, "--format", "json").stdout)["files"][0]["errors"]
    found = caught.value.diagnostics
    assert [one.code for one in found] == [one["code"] for one in errors]
    assert [one.message for one in found] == [one["message"] for one in errors]
    assert [one.hint for one in found] == [one["hint"] for one in errors]
    places = [(place["line"], place["column"]) for one in errors for place in one["places"][:1]]
    assert [(one.places[0].line, one.places[0].column) for one in found if one.places] == places
    assert len(found) >= 2 and all(one.severity == "error" for one in found)


def test_spans_count_characters():
    """The span is that of the word in the text, after characters of several bytes."""
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.loads(WRONG, "wrong.toml")
    first = next(one for one in caught.value.diagnostics if "duraton" in one.message)
    assert WRONG[slice(*first.span)] == "duraton"
    assert first.path == "wrong.toml" and "duration" in first.hint
    assert "wrong.toml:3:1" in str(caught.value) and "wrong.toml:3:1" in str(first)


def test_mistake_in_a_setting_has_its_place_there():
    """The span is that of the word in the setting."""
    setting = 'duration="1 parsec"'
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.template("chain").with_settings("seed=1", setting)
    one = caught.value.diagnostics[0]
    assert one.path is None and one.setting == setting
    assert setting[slice(*one.span)] == '"1 parsec"'


def test_unknown_control_lists_all():
    """The message lists the known controls."""
    with pytest.raises(hopflow.InputError, match="drop-tail"):
        hopflow.template("chain").under("magic")


def test_exceptions_are_pickled_whole():
    """Worker processes return them with all their attributes."""
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.loads(WRONG)
    back = pickle.loads(pickle.dumps(caught.value))
    assert back.diagnostics == caught.value.diagnostics and str(back) == str(caught.value)
    for one in (hopflow.InputError("a"), hopflow.RunError("b"), hopflow.InternalError("c")):
        back = pickle.loads(pickle.dumps(one))
        assert type(back) is type(one) and str(back) == str(one)


def test_a_panic_becomes_an_internal_error(capfd):
    """It is an ordinary exception with the place in Rust and how to report it; nothing is printed
    and the next call works."""
    with pytest.raises(hopflow.InternalError) as caught:
        _hopflow.panic_for_test()
    said = str(caught.value)
    assert "asked for by a test" in said and "run.rs" in said and "Please report it" in said
    assert capfd.readouterr().err == ""
    assert hopflow.template("chain").seed >= 0


def test_warnings_are_issued_where_the_scenario_is_read():
    """A doubtful scenario warns at the line that reads it, and keeps its warnings."""
    text = hopflow.template("chain").text.replace("version = 2", "version = 1", 1)
    with pytest.warns(hopflow.ScenarioWarning, match="HF0116") as caught:
        scenario = hopflow.loads(text)
    assert caught[0].filename == __file__
    assert scenario.warnings[0].code == "HF0116" and scenario.warnings[0].severity == "warning"


def test_base_class_catches_all():
    """One `except` is enough."""
    kinds = ("InputError", "ScenarioError", "RunError", "MissingPackageError", "InternalError")
    for kind in kinds:
        assert issubclass(getattr(hopflow, kind), hopflow.HopflowError)
    assert not issubclass(hopflow.InternalError, ValueError)
