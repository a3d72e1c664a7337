"""Where the files lie that tests read."""

from pathlib import Path

TESTS = Path(__file__).parents[1]
REAL_WORLD = TESTS / "real_world"
