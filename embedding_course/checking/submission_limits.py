"""How much a submission may use: the grader's limits, with which `doctor` compares a notebook."""

from __future__ import annotations

from ..subject.course import course

__all__ = [
    "BASE",
    "CLOCK_SECONDS",
    "CPU_SECONDS",
    "LENT_ANSWERS",
    "LENT_ANSWERS_A_CASE",
    "LENT_MEMORY",
    "MEMORY",
    "OWN_CLOCK_SECONDS",
    "OWN_SECONDS",
    "SUBMISSION_CLOCK_SECONDS",
    "SUBMISSION_SECONDS",
]

#: Seconds of processor time for one cell or one call, and for one that sleeps, seconds by the clock.
CPU_SECONDS = 10.0
CLOCK_SECONDS = 60.0
#: The same for a submission as a whole: all its cells, all its exercises, and what is computed for it when answers are lent.
SUBMISSION_SECONDS = 120
SUBMISSION_CLOCK_SECONDS = 180.0
#: Of these, what the learner's own cells and the demonstrations that they need may take together. Where it is used up, only
#: definitions, imports and constants of further own cells run.
OWN_SECONDS = 40.0
OWN_CLOCK_SECONDS = 120.0
#: The heaviest thing that is imported before a submission begins; memory is counted beyond it.
BASE = "torch" if course().subject.torch else "numpy"
#: Bytes, on top of what Python and torch take.
MEMORY = 2048 * 2**20
#: Answers of the course's own that are lent to one call and to a submission as a whole, and bytes that computing them may take.
#: The most that a known right answer asks for is 803 a call (01.train_bpe, one for each merge of each line).
LENT_ANSWERS_A_CASE = 5_000
LENT_ANSWERS = 50_000
LENT_MEMORY = 512 * 2**20
