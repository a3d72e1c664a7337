"""`python -m embedding_course.search "sort an array"`: search the functions on this machine with the engine of notebook 09."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .experiments.contrastive_training.search_stages import Stages

_TOPIC = "09_contrastive_training"
_PLACES = ("my_engine", f"work/{_TOPIC}/my_engine", f"notebooks/{_TOPIC}/my_engine")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the hits and what each stage thought of them; 2 where there is no engine yet."""
    asked = _read(arguments)
    folder = asked.engine or next((Path(place) for place in _PLACES if (Path(place) / "engine.json").is_file()), None)
    if folder is None or not (folder / "engine.json").is_file():
        where = f"in {folder}" if folder else f"in any of {', '.join(_PLACES)}"
        print(f"There is no engine {where}. Notebook 09 trains one and saves it as my_engine (section 4).", file=sys.stderr)
        return 2
    from .experiments.contrastive_training.search_engine import SearchEngine
    from .experiments.contrastive_training.search_stages import Stages
    from .learner.own_answers import own

    fuse, engine = own("11.reciprocal_rank_fusion"), SearchEngine.load(folder)
    print(f"{len(engine):,} functions, engine {folder}; {'ranks merged by your own function' if fuse else _WITHOUT}.")
    print(_COLUMNS, flush=True)  # before the words of all texts are counted, which takes seconds
    stages = Stages(engine, fuse)
    for question in [" ".join(asked.question)] if asked.question else _typed():
        _show(stages, question, asked.k)
    return 0


_WITHOUT = "ordered by vectors alone, until 11.reciprocal_rank_fusion passes in notebook 11 and merges both ranks"
_COLUMNS = "Before each hit: its rank by words (TF-IDF) and by vectors (– where it is not among the first 200), and its cosine."


def _read(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m embedding_course.search",
        description="Search the functions on this machine with the engine that you trained in notebook 09.",
        epilog='For example: python -m embedding_course.search "sort array and return indices"',
    )
    parser.add_argument("question", nargs="*", help="what the function should do; without it, one question a line is read")
    parser.add_argument(
        "--engine", type=Path, help="the folder of the engine; else my_engine here, or in your copy of notebook 09"
    )
    parser.add_argument("-k", type=_number, default=5, metavar="K", help="how many hits, from 1 to 100 (5)")
    return parser.parse_args(arguments)


def _number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1 to 100")
    return int(text)


def _typed() -> Sequence[str]:
    if sys.stdin.isatty():
        print("One question a line; an empty line ends.")
    return list(iter(lambda: sys.stdin.readline().strip(), ""))


def _show(stages: Stages, question: str, k: int) -> None:
    from .experiments.contrastive_training.search_text import words

    print(f"\n{question}")
    hits = stages.search(question, k)
    if not hits:
        print("  nothing found: the question has no words")
        return
    print("  words  vectors  cosine")
    for hit in hits:
        ranks = [f"#{rank}" if rank else "–" for rank in (hit.by_words, hit.by_vectors)]
        print(f"  {ranks[0]:>5}  {ranks[1]:>7}  {hit.cosine:6.2f}  {hit.name}: {hit.summary}")
    if unknown := stages.engine.unknown(question):
        print(f"  never read: {', '.join(unknown)}")
    if len(unknown) == len(set(words(question))):
        print("  no word of the question was ever read: these are the nearest all the same, and hardly answers")


if __name__ == "__main__":
    sys.exit(main())
