"""What `python -m benchmarks` measures is there on a fresh clone, in which nothing was built yet."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import nbformat
import pytest

from benchmarks import benchmarks_page as page
from benchmarks import measurements as sides
from benchmarks.own_postgres import NoPostgres, own_postgres
from benchmarks.usage import Used


def pair(each: float) -> sides.Pair:
    return sides.Pair(Used(1.0, 1.0), Used(1.0 + each, 2.0), (1, 2))


JOB = sides.Job(pair(1.0), pair(1.0))


def test_the_notebooks_are_written_with_their_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sequence[str]] = []

    def instead(words: Sequence[str], home: Path) -> Used:
        asked.append(words)
        return Used(1.0, 2.0)

    monkeypatch.setattr(sides, "measure", instead)
    costs = sides.lessons(tmp_path, ["01_onehot_vs_lookup"])
    assert list(costs) == [sides.EMPTY, "01_onehot_vs_lookup"]
    _, words = asked
    (path,) = (Path(word) for word in words if word.endswith(".ipynb"))
    code = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    assert "def one_hot" in code and "raise NotImplementedError" not in code


def test_the_cost_of_an_empty_notebook_is_told_and_taken_off() -> None:
    lessons = {sides.EMPTY: Used(3.0, 3.5), "01_one": Used(8.0, 9.0), "02_two": Used(12.5, 13.0)}
    text = page.page(page.Figures({"01_one": JOB}, {"01_one": JOB}, JOB, 0.5, 1.25, 1.5, {10: Used(1.0, 1.0)}, lessons))
    assert "costs, 3.0 s" in text
    assert "**1.50 times** as fast" in text and "get 1.25 times as much done" in text
    assert "| 01_one | 5.0 | 8.0 | 9.0 |" in text and "| all | 14.5 | 20.5 | 22.0 |" in text


def test_the_whole_job_counts_marks_and_pages_on_both_sides() -> None:
    ours = sides.Job(pair(0.125), pair(0.025))
    figures = page.Figures(
        {"01_one": sides.Job(pair(3.0), pair(0.75))},
        {"01_one": sides.Job(pair(9.0), pair(1.5))},
        ours,
        0.05,
        1.0,
        1.0,
        {10: Used(1.0, 1.0)},
        {sides.EMPTY: Used(1.0, 1.0)},
        {"marks": 1.31, "larger classes": 2.0},
    )
    text = page.page(figures)
    assert "**24 times** the processor time for the same cells, 72 times" in text, "marks alone"
    assert "**25 times** the processor time for the same cells, 70 times" in text, "the whole job"
    assert "A page of ours costs 25 ms" in text
    assert text.count("counted to 40 million in 1.3 s") == 2 and text.count("in 2.0 s") == 1


def test_a_cluster_is_told_with_what_it_took_or_what_is_missing() -> None:
    empty = {sides.EMPTY: Used(1.0, 1.0)}
    figures = page.Figures({"01": JOB}, {"01": JOB}, JOB, 0.5, 1.0, 1.0, {10: Used(1.0, 1.0)}, empty)
    assert "not measured (not asked for)" in page.page(figures)
    missing = dataclasses.replace(figures, cluster="PostgreSQL is not installed")
    assert "not measured (PostgreSQL is not installed)" in page.page(missing)
    took = dataclasses.replace(figures, cluster=sides.Pair(Used(20.0, 10.0), Used(32.0, 18.0), (8, 48)))
    assert "**0.300 s** of processor time" in page.page(took) and "0.200 s by the clock" in page.page(took)


@pytest.mark.long
def test_a_class_on_a_cluster_with_postgres_is_measured(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask is not installed")
    try:
        with own_postgres():
            pass
    except NoPostgres as missing:
        pytest.skip(str(missing))
    measured = sides.on_a_cluster(tmp_path, "03_max_norm", (1, 2))
    assert isinstance(measured, sides.Pair) and measured.small.cpu > 1, measured
    for count in (1, 2):
        assert len(list((tmp_path / f"cluster-{count}" / "results" / "03_max_norm").glob("*.json"))) == count


def test_the_notebooks_measured_alone_say_so_and_leave_the_rest_of_the_page() -> None:
    costs = {sides.EMPTY: Used(3.0, 3.5), "01_one": Used(8.0, 9.0)}
    whole = "# Benchmarks\n\nhead\n\n## Two workers\n\nfast\n\n" + page.lessons(costs) + "\n\n## Steadiness\n\nnone\n"
    text = page.with_section(whole, page.lessons(costs | {"01_one": Used(7.0, 7.5)}, alone=True))
    assert "| 01_one | 4.0 | 7.0 | 7.5 |" in text and "| 01_one | 5.0 |" not in text
    assert "By `python -m benchmarks --notebooks`, after the rest" in text
    assert text.startswith("# Benchmarks\n\nhead\n\n## Two workers\n\nfast\n\n## The n") and text.endswith(
        "## Steadiness\n\nnone\n"
    )
