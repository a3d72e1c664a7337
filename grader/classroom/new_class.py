"""A new class: its folder, a course.toml that explains itself, and nbgrader's configuration."""

from pathlib import Path

from embedding_course.exercises.index import entries
from embedding_course.subject.lessons import LESSONS
from embedding_course.subject.titles import TITLE

from .policy.toml_file import FILE

_CONFIG = """\"""nbgrader's configuration: its commands and formgrader mark with the course's own grader.\"""

from pathlib import Path

from grader.marking.nbgrader_plugin import configure

configure(get_config(), Path(__file__).parent)  # noqa: F821 - given by traitlets
"""

_TEXT = """\
# What holds for this class alone. Every line may stay out; `grader class check` says what it comes to.

name = "{title}"

# Notebooks of the class, by number. All {many} unless said.
# notebooks = ["01", "02", "03"]

# The language of verdicts and pages for students whose notebook names none: "en" or "zh".
# language = "zh"

# Times below that name no zone are in this one: a place or an offset ("Europe/Berlin", "Asia/Shanghai", "+05:45").
# timezone = "Europe/Berlin"

# Who is in the class: a CSV file (Canvas, Moodle, GitHub Classroom, or columns student_id, first_name, last_name, email),
# or a list. `grader collect` then takes work of nobody else. Without either, everybody is welcome.
# roster = "roster.csv"
# students = ["ada", "bo"]

# Exercises that do not count here; further ones that count as core; core ones that pay extra credit only.
# drop = ["{drop}"]
# core = ["{further}"]
# further = ["{core}"]

# Several rosters, one for each section: roster = ["monday.csv", "tuesday.csv"]. A column "section" says the section of each
# student; here a file gives one to all of its students.
# [sections]
# "monday.csv" = "Monday"

# Points other than the lesson's; "written" is a notebook's written answer.
# [points]
# {points} = 5
# 01.written = 4

# Projects that count here, with their points; without this they do not (docs/teaching.md).
# [projects]
# search_engine = 20
# queries = "queries.tsv"

# The last moment that is in time. A day alone lasts to its end.
# [deadlines]
# 01 = "2026-03-01 23:59"
# 02 = "2026-03-08 23:59 Asia/Shanghai"
# 03 = 2026-03-15

# What lateness takes: per cent of a notebook's points for each day begun, at most so much; minutes that are forgiven;
# days after which nothing counts.
# [late]
# per_day = 10
# most = 50
# grace = 15
# closed_after = 14

# Another Python that runs learners' cells, where theirs is newer than the grader's.
# [learners]
# python = "/usr/bin/python3.13"

# Which of several submissions of one student counts: the best of what came, the last one, or the last one on time; and how
# many of them may count. Later ones are graded and shown. Any number unless said.
# [attempts]
# score = "best"
# most = 3

# Whether those who mark written answers (grader mark) see the names of students; how many per cent of the answers a second
# person marks without seeing the first mark.
# [marking]
# names = false
# second = 10

# Who marks which written answers; several markers share them evenly. Without notebooks, sections or students: all.
# [[allotments]]
# markers = ["li", "wu"]
# notebooks = ["01"]
# sections = ["Monday"]

# A rubric of the class's own for a written answer; without it, marking begins with the lesson's.
# [[rubrics."01.written"]]
# text = "names the cause"
# points = 2

# How many points above its maximum a notebook may count, for extra credit. Any number unless said.
# [extra]
# most = 2

# The grade of the term, a column of every export: weights (1 unless said, 0 leaves out), how many of the lowest notebooks
# do not count, and what the whole is worth.
# [term]
# weights = {{ "01" = 1, "03" = 2 }}
# drop = 1
# scale = 100

# A notebook that does not count for a student in the grade of the term.
# [[excused]]
# student = "ada"
# notebook = "03"
# why = "ill"

# The course in Canvas that `grader roster --pull canvas` and `grader export --push canvas` mean: the number in its address.
# [canvas]
# course = 4102

# People who hand in one submission, which counts for each of them.
# [[teams]]
# name = "Owls"
# members = ["ada", "bo"]

# More time for one student: until a moment, or days and hours longer. Without a notebook, for every deadline.
# [[extensions]]
# student = "ada"
# notebook = "01"
# days = 3
"""


def template() -> str:
    """Return a course.toml in which everything is explained and nothing is decided."""
    every = list(entries().values())
    core = [exercise.id for exercise in every if exercise.core] or ["01.an_exercise"]
    further = [exercise.id for exercise in every if not exercise.core] or core[-1:]
    first, second, third = (core * 3)[:3]  # a small course has less than three
    return _TEXT.format(drop=third, further=further[0], core=second, points=first, title=TITLE, many=len(LESSONS) or "of them")


def make_class(home: Path) -> list[Path]:
    """Make a class in `home` and return the new files and folders. What exists already is not changed."""
    made = []
    for folder in (home, home / "submitted"):
        if not folder.is_dir():
            folder.mkdir(parents=True)
            made.append(folder)
    for name, text in ((FILE, template()), ("nbgrader_config.py", _CONFIG)):
        if not (home / name).exists():
            (home / name).write_text(text, encoding="utf-8")
            made.append(home / name)
    return made
