"""Where the files of the course in use lie, and those of the engine that serves it."""

from pathlib import Path

from embedding_course.subject.course import course

#: The checkout of the engine, which is also that of the course on embeddings.
ENGINE = Path(__file__).resolve().parent.parent
#: Translations of what only instructors have.
GRADERS_CATALOGUES = Path(__file__).parent / "locale"
#: The folder of the course in use.
ROOT = ENGINE if course().ours else course().root
SOLUTIONS = ROOT / "solutions"
NOTEBOOKS = ROOT / "notebooks"
BUILD = ROOT / "build"
#: The notebooks with solutions, in nbgrader's source format.
SOURCE = BUILD / "source"
