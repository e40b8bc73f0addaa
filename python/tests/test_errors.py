"""Mistakes are exceptions with their place; no panic leaves the extension."""

import errno
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


def _missing(call, *args, **options):
    """The error of a call about a file that does not exist, which survives pickling."""
    with pytest.raises(FileNotFoundError) as caught:
        call(*args, **options)
    error = caught.value
    assert isinstance(error, hopflow.MissingFileError) and error.errno == errno.ENOENT
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error) and str(back) == str(error)
    assert (back.filename, back.errno) == (error.filename, error.errno)
    return error


def test_missing_scenario_is_a_file_not_found_error(tmp_path):
    """Every function that reads a scenario: the message is that of the command, and it is still a
    `ScenarioError` with its diagnostics. A directory, or a file that is wrong, is none."""
    path = str(tmp_path / "no-such.toml")
    calls = (
        (hopflow.load, {}),
        (hopflow.run, {}),
        (hopflow.compare, {}),
        (hopflow.size, {}),
        (hopflow.sweep, {"axes": {"seed": [1, 2]}, "out": tmp_path / "s"}),
    )
    checked = json.loads(command("check", path, "--format", "json").stdout)["files"][0]
    for call, options in calls:
        error = _missing(call, path, **options)
        assert isinstance(error, hopflow.ScenarioError) and error.filename == path
        assert error.diagnostics[0].code == "HF0002"
        assert error.diagnostics[0].message == checked["errors"][0]["message"]
        assert "cannot be read" in str(error)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(WRONG, encoding="utf-8")
    for there in (tmp_path, wrong):
        with pytest.raises(hopflow.ScenarioError) as caught:
            hopflow.load(there)
        assert not isinstance(caught.value, FileNotFoundError)


def test_missing_file_of_a_scenario_is_a_file_not_found_error(tmp_path):
    """The file that a source replays is looked up beside the scenario, and named with its path."""
    text = hopflow.template("chain").text.replace(
        '[[flow]]', '[[flow]]\nsource = { kind = "replay", file = "no-such.csv" }', 1
    )
    path = tmp_path / "replays.toml"
    path.write_text(text, encoding="utf-8")
    for call, args in ((hopflow.load, (path,)), (hopflow.loads, (text, str(path)))):
        error = _missing(call, *args)
        assert isinstance(error, hopflow.ScenarioError)
        assert error.filename == str(tmp_path / "no-such.csv")
    (tmp_path / "no-such.csv").write_text("time_us\nx\n", encoding="utf-8")
    with pytest.raises(hopflow.ScenarioError) as caught:
        hopflow.load(path)
    assert not isinstance(caught.value, FileNotFoundError)


def test_missing_results_are_a_file_not_found_error(tmp_path):
    """Every function that reads results; what is there and is no result is an `InputError`."""
    path = str(tmp_path / "no-such")
    calls = (lambda place: hopflow.diff(place, place), hopflow.bundle, hopflow.check_bundle)
    for call in calls:
        error = _missing(call, path)
        assert isinstance(error, hopflow.InputError) and error.filename == path
        assert path in str(error)
    empty = tmp_path / "empty"
    empty.mkdir()
    for call in calls:
        with pytest.raises(hopflow.InputError) as caught:
            call(str(empty))
        assert not isinstance(caught.value, FileNotFoundError)


def test_base_class_catches_all():
    """One `except` is enough."""
    kinds = ("InputError", "ScenarioError", "RunError", "MissingPackageError", "InternalError")
    for kind in (*kinds, "MissingFileError"):
        assert issubclass(getattr(hopflow, kind), hopflow.HopflowError)
    assert not issubclass(hopflow.InternalError, ValueError)
