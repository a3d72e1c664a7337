"""The setup cell that every notebook opens with: the same three lines everywhere."""

from __future__ import annotations

__all__ = ["SETUP"]

#: In a checkout the course is there already and nothing happens. On Colab it is installed from the package index, or
#: from whatever PACKAGE names. A torch that is already there satisfies the package and stays as it is.
SETUP = """\
PACKAGE = "embedding-course"  # where the course comes from if it is missing: this name, a wheel's file name or address
import importlib.util, sys
if not importlib.util.find_spec("embedding_course"): get_ipython().system(f'"{sys.executable}" -m pip install --quiet "{PACKAGE}" || echo "The course could not be installed: upload its wheel here, write the file name into PACKAGE and run this cell again (in a checkout, run make setup instead)."')"""
