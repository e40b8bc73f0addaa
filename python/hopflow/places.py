"""Where a sweep is kept: a directory, or below a URL that fsspec knows.

Below a URL every batch is a separate object, written once by the worker that made it; the dataset
is made of them at the end. The objects of one batch are equal, so it does not matter which is
first.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hopflow import _hopflow
from hopflow.documents import StaleRows
from hopflow.errors import InputError, RunError
from hopflow.packages import package
from hopflow.pools import Batch

PLAN = "sweep.json"
SCENARIO = "scenario.toml"
ALL = "runs.parquet"
# Only for a sweep that keeps series.
SERIES = "series.parquet"
# The files that are written below the URL at the end, the dataset last.
FILES = ("report.html", SERIES, ALL)


class Objects:
    """Objects below a URL. It can be pickled."""

    def __init__(self, url: str, options: dict[str, Any]) -> None:
        self.url, self.options = url.rstrip("/"), options
        self._made: tuple[Any, str] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"url": self.url, "options": self.options, "_made": None}

    def _place(self) -> tuple[Any, str]:
        if self._made is None:
            core = package("fsspec.core", "'hopflow[fs]'")
            try:
                # A cached listing would hide new objects.
                made = core.url_to_fs(self.url, use_listings_cache=False, **self.options)
            except (ValueError, TypeError) as wrong:
                raise InputError(f"out={self.url!r}: {wrong}") from wrong
            except ImportError as lacks:
                package(lacks.name or "fsspec", "'hopflow[fs]'")
                raise
            self._made = (made[0], made[1].rstrip("/"))
        return self._made

    @contextmanager
    def _at(self, name: str, done: str) -> Iterator[tuple[Any, str]]:
        """Packages of stores raise exceptions of many kinds, so any that does not mean a missing
        or present object is reported as a store that cannot be used."""
        fs, root = self._place()
        try:
            yield fs, f"{root}/{name}"
        except (FileNotFoundError, FileExistsError):
            raise
        except Exception as cause:
            raise RunError(
                f"{self.url}/{name} cannot be {done}: {type(cause).__name__}: {cause}. What is "
                "there is safe; the same call goes on from there"
            ) from cause

    def once(self, name: str, data: bytes) -> bool:
        """Writes an object if there is none of this name; returns whether there was none."""
        try:
            with self._at(name, "written") as (fs, path):
                fs.pipe_file(path, data, mode="create")
        except FileExistsError:
            return False
        return True

    def put(self, name: str, data: bytes) -> None:
        """Writes an object, and replaces one of this name."""
        with self._at(name, "written") as (fs, path):
            fs.pipe_file(path, data)

    def get(self, name: str) -> bytes | None:
        """An object; `None` if there is none of this name."""
        try:
            with self._at(name, "read") as (fs, path):
                data: bytes = fs.cat_file(path)
        except FileNotFoundError:
            return None
        return data

    def names(self, folder: str) -> list[str]:
        """Objects in a folder, in order."""
        try:
            with self._at(folder, "read") as (fs, path):
                found = fs.ls(path.rstrip("/"), detail=False)
        except FileNotFoundError:
            return []
        return sorted(one.rstrip("/").rsplit("/", 1)[-1] for one in found)

    def remove(self, names: list[str]) -> None:
        """Removes objects, which may be gone already."""
        for name in names:
            try:
                with self._at(name, "removed") as (fs, path):
                    fs.rm_file(path)
            except FileNotFoundError:
                pass


def name_of(first: int, end: int) -> str:
    """The name of the object of a batch; in a directory, of its file."""
    return f"batches/{first:07}-{end:07}.jsonl"


class Folder:
    """A directory of this machine, written by this process alone."""

    objects: Objects | None = None

    def __init__(self, plan: _hopflow.SweepPlan, folder: str) -> None:
        self.folder, self.shown = folder, folder
        self._store: _hopflow.SweepStore | None = _hopflow.SweepStore(plan, folder)
        program, read, why = self._store.stale
        self.stale: StaleRows = {"program": program, "input": read, "why": why}

    def lacking(self) -> list[Batch]:
        """Points that lack runs, as ranges of adjacent points."""
        assert self._store is not None
        found: list[Batch] = []
        begin = 0
        while (batch := self._store.next_batch(begin, 1 << 32)) is not None:
            found.append(batch)
            begin = batch[1]
        return found

    def add(self, lines: str) -> None:
        """Stores a batch. Once this returns, the batch cannot be lost."""
        assert self._store is not None
        self._store.add(lines)

    def release(self) -> None:
        """Releases the directory, so that the dataset can be made."""
        self._store = None

    def publish(self) -> None:
        """The sweep is complete."""

    def close(self) -> None:
        self.release()


class Remote(Folder):
    """Objects below a URL, and a directory of this machine, which is removed at the end."""

    def __init__(self, plan: _hopflow.SweepPlan, objects: Objects) -> None:
        folder = Path(tempfile.mkdtemp(prefix="hopflow-sweep-"))
        try:
            objects.once(PLAN, plan.text.encode())
            batches = (f"batches/{one}" for one in objects.names("batches"))
            stored: bytes | None = None
            for name in (PLAN, SERIES, ALL, *batches):
                data = objects.get(name)
                if name == PLAN:
                    stored = data
                if data is not None:
                    (folder / name).parent.mkdir(exist_ok=True)
                    (folder / name).write_bytes(data)
            self.objects = objects
            try:
                super().__init__(plan, str(folder))
            except InputError as other:
                said = str(other).replace(str(folder), objects.url)
                raise InputError(said.replace("--out", "out=")) from None
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        if self.stale["why"] is not None:
            self._replace(plan)
        elif (kept := Path(self.folder, PLAN).read_bytes()) != stored:
            # It was that of another program, without rows.
            objects.put(PLAN, kept)
        objects.once(SCENARIO, json.loads(plan.text)["scenario"].encode())
        self.shown = objects.url

    def _replace(self, plan: _hopflow.SweepPlan) -> None:
        """Removes what was stale. The plan is last: until it is written, the next call finds what
        is left."""
        assert self.objects is not None
        for name in (SERIES, ALL):
            kept = Path(self.folder, name)
            if kept.exists():
                self.objects.put(name, kept.read_bytes())
        batches = [f"batches/{one}" for one in self.objects.names("batches")]
        self.objects.remove(["report.html", *batches])
        self.objects.put(PLAN, plan.text.encode())

    def publish(self) -> None:
        """Writes the dataset there, then removes the batches that it was made of."""
        assert self.objects is not None
        for name in FILES:
            made = Path(self.folder, name)
            if name != SERIES or made.exists():
                self.objects.put(name, made.read_bytes())
        self.objects.remove([f"batches/{one}" for one in self.objects.names("batches")])

    def close(self) -> None:
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


def objects(out: str | os.PathLike[str] | None, options: dict[str, Any] | None) -> Objects | None:
    """The objects that `out` means; `None`: a directory of this machine."""
    if isinstance(out, str) and "://" in out and not out.startswith(("file://", "local://")):
        return Objects(out, options or {})
    if options is not None:
        raise InputError("storage_options belong to a URL: give out='s3://bucket/name'")
    return None
