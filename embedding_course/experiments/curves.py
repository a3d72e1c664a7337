"""Record curves of runs that take too long for a lesson, and show them with seed, steps and versions.

An experiment is a function in `embedding_course.experiments` that takes the learner's functions by their names and returns
`Curves`. `solutions/NN_topic/curves.py` lists the experiments of a notebook, and `grader curves` calls them with the
reference answers and writes `data/curves/<name>.json`. A lesson shows the file, or runs the experiment with its own functions:

    RERUN = False
    widths = curves.load("04_window", rerun=RERUN and (lambda: nplm_window.measure(NPLM, train_step)))
"""

import json
import platform
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time
from typing import Literal

import torch

from ..data.files import data_file
from ..messages import say, translate


@dataclass
class Curves:
    """Hold the curves of an experiment.

    `curves` maps an id to [(step, value), ...]; `labels` maps it to the text for readers (by default the id); `numbers` are
    further measurements by name; `data` names the text.
    """

    seed: int
    steps: int
    curves: Mapping[str, Sequence[tuple[float, float]]]
    numbers: Mapping[str, float] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    data: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0

    def label(self, name: str) -> str:
        """Return the text for a curve, by its id."""
        return self.labels.get(name, name)

    def named(self) -> dict[str, Sequence[tuple[float, float]]]:
        """Return the curves by their labels.

        Examples
        --------
        >>> Curves(0, 1, {"pre": [(0, 1.0)]}, labels={"pre": "pre-norm"}).named()
        {'pre-norm': [(0, 1.0)]}
        """
        return {self.label(name): points for name, points in self.curves.items()}

    def source(self) -> str:
        """Return a line that says where the curves come from."""
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        seed, steps = translate("seed {seed}", seed=self.seed), translate("{steps:,} steps", steps=self.steps)
        taken = translate("{seconds:.0f} s of one core", seconds=self.seconds)
        parts = (seed, steps if self.steps else "", versions, translate(self.data), taken if self.seconds else "")
        return " · ".join(part for part in parts if part)


def _timed(experiment: Callable[[], Curves]) -> Curves:
    started = process_time()
    curves = experiment()
    curves.versions = {"Python": platform.python_version(), "torch": torch.__version__.split("+")[0]}
    curves.seconds = round(process_time() - started, 1)
    return curves


def load(name: str, rerun: Callable[[], Curves] | Literal[False] = False) -> Curves:
    """Return the recorded curves `name`, or those of a new run if `rerun` is a function, and print which."""
    if rerun:
        curves = _timed(rerun)
        say("Run here and now: {source}", source=curves.source())
        return curves
    curves = Curves(**json.loads(data_file(f"curves/{name}.json").read_text(encoding="utf-8")))
    say("Recorded: {source}", source=curves.source())
    return curves


def record(experiment: Callable[[], Curves], path: Path) -> Curves:
    """Run an experiment and write its curves to `path`, one curve in each line."""
    curves = _timed(experiment)
    content = asdict(curves)
    for key in ("curves", "numbers"):
        content[key] = json.loads(json.dumps(content[key]), parse_float=lambda text: round(float(text), 4))
    path.parent.mkdir(parents=True, exist_ok=True)
    text = re.sub(r"\n(?: {3,}|  (?=\]))", " ", json.dumps(content, ensure_ascii=False, indent=1))
    path.write_text(text + "\n", encoding="utf-8")
    return curves
