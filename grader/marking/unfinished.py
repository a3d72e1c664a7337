"""The seed of a run that was ended half way, and whether it was forced: the next one goes on with it."""

from dataclasses import dataclass
from pathlib import Path

from ..classroom import records
from .hidden_check import fresh_seed
from .run import Run

_FORCED = "forced"


@dataclass(frozen=True)
class Unfinished:
    """A run that did not come to its end."""

    seed: int
    forced: bool = False


def _place(home: Path) -> Path:
    return home / records.FOLDER / ".seed"


def read_unfinished(home: Path, run: Run) -> Unfinished | None:
    """The run that this one goes on with; None where it is one of its own. A forced run goes on with a forced one only, and one
    with a seed of its own with none of another."""
    try:
        seed, *forced = _place(home).read_text(encoding="ascii").split()
        found = Unfinished(int(seed), forced == [_FORCED])
    except (OSError, ValueError):
        return None
    if run.same_seeds or run.seed not in (None, found.seed) or (run.force and not found.forced):
        return None
    return found


def begin(home: Path, run: Run, earlier: Unfinished | None) -> int:
    """The seed of this run: the one that was asked for, else that of the run which it goes on with, else a fresh one. It is
    kept until the run comes to its end."""
    seed = run.seed if run.seed is not None else earlier.seed if earlier else fresh_seed()
    if earlier is None and not run.same_seeds and (run.seed is None or run.force):
        _place(home).parent.mkdir(parents=True, exist_ok=True)
        _place(home).write_text(f"{seed} {_FORCED}" if run.force else str(seed), encoding="ascii")
    return seed


def finish(home: Path, run: Run) -> None:
    """The run came to its end. A run on everybody's earlier seeds leaves what another one has kept."""
    if not run.same_seeds:
        _place(home).unlink(missing_ok=True)
