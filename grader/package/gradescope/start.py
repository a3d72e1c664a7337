"""Start the grading of one submission on Gradescope: ``python -m grader.package.gradescope.start ROOT``.

The process in which learners' cells run is forked from this one before an answer or the seed has been read here. Both then
share what is slow to import.
"""

import gc
import importlib
import sys
from pathlib import Path

import msgspec

from embedding_course.subject.course import course

FILE = "start.json"


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """What may be known before the fork: the notebook, and whether submissions run without a sandbox. None of it is secret."""

    topic: str
    trusted: bool = False


def skipped_modules(source: Path, submission: Path, topic: str) -> list[str]:
    """Return the modules that are slow to import and that this submission and its notebook do not mention.

    Parameters
    ----------
    source : Path
        The folder of the unpacked package, with the course.
    submission : Path
        The folder of what was handed in.
    topic : str
        Name of the notebook.
    """
    package = source / "course" / course().package
    public = [source / "course" / "solutions" / topic / "released.ipynb", *(package / "exercises" / topic).glob("*.py")]
    texts = [path.read_bytes() for path in (*public, *submission.glob("*")) if path.is_file()]
    seldom = course().subject.warm.seldom
    return [name for name, words in seldom.items() if not any(word.encode() in text for word in words for text in texts)]


def main(root: Path) -> int:
    """Fork the learners' process, then grade. Returns what `one_submission.main` does."""
    gc.disable()  # what is imported stays, so a collection would look through it for nothing
    start = msgspec.json.decode((root / "source" / FILE).read_bytes(), type=Start)
    skipped = skipped_modules(root / "source", root / "submission", start.topic)
    for name in course().subject.warm.modules:
        if name not in skipped:
            importlib.import_module(name)
    if "torch._dynamo" in skipped:
        from .without_compiler import put_compiler_off

        put_compiler_off()
    from ...engine.fork_server import Learners, NoSandbox

    try:
        learners = Learners(
            trusted=start.trusted, hidden=[root], topics=[start.topic], skipped=skipped, forked=True, wait=False
        )
    except NoSandbox as error:
        print(f"✘ Not graded: {error}.")
        return 2
    with learners:
        from .one_submission import main as grade

        gc.freeze()
        gc.enable()
        return grade(root, learners)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
