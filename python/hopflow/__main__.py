"""The command ``hopflow``, also as ``python -m hopflow``.

It is the command of the project: the same arguments, help, output and exit codes.
"""

from __future__ import annotations

import signal
import sys
from typing import NoReturn

from hopflow import _hopflow
from hopflow.queries import _run_sql


def main() -> NoReturn:
    """Runs the command with the arguments of the process, and ends with its exit code."""
    # The command handles Ctrl-C: it ends at once, or keeps what is complete where it can.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _hopflow.command(["hopflow", *sys.argv[1:]], _run_sql)
    sys.exit(code)


if __name__ == "__main__":
    main()
