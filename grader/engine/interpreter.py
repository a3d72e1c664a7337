"""The Python that runs learners' cells: the grader's own, or another one that a class names in its course.toml."""

import json
import os
import subprocess
import sys
from functools import cache

from embedding_course.subject.course import course

from ..errors import PhraseError
from ..paths import ENGINE

_OLDEST = (3, 11)
#: What the process that learners are forked from imports in every course.
_NEEDED = ("msgspec", "IPython", "numpy", "safetensors")
#: Seconds in which an interpreter starts, on a slow disk too.
_MAX_START_SECONDS = 60
_ASK = """
import importlib.util, json, sys
def there(name):
    try: return importlib.util.find_spec(name) is not None
    except ImportError: return False
missing = [name for name in sys.argv[1:] if not there(name)]
print("\\n" + json.dumps([list(sys.version_info[:3]), missing]))
"""


class WrongPython(PhraseError, RuntimeError):
    """The Python that course.toml names cannot run learners' cells; the message says why and what to do."""


def python_path() -> str:
    """Return where another Python finds modules: the grader and the course from this checkout, all else from its own packages.

    Where the grader is installed beside packages of this Python, nothing is shared, and the other one needs its own.
    """
    return "" if ENGINE.name in ("site-packages", "dist-packages") else str(ENGINE)


@cache
def version_of_python(python: str) -> str:
    """Return the version of an interpreter that can run learners' cells, such as "3.13.0".

    Raises
    ------
    WrongPython
        Where there is no such program, it is no Python, is older than 3.11, or lacks what the course needs.
    """
    words = [python, "-c", _ASK, *_modules()]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_MAX_START_SECONDS,
            check=False,
            env={**settings, "PYTHONPATH": python_path()},
            stdin=subprocess.DEVNULL,
            cwd=ENGINE,
        )
        version, missing = json.loads(done.stdout.splitlines()[-1])
    except OSError as error:
        raise WrongPython(f"{_named(python)} cannot be started ({error.strerror or error}); {_AGAIN}") from None
    except subprocess.TimeoutExpired:
        raise WrongPython(f"{_named(python)} did not answer within {_MAX_START_SECONDS} seconds; {_AGAIN}") from None
    except (ValueError, IndexError, TypeError):
        raise WrongPython(f"{_named(python)} did not answer as Python {_dotted(_OLDEST)} or newer does; {_AGAIN}") from None
    if tuple(version[:2]) < _OLDEST:
        raise WrongPython(
            f"{_named(python)} is Python {_dotted(version)}, and learners' cells need {_dotted(_OLDEST)} or newer; {_AGAIN}"
        )
    if missing:
        raise WrongPython(
            f"{_named(python)} is Python {_dotted(version)} and has no {', '.join(missing)}; install what is missing with "
            f"`{python} -m pip install …`, in the versions that the grader itself has"
        )
    return _dotted(version)


_AGAIN = "name another interpreter, or take the line out to use the grader's own"


def _modules() -> list[str]:
    """Return the modules that every process of a learner imports: those of the engine, and those that the course warms."""
    subject = course().subject
    named = [*_NEEDED, *(["torch"] if subject.torch else []), *subject.warm.modules]
    own = {"embedding_course", course().package}
    packages = [name.partition(".")[0] for name in named]
    here = ["grader", "embedding_course"]
    return list(dict.fromkeys([*here, *(name for name in packages if name not in own and name not in sys.stdlib_module_names)]))


def _named(python: str) -> str:
    return f"the Python of learners (python in [learners] of course.toml: {python})"


def _dotted(version: object) -> str:
    return ".".join(map(str, version))  # type: ignore[call-overload]
