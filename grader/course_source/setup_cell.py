"""The setup cell that every notebook opens with: the same three lines everywhere."""

import json
import re
from collections.abc import Iterable

from embedding_course.messages import ENGLISH, edition, languages
from embedding_course.subject.course import course

#: In a checkout the course is there already and nothing happens. Elsewhere a wheel that lies beside the notebook is
#: installed, the newest, or what PACKAGE names; where there is neither, pip is not asked for a name that may be anybody's.
#: A browser may have put something before or behind the wheel's name, as in `... (1).whl`, which pip refuses: a copy with the
#: proper name is installed. A torch that is already there satisfies the package and stays as it is.
_LANGUAGE = re.compile(r"""^[^#\n]*\bset_language\(["'](\w+)["']\)""", re.MULTILINE)
_SETUP = """\
PACKAGE = {package}  # where the course comes from if it is missing: a wheel uploaded here, else this name or address
import importlib.util, os, re, shutil, sys, tempfile; WHEELS = sorted((os.path.getmtime(wheel.string), wheel.string, wheel[1]) for wheel in map(re.compile(r"(?<!\\w)({name}-[^-]+-py3-none-any).*\\.whl$").search, os.listdir()) if wheel)
if not importlib.util.find_spec("{name}"): SOURCE = shutil.copy(WHEELS[-1][1], os.path.join(tempfile.mkdtemp(), WHEELS[-1][2] + ".whl")) if WHEELS else PACKAGE; get_ipython().system((f'"{{sys.executable}}" -m pip install --quiet "{{SOURCE}}" || ' if SOURCE else "") + 'echo "The course could not be installed: upload its wheel ({name}-...whl) beside this notebook and run this cell again; in a checkout, run make setup instead."')"""


def setup_cell(package: str) -> str:
    """Return the cell's text, with `package` as where the course comes from.

    >>> setup_cell("embedding-course").splitlines()[0].partition("  #")[0]
    'PACKAGE = "embedding-course"'
    """
    return _SETUP.format(package=json.dumps(package, ensure_ascii=False), name=course().package)


def language_line() -> str:
    """Return the line that an edition in another language than English adds to the cell; nothing in English.

    It is the only code in which editions differ, and tells the grader in which language its learner reads.
    """
    if edition() == ENGLISH:
        return ""
    return f'\nimport embedding_course; embedding_course.set_language("{edition()}")'


def language_of(sources: Iterable[str]) -> str:
    """Return the language in which a learner reads, by the last call of `set_language` in code cells; empty without one.

    >>> language_of(['import embedding_course; embedding_course.set_language("zh")', "x = 1"])
    'zh'
    """
    named = [code for source in sources for code in _LANGUAGE.findall(source) if code in languages()]
    return named[-1] if named else ""
