"""Run as a program, with COURSE_IN_USE set: mark answers to the example course here, and say on stdout, as JSON, what came of
them and whether torch was imported."""

import copy
import json
import sys

from grader.course_source.notebook import release, source
from grader.engine.fork_server import Learners
from grader.marking.mark import mark
from grader.marking.open_marker import open_marker  # noqa: F401 - what marks a class is imported here too
from grader.quality.audit import audit  # noqa: F401 - and what audits
from grader.submission.rebuild import rebuild

TOPIC = "01_arrays"
ROW_MEANS = "def column_means(table):\n    return table.mean(axis=1)"
BACKWARDS = "def moving_average(values, width):\n    return np.convolve(values, np.ones(width) / width, mode='valid')[::-1]"
PROBE = "import sys\nassert 'torch' not in sys.modules, 'torch is here'"


def main() -> None:
    whole = source(TOPIC)
    given = release(whole)
    right = copy.deepcopy(given)
    for mine, theirs in zip(right.cells, whole.cells, strict=True):
        if mine.cell_type == "code" and mine.metadata.get("nbgrader", {}).get("solution"):
            mine.source = theirs.source
    wrong = copy.deepcopy(right)
    for cell in wrong.cells:
        if cell.source.startswith("def column_means"):
            cell.source = ROW_MEANS
        if cell.source.startswith("def moving_average"):
            cell.source = BACKWARDS
    with Learners(topics=[TOPIC]) as learners:
        results_by_name = {
            name: [
                {
                    "id": result.exercise,
                    "score": result.score,
                    "mistake": result.mistake,
                    "blamed": result.blamed,
                    "message": result.message,
                }
                for result in mark(learners, rebuild(given, notebook, TOPIC), TOPIC, 7).results
            ]
            for name, notebook in {"right": right, "wrong": wrong, "empty": given}.items()
        }
        with learners.start() as learner:
            learner.run(PROBE)
            output = learner.error_text
    json.dump(
        {"marks": results_by_name, "torch in the learner's process": output, "torch here": "torch" in sys.modules}, sys.stdout
    )


if __name__ == "__main__":
    main()
