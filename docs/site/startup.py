"""What each notebook of the site begins with: its folder, and a `%%bash` that gives whole outputs.

IPython's own writes a hundred bytes at a time, which the site would show as lines of their own.
"""

import os
import subprocess
import sys

from IPython import get_ipython

os.chdir(os.environ["HOPFLOW_SITE_WORK"])


def bash(line: str, cell: str) -> None:
    """Runs the lines of the cell; the first that fails is the error of the cell."""
    command = ["bash", "-e", "-o", "pipefail", "-c", cell]
    ran = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    sys.stdout.write(ran.stdout)
    sys.stderr.write(ran.stderr)
    ran.check_returncode()


get_ipython().register_magic_function(bash, "cell")
