"""`python -m embedding_course.lab [NN]`: open JupyterLab on your own copies of the notebooks."""

import argparse
import importlib.util
import subprocess
import sys
from pathlib import Path

from ...files import STATE_FOLDER
from ...messages import COMMA, ENGLISH, Listing, Message, UnknownLanguage, set_language
from . import open_copies

#: The checkout (or the released tree) that contains this package.
ROOT = Path(__file__).resolve().parents[3]


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Make or update the copies in `work/`, then open JupyterLab there. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m embedding_course.lab", description=__doc__)
    parser.add_argument("notebook", nargs="?", default="", help="the notebook to open, for example 03")
    parser.add_argument("--copy-only", action="store_true", help="make the copies, do not open JupyterLab")
    parser.add_argument("--language", default=ENGLISH, help="the edition to open: en or zh")
    asked = parser.parse_args(arguments)
    try:
        set_language(asked.language)
    except UnknownLanguage as error:
        print(error)
        return 2
    edition = "" if asked.language == ENGLISH else asked.language
    notebooks, work = root / "notebooks" / edition, root / "work" / edition
    (root / "work" / STATE_FOLDER).mkdir(parents=True, exist_ok=True)  # one memory of progress for all editions
    copies = open_copies(notebooks, work)
    if not copies:
        print(Message("There are no notebooks in {folder}: run this in a checkout of the course.", folder=notebooks))
        return 2
    for copy in copies.values():
        if copy.message:
            print(copy.message)
    chosen = [topic for topic in copies if asked.notebook and topic.startswith(asked.notebook.zfill(2))]
    if asked.notebook and not chosen:
        message = Message("There is no notebook {number}; there are {numbers}.", number=asked.notebook)
        print(message.fill(numbers=Listing([topic[:2] for topic in copies], COMMA)))
        return 2
    start = _start_page(work)
    if asked.copy_only:
        return 0
    return _open(root / "work", work, [f"{topic}/{topic}.ipynb" for topic in chosen[:1]] or start)


def _start_page(work: Path) -> list[str]:
    """Write the start page and return its name; if the disk refuses, print a message and return an empty list."""
    from .start_page import write_start

    try:
        return [write_start(work)]
    except OSError as error:
        message = Message("The start page could not be written ({reason}); open the notebooks from the list on the left.")
        print(message.fill(reason=error.strerror))
        return []


def _open(home: Path, work: Path, start: list[str]) -> int:
    if importlib.util.find_spec("jupyterlab") is None:
        print(Message("JupyterLab is missing here: install it with `python -m pip install jupyterlab`."))
        return 2
    # Without a root, JupyterLab shows only the folder of the notebook that it opens, not the others nor what was submitted.
    return subprocess.call([sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={home}", *start], cwd=work)


if __name__ == "__main__":
    sys.exit(main())
