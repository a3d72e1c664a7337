"""Try an engine on the twenty public queries: `python projects/search_engine/try_it.py projects/search_engine/starter`."""

import csv
import runpy
import sys
from pathlib import Path
from statistics import mean, pstdev
from time import process_time

from embedding_course.data.project_search import collection

PLACES = 10


def main(folder: Path) -> None:
    if not (folder / "engine.py").is_file():
        sys.exit(f"There is no engine.py in {folder}.")
    names, texts, further = collection()
    engine_class = runpy.run_path(str(folder / "engine.py")).get("Engine")
    if engine_class is None:
        sys.exit(f"{folder / 'engine.py'} has no class Engine.")
    start = process_time()
    engine = engine_class(texts, further)
    built, ranks = process_time() - start, []
    with (Path(__file__).parent / "queries.tsv").open(encoding="utf-8", newline="") as file:
        queries = list(csv.reader(file, delimiter="\t"))
    for query, right in queries:
        found = [names[place] for place in engine.search(query, PLACES)][:PLACES]
        rank = next((rank for rank, name in enumerate(found, 1) if name in right.split()), 0)
        ranks.append(rank)
        if rank != 1:
            where = f"at place {rank}" if rank else "not among the ten"
            print(f"{query}\n    first: {found[0] if found else 'nothing'}; right: {' or '.join(right.split())}, {where}")
    firsts, reciprocals = [float(rank == 1) for rank in ranks], [1 / rank if rank else 0.0 for rank in ranks]
    qualities = [(first + reciprocal) / 2 for first, reciprocal in zip(firsts, reciprocals, strict=True)]
    print(f"{ranks.count(1)} of {len(ranks)} found first: recall@1 {mean(firsts):.2f}, MRR {mean(reciprocals):.2f}")
    print(f"quality {mean(qualities):.2f} ± {pstdev(qualities) / len(ranks) ** 0.5:.2f} (standard error)")
    print(f"{built:.0f} s to build, {process_time() - start:.0f} s in all")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "starter"))
