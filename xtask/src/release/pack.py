"""Packs what is released: the same files give the same bytes. `cargo xtask release` calls it.

    pack.py archive OUT FOLDER    OUT, a tar.gz, with FOLDER under its own name
    pack.py unpack IN FOLDER      the opposite, into FOLDER
    pack.py sums FOLDER           FOLDER/SHA256SUMS over all other files in it
    pack.py check FOLDER          exit code 1 if SHA256SUMS is not that of all other files in it
    pack.py glibc FILE            the version of glibc that FILE needs, or `none`
    pack.py licences WHEEL FILE...  exit code 1 if WHEEL has no licence file equal to each FILE
"""

import gzip
import hashlib
import re
import sys
import tarfile
import zipfile
from pathlib import Path

# 1980-01-01, as in wheels: a time that every format can say.
TIME = 315_532_800
SUMS = "SHA256SUMS"


def archive(out: str, folder: str) -> None:
    top = Path(folder)
    with open(out, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=TIME) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for path in sorted(path for path in top.rglob("*") if path.is_file()):
                info = tarfile.TarInfo(path.relative_to(top.parent).as_posix())
                info.size, info.mtime = path.stat().st_size, TIME
                info.mode = 0o755 if path.stem == "hopflow" else 0o644
                with open(path, "rb") as file:
                    tar.addfile(info, file)


def unpack(packed: str, folder: str) -> None:
    with tarfile.open(packed) as tar:
        tar.extractall(folder, filter="data")


def sums(folder: str) -> None:
    (Path(folder) / SUMS).write_text(measured(folder), newline="\n")


def check(folder: str) -> None:
    said, found = (Path(folder) / SUMS).read_text(), measured(folder)
    if said != found:
        sys.exit(f"{SUMS} says\n{said}but the files give\n{found}")


def measured(folder: str) -> str:
    """Lines as sha256sum prints them, in the order of names."""
    files = sorted(path for path in Path(folder).iterdir() if path.name != SUMS)
    digest = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    return "".join(f"{digest[name]}  {name}\n" for name in digest)


def glibc(file: str) -> None:
    """The symbols of a program name the versions of glibc that have them."""
    named = re.findall(rb"\0GLIBC_(\d+)\.(\d+)", Path(file).read_bytes())
    versions = [(int(major), int(minor)) for major, minor in named]
    print("{}.{}".format(*max(versions)) if versions else "none")


def licences(wheel: str, *files: str) -> None:
    with zipfile.ZipFile(wheel) as inside:
        kept = {name: inside.read(name) for name in inside.namelist() if "/licenses/" in name}
    for file in map(Path, files):
        same = [name for name in kept if name.endswith(f"/{file.name}")]
        if not any(kept[name] == file.read_bytes() for name in same):
            sys.exit(f"{wheel} has no licence file {file.name} equal to {file}; it has {[*kept]}")


if __name__ == "__main__":
    tasks = {task.__name__: task for task in (archive, unpack, sums, check, glibc, licences)}
    tasks[sys.argv[1]](*sys.argv[2:])
