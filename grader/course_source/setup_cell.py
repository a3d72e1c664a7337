"""The setup cell that every notebook opens with: the same three lines everywhere."""

from __future__ import annotations

import json

from embedding_course.course_in_use import course

__all__ = ["setup_cell"]

#: In a checkout the course is there already and nothing happens. Elsewhere a wheel that lies beside the notebook is
#: installed, the newest, or what PACKAGE names; where there is neither, pip is not asked for a name that may be anybody's.
#: A torch that is already there satisfies the package and stays as it is.
_SETUP = """\
PACKAGE = {package}  # where the course comes from if it is missing: a wheel uploaded here, else this name or address
import glob, importlib.util, os, sys; SOURCE = max(glob.glob("{name}-*.whl"), key=os.path.getmtime, default=PACKAGE)
if not importlib.util.find_spec("{name}"): get_ipython().system((f'"{{sys.executable}}" -m pip install --quiet "{{SOURCE}}" || ' if SOURCE else "") + 'echo "The course could not be installed: upload its wheel ({name}-...whl) beside this notebook and run this cell again; in a checkout, run make setup instead."')"""


def setup_cell(package: str) -> str:
    """The cell's text, with `package` as where the course comes from.

    >>> setup_cell("embedding-course").splitlines()[0].partition("  #")[0]
    'PACKAGE = "embedding-course"'
    """
    return _SETUP.format(package=json.dumps(package, ensure_ascii=False), name=course().package)
