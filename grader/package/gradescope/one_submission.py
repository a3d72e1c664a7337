"""Grade the one submission that lies in Gradescope's folders: ``python -m grader.package.gradescope.one_submission ROOT``.

What is printed is shown to the instructor alone; what a student may read goes into results.json.
"""

import sys
from pathlib import Path

import msgspec

from embedding_course.checking.seed import storable
from embedding_course.files import atomic_write

from ...classroom.class_folder import Submission
from ...engine.fork_server import NoSandbox
from ...marking.open_marker import open_marker
from ...marking.run import Run
from ...marking.submission_task import Graded, Task
from ..settings import Settings, read_settings
from .results import results_of


def grade(root: Path, settings: Settings) -> Graded:
    """Grade ROOT/submission as `grader grade` would, by the machinery that it uses. NoSandbox where no walls hold here and the
    package was not written with --trust-submissions."""
    submission = Submission(_student(root), settings.topic, root / "submission")
    run = Run(seed=settings.seed, trusted=settings.trusted, workers=1)
    task = Task(submission, settings.seed, terms=settings.terms)
    with open_marker(run, [settings.topic], settings.seed, 1, hidden=[root]) as marker:
        (graded,) = marker.mark([task])
    return graded


def main(root: Path) -> int:
    """Write ROOT/results/results.json. 2 where no walls hold: nothing is written then, so that nobody has a mark by it."""
    settings = read_settings(root / "source")
    path = root / "results" / "results.json"
    path.unlink(missing_ok=True)
    try:
        record = grade(root, settings).record
    except NoSandbox as error:
        print(f"✘ Not graded: {error}.")
        print("The same holds on a platform: the package is written with --trust-submissions by whoever trusts every file.")
        return 2
    path.parent.mkdir(exist_ok=True)
    written = msgspec.json.format(msgspec.json.encode(storable(results_of(record, settings.visibility))), indent=1)
    atomic_write(path, written)
    print(
        f"{record.student}: {record.status}, {record.score:g} of {record.max_score:g}, {record.extra:g} extra. {record.reason}"
    )
    print(f"Sandbox {record.sandbox}. Checks {record.check}, seed {record.seed:#x}.")
    return 0


def _student(root: Path) -> str:
    """Who handed it in, for the log alone."""
    try:
        users = msgspec.json.decode((root / "submission_metadata.json").read_bytes())["users"]
        return " and ".join(str(user["name"]) for user in users) or "somebody"
    except (OSError, msgspec.DecodeError, LookupError, TypeError):
        return "somebody"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
