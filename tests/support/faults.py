"""Classes with hostile submissions in them, and grading runs that are killed at random moments."""

import itertools
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from sqlalchemy import create_engine, text

from grader.classroom.class_folder import Classroom
from grader.engine.learner_proxy import TimeLimits
from grader.engine.sandbox import Limits
from grader.marking.run import Run
from grader.quality.demo.run import make_class
from tests.redteam.attack import ATTACKS
from tests.redteam.stage import Stage, leftovers
from tests.redteam.targets import TARGETS

TARGET = TARGETS[0]
TOPIC = TARGET.lesson.topic
QUICK = Run(limits=Limits(memory=512 * 2**20), time_limits=TimeLimits(cpu=1.0, clock=4.0), seed=5)
ROWS = text(
    "select s.student_id, c.name, g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade from grade g "
    "join base_cell c on c.id = g.cell_id join submitted_notebook n on n.id = g.notebook_id "
    "join submitted_assignment s on s.id = n.assignment_id"
)
GRADE = """
import sys
from pathlib import Path
from grader.classroom.class_folder import Classroom
from grader.engine.learner_proxy import TimeLimits
from grader.engine.sandbox import Limits
from grader.marking.grade_class import Run, grade_class
home, db, scheduler, topic = sys.argv[1:]
run = Run(limits=Limits(memory=512 * 2**20), time_limits=TimeLimits(cpu=1.0, clock=4.0), scheduler=scheduler)
for graded in grade_class(Classroom(Path(home), db), [topic], run):
    pass
"""


def rows(classroom: Classroom) -> list[tuple]:
    """All grades that the gradebook holds."""
    engine = create_engine(classroom.db_url)
    try:
        with engine.connect() as connection:
            return sorted(map(tuple, connection.execute(ROWS)), key=lambda row: row[:2])
    finally:
        engine.dispose()


def class_of(home: Path, honest: int, hostile: int) -> None:
    """Demo submissions of one notebook, and attacks among them."""
    personas = itertools.islice(_personas(), honest)
    make_class(home, [(f"student-{number:04d}", TOPIC, persona) for number, persona in enumerate(personas)])
    chosen = [attack for attack in ATTACKS if attack.spares_stock or "loop" in attack.name or "flood" in attack.name]
    stage = Stage(home, [chosen[number % len(chosen)] for number in range(hostile)], [TARGET])
    stage.write()


def _personas():
    while True:
        yield from ("perfect", "mistaken", "right but unusual", "half done", "mistaken", "untouched", "corrupt", "labels lost")


def kill_and_go_on(classroom: Classroom, kills: int, dice: random.Random, most: float, scheduler: str = "") -> int:
    """Grade, killing the process and going on, until a run comes to its end; how often it was killed."""
    for turn in range(kills + 1):
        words = [str(classroom.home), classroom.db, scheduler, TOPIC]
        process = subprocess.Popen([sys.executable, "-c", GRADE, *words], stderr=subprocess.PIPE)
        if turn < kills:
            try:
                process.wait(dice.uniform(0.5, most))
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
        _, error_output = process.communicate(timeout=600)
        if process.returncode == 0:
            return turn
        assert process.returncode == -signal.SIGKILL, error_output.decode()[-2000:]
    raise AssertionError("it never came to its end")


def gone(home: Path) -> None:
    """Nothing of the killed runs is left after a moment."""
    until = time.monotonic() + 10
    while leftovers(home) and time.monotonic() < until:
        time.sleep(0.1)
    assert not leftovers(home)
