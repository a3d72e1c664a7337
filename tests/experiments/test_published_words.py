"""GloVe in notebook 10: what is recorded of it, and what real tools say of the same vectors."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from embedding_course import show_table
from embedding_course.data.published import PublishedError, WordVectors, glove
from embedding_course.experiments import curves
from embedding_course.experiments.tsne_visualisation import clouds, published_words, table_health
from embedding_course.learner.own_tables import Table
from embedding_course.plot import published_words as pictures
from embedding_course.plot import svg_map
from grader.course_source.lesson import read_lesson
from tests.support.published import published
from tests.support.right_answers import right_answer


@pytest.fixture(scope="module")
def excerpt() -> Table:
    return published_words.excerpt()


def test_the_excerpt_is_what_was_published(excerpt: Table) -> None:
    word_vectors = published(glove)
    rows = [word_vectors.index[word] for word in excerpt.words]
    assert rows == sorted(rows) and torch.equal(word_vectors.vectors[rows], excerpt.vectors)
    assert set(excerpt.words) == set(published_words.KIND_OF)


def test_real_tools_agree_with_the_learners_functions(excerpt: Table) -> None:
    unit, y = F.normalize(excerpt.vectors, dim=1), right_answer("10.pca")(excerpt.vectors, 2)
    from sklearn.manifold import trustworthiness

    assert right_answer("10.trustworthiness")(unit, y, 10) == pytest.approx(trustworthiness(unit, y, n_neighbors=10), abs=1e-9)
    keyed = pytest.importorskip("gensim.models").KeyedVectors(vector_size=50)
    keyed.add_vectors(excerpt.words, excerpt.vectors.numpy())
    for a, b, c in torch.randint(len(unit), (50, 3), generator=torch.Generator().manual_seed(0)).tolist():
        if len({a, b, c}) == 3:
            theirs = keyed.most_similar([excerpt.words[b], excerpt.words[c]], [excerpt.words[a]], topn=3)
            ours = [excerpt.words[row] for row in right_answer("10.analogy")(unit, a, b, c, 3)]
            assert ours == [word for word, _ in theirs]


def test_recorded_analogies_are_those_of_all_categories(capsys: pytest.CaptureFixture[str]) -> None:
    recorded = curves.load("10_google")
    results = published_words.quizzes(recorded)
    assert len(results) == 14 and sum(result.asked for result in results.values()) == 14_877
    pictures.show_google(results)
    assert "[Figure: Share of right answers in 14 categories" in capsys.readouterr().out


def test_live_analogies_are_near_the_recorded_ones() -> None:
    sample = published(lambda: published_words.sample(200) or pytest.skip("`make real` installs GloVe and gensim"))
    live = table_health.count_answers(*sample, right_answer("10.analogy"))
    recorded = published_words.quizzes(curves.load("10_google")).values()
    total = table_health.Quiz(*map(sum, zip(*recorded, strict=True)))
    for field in ("right", "right_with_all", "gave_b", "gave_c", "nearest_to_c"):
        share = getattr(total, field) / total.asked
        assert abs(getattr(live, field) / live.asked - share) < 4 * (share * (1 - share) / live.asked) ** 0.5 + 0.005


def test_without_glove_one_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing() -> WordVectors:
        raise PublishedError("GloVe is not on this machine")

    monkeypatch.setattr(published_words, "_glove", missing)
    assert published_words.sample(3) is None
    assert capsys.readouterr().out == "GloVe is not on this machine\n"


def test_recorded_hubs_and_norms(capsys: pytest.CaptureFixture[str]) -> None:
    recorded = curves.load("10_glove")
    assert set(published_words.hubs(recorded)) == set(published_words.spaces(torch.eye(3))) - {"noise_cosine"}
    skew = {name: recorded.numbers[f"{name}, skewness"] for name in published_words.spaces(torch.eye(3))}
    assert skew["noise_cosine"] < skew["cosine_centred"] < skew["cosine"] < skew["inner_product"]
    pictures.show_hubs(recorded)
    pictures.show_norms_by_rank(recorded)
    assert capsys.readouterr().out.count("[Figure: ") == 2


def test_occurrences_are_counted_as_in_the_lesson() -> None:
    cell = next(cell.source for cell in read_lesson("10_tsne_visualisation") if cell.key == "occurrences")
    scope: dict[str, Any] = {"torch": torch}
    exec(cell, scope)
    occurrences = scope["occurrences"]
    line = torch.tensor([[1.0], [2.0], [3.0]])  # By inner product 3 is nearest to all others.
    assert occurrences(line, 1).tolist() == [0, 1, 2]
    assert int(occurrences(clouds.noise(700, 5), 10).sum()) == 7000
    assert published_words.skewness(torch.tensor([0, 0, 0, 4])) == pytest.approx(1.1547, abs=1e-4)


def test_the_projector_gets_two_files_and_nothing_is_overwritten(
    excerpt: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    cell = next(cell.source for cell in read_lesson("10_tsne_visualisation") if cell.key == "projector")
    scope: dict[str, Any] = {
        "Path": Path,
        "show_table": show_table,
        "glove": excerpt,
        "glove_kinds": [published_words.KIND_OF[word] for word in excerpt.words],
    }
    for expected in (r"metadata.tsv\s+232\n", "vectors.tsv exists: name another folder\n"):
        exec(cell, scope)
        assert re.search(expected, capsys.readouterr().out)
    export = scope["export_for_projector"]
    export("new", ["a", "狗"], ["x", "y"], torch.tensor([[1.0, 0.5], [0.0, -2.0]]))
    assert (tmp_path / "new" / "vectors.tsv").read_text("utf-8") == "1\t0.5\n0\t-2\n"
    assert (tmp_path / "new" / "metadata.tsv").read_text("utf-8") == "word\tkind\na\tx\n狗\ty\n"
    with pytest.raises(ValueError, match="zip"):
        export("other", ["a", "b"], ["x"], torch.ones(2, 2))
    assert not (tmp_path / "other").exists()


def test_each_kind_is_named_for_translators() -> None:
    assert set(published_words.KINDS) == set(published_words.KIND_OF.values())


def test_both_points_of_a_word_are_one_group() -> None:
    words, kinds = ["<b>", "b", "c"], ["x", "y", "x"]
    maps = {name: svg_map.WordMap(clouds.noise(3, 2, seed), words, kinds) for seed, name in enumerate("AB")}
    drawing = svg_map.linked_svg(maps, "two maps")
    tree = ElementTree.fromstring(drawing)
    space = "{http://www.w3.org/2000/svg}"
    linked = [group for group in tree.findall(f"{space}g") if group.find(f"{space}title") is not None]
    assert [len(group.findall(f"{space}g")) for group in linked] == [2, 2, 2] and "script" not in drawing
    assert [group.findtext(f"{space}title") for group in linked] == ["<b> · x", "b · y", "c · x"]
