"""The site of the documentation: `cargo xtask docs` builds it from the pages in docs.

The pages are those that GitHub shows. Here they get their order, the links of the site, and what is
made while they are read: the outputs of the notebooks, and the pages in docs/site.
"""

import functools
import os
import shutil
import sys
import tempfile
from pathlib import Path

import hopflow
from nbclient import NotebookClient
from numpydoc.xref import DEFAULT_LINKS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))

project = "hopflow"
author = "the contributors"
version = release = hopflow.__version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "numpydoc",
    "links",
    "made",
    "tables",
    "checks",
]
root_doc = "index"
exclude_patterns = ["**/*.py"]
# A mistake in TOML that docs/errors.md explains has no colours.
suppress_warnings = ["misc.highlighting_failure"]
nitpicky = True

# The reference of Python. What is in backquotes in a docstring is a name of hopflow or of Python.
default_role = "py:obj"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
# Types of parameters are links where they are names of hopflow.
numpydoc_xref_param_type = True
numpydoc_xref_ignore = "all"
DEFAULT_LINKS.clear()  # those to the documentation of Python need a network
numpydoc_xref_aliases = {
    name: f"hopflow.{name}" for name in hopflow.__all__ if name[0].isupper() and not name.isupper()
}
# Names in single backquotes that are none of hopflow.
nitpick_ignore = [
    ("py:obj", "True"),
    ("py:obj", "matplotlib.axes.Axes"),
    ("py:obj", "matplotlib.pyplot"),
    ("py:obj", "until"),
]

html_theme = "furo"
html_title = f"hopflow {version}"
html_favicon = "../../lab/public/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False

myst_enable_extensions = ["attrs_inline", "colon_fence", "dollarmath"]
myst_heading_anchors = 4

# Notebooks are always run, each cell must pass, and no output is kept from before.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_merge_streams = True
# On a machine that is busy with other work nothing fails, and no output is lost.
nb_execution_timeout = 1800
_begin = NotebookClient.__init__
NotebookClient.__init__ = functools.partialmethod(_begin, startup_timeout=600, iopub_timeout=600)

# Cells run in a folder that has the examples, as the root of the project has them, and find the
# command of the same environment as the package.
WORK = tempfile.TemporaryDirectory(prefix="hopflow-site-")
_work, _profile = Path(WORK.name, "work"), Path(WORK.name, "ipython", "profile_default")
_work.mkdir()
(_work / "examples").symlink_to(ROOT / "examples")
(_profile / "startup").mkdir(parents=True)
shutil.copy(HERE / "startup.py", _profile / "startup")
shutil.copy(HERE / "ipython_kernel_config.py", _profile)
os.environ["HOPFLOW_SITE_WORK"] = str(_work)
os.environ["IPYTHONDIR"] = str(_profile.parent)
# No settings of whoever builds the site.
for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR"):
    os.environ[name] = str(Path(WORK.name, name.lower()))
os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
os.environ["NO_COLOR"] = "1"
