"""Bundles: one file with results and with how to make them again, and the check of one."""

from __future__ import annotations

import os

from hopflow import _hopflow
from hopflow.answers import _answer, _options
from hopflow.documents import BundleCheckDocument, BundleDocument
from hopflow.errors import _reading
from hopflow.runs import Progress, _reporting, _whole


def bundle(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    files: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> BundleDocument:
    """Packs a directory of results into one file that anyone can check: ``hopflow bundle``.

    The file is a tar archive with the scenario and every file that it names, the resolved
    scenario, seeds, versions, digests, the command and a README. It has the same bytes on every
    machine. Nothing is run.

    Parameters
    ----------
    path : str or os.PathLike
        A directory that ``hopflow run``, ``compare`` or ``sweep``, or `hopflow.sweep`, wrote.
    out : str or os.PathLike, optional
        The file. Default: ``NAME.tar`` in the working directory, for a directory ``NAME``.
    files : str or os.PathLike, optional
        The directory of files that the scenario names. Default: the directory of the run and the
        working directory; for a sweep, the one where its scenario was.
    force : bool, optional
        Replace the file if it is a bundle.

    Returns
    -------
    dict
        As ``hopflow bundle --format json`` prints it: ``bundle`` (the file), ``digest``, ``runs``,
        ``command``, ``bytes``, ``sha256`` and ``files``.

    Raises
    ------
    InputError
        ``path`` is not a directory of results, they are incomplete or of another version, a file
        that the scenario names is not found, or ``out`` exists.
    MissingFileError
        ``path`` does not exist; also a `FileNotFoundError` and an `InputError`.
    RunError
        The file cannot be written.

    Examples
    --------
    >>> import hopflow, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> scenario = hopflow.template().with_settings('duration="1 ms"')
    >>> found = hopflow.sweep(scenario, {"seed": [1, 2]}, out=folder + "/s")
    >>> made = hopflow.bundle(folder + "/s", folder + "/s.tar")
    >>> made["kind"], made["runs"]
    ('sweep', 2)
    >>> hopflow.check_bundle(folder + "/s.tar")["same"]
    True
    """
    options = [*_given(out=out, files=files), *(["--force"] if force else [])]
    with _reading(path):
        answer: BundleDocument = _answer(
            _hopflow.bundle([*options, "--", os.fspath(path)], None)
        )
    return answer


def check_bundle(
    path: str | os.PathLike[str],
    *,
    sample: int | None = None,
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> BundleCheckDocument:
    """Makes the runs of a bundle again and compares them: ``hopflow bundle --check``.

    Parameters
    ----------
    path : str or os.PathLike
        The file.
    sample : int, optional
        The number of runs to make, spread over all. Default: all.
    threads : int, optional
        The total number of threads. Default: all cores. The answer does not depend on it.
    progress : bool or callable, optional
        As in `hopflow.compare`.

    Returns
    -------
    dict
        ``same``; ``made`` of ``all``; ``digests_only``, the files of which a sample compared
        digests alone; and ``differences``: a list with ``run``, ``file``, ``what``, ``bundled``
        and ``found``.

    Raises
    ------
    InputError
        The file is not a bundle, is damaged or changed, or is of another version of hopflow.
    MissingFileError
        It does not exist; also a `FileNotFoundError` and an `InputError`.

    Examples
    --------
    >>> import hopflow
    >>> hopflow.check_bundle("no-such-file.tar")
    Traceback (most recent call last):
    ...
    hopflow.errors.MissingInputError: ...
    """
    _whole("sample", sample, 1)
    _whole("threads", threads, 1)
    options = ["--check", *_options({"sample": sample, "threads": threads})]
    with _reporting(progress) as report, _reading(path):
        answer: BundleCheckDocument = _answer(
            _hopflow.bundle([*options, "--", os.fspath(path)], report)
        )
    return answer


def _given(**paths: str | os.PathLike[str] | None) -> list[str]:
    """Options for the paths that are given."""
    given = {name: path for name, path in paths.items() if path is not None}
    return [f"--{name}={os.fspath(path)}" for name, path in given.items()]
