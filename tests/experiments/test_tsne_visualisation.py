"""The small machines behind notebook 10's demonstrations, and the numbers that its prose rests on."""

import json
import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file

from embedding_course.data.published import recorded_minilm
from embedding_course.experiments.tsne_visualisation import (
    clouds,
    digits_map,
    document_map,
    drift,
    fair_null,
    four_clouds,
    function_map,
    map_making,
    neighbourhoods,
    real_words,
)
from embedding_course.experiments.tsne_visualisation import language_alignment as two
from embedding_course.experiments.tsne_visualisation import table_health as health
from embedding_course.experiments.tsne_visualisation.map_making import Pieces, make_map
from embedding_course.learner.own_tables import Table, read_table
from embedding_course.plot import maps, svg_map
from embedding_course.plot import table_health as pictures
from grader.paths import ROOT
from tests.support.right_answers import right_answer


@pytest.fixture(scope="module")
def pieces() -> Pieces:
    return Pieces(*(right_answer(f"10.{name}") for name in Pieces._fields))


def _recorded(name: str) -> Table:
    return read_table(ROOT / "data" / "tables" / f"{name}.safetensors", own=False)


@pytest.mark.slow
def test_the_map_is_as_good_as_that_of_scikit_learn(pieces: Pieces):
    x, _ = four_clouds.digits(300)
    trust = right_answer("10.trustworthiness")
    mine, theirs = (trust(x, y, 10) for y in (make_map(pieces, x).y, map_making.scikit_map(x)))
    assert abs(mine - theirs) < 0.02 and mine > 0.97
    assert trust(x, right_answer("10.pca")(x, 2), 10) < mine - 0.05


def test_the_recorded_map_is_of_all_digits(capsys: pytest.CaptureFixture[str]):
    x, names = four_clouds.digits(digits_map.ALL)
    assert _recorded("10_digits_map").words == tuple(map(str, names.tolist()))
    assert right_answer("10.trustworthiness")(x, digits_map.whole(), 10) > 0.98
    assert capsys.readouterr().out.startswith("Recorded: 1,797 digits")


def test_the_loop_repeats_and_keeps_what_it_is_asked_for(pieces: Pieces):
    x = clouds.noise(30, 4)
    before = torch.random.get_rng_state()
    first, second = (make_map(pieces, x, 5, 200, keep=(0, 20)) for _ in range(2))
    assert torch.equal(first.y, second.y) and list(first.frames) == [0, 20] and first.losses[-1][0] == 200
    assert first.losses[-1][1] < first.losses[0][1] and torch.equal(before, torch.random.get_rng_state())


def test_a_slow_gradient_and_a_wrong_one_do_not_stop_the_lesson(
    pieces: Pieces, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    x = clouds.noise(40, 4)
    with monkeypatch.context() as patched:
        patched.setattr(map_making, "PATIENCE", 0.0)
        assert make_map(pieces, x, 5).y.shape == (40, 2)
    assert "scikit-learn makes this map" in capsys.readouterr().out
    infinite = pieces._replace(tsne_gradient=lambda p, y: y / 0)
    assert make_map(infinite, x, 5, 50).y.isfinite().all()
    assert "look at `tsne_gradient`" in capsys.readouterr().out


def test_the_difference_quotient_agrees_with_the_gradient(pieces: Pieces):
    p, y = pieces.joint(clouds.noise(20, 3).double(), 5), clouds.noise(20, 2, seed=1).double()
    gradient = pieces.tsne_gradient(p, y)
    measured = map_making.slopes(lambda moved: map_making.divergence(p, moved), y, 1e-5)
    assert torch.allclose(measured, gradient, rtol=0, atol=1e-9)


def test_beta_is_read_off_two_chances_of_a_row(pieces: Pieces):
    crowd, lonely = neighbourhoods.crowd_and_lonely(lambda line: torch.softmax(-3 * torch.cdist(line, line) ** 2, dim=1))
    assert crowd == pytest.approx(3) and lonely == pytest.approx(3)


def test_sizes_and_gaps_are_lost(pieces: Pieces):
    sizes, gaps = clouds.two_sizes(50), clouds.three_gaps(30)

    def width(points: torch.Tensor) -> float:
        return (points - points.mean(dim=0)).norm(dim=1).mean().item()

    y = make_map(pieces, sizes.x, 20, 400).y
    assert width(sizes.x[50:]) > 8 * width(sizes.x[:50]) and 0.6 < width(y[50:]) / width(y[:50]) < 1.7
    y = make_map(pieces, gaps.x, 20, 400).y
    middles = torch.stack([y[gaps.groups == group].mean(dim=0) for group in range(3)])
    assert (middles[1] - middles[2]).norm() < 2 * (middles[0] - middles[1]).norm()


@pytest.mark.slow
def test_the_shuffled_null_says_yes_to_noise_and_the_fair_one_does_not():
    words, chinese = _recorded("04_words"), _recorded("05_chinese")
    expected = {"A": False, "B": False, "C": True, "D": True}
    for name, x in four_clouds.four_clouds(words, chinese).items():
        y = map_making.scikit_map(x, 10)
        result = right_answer("10.cluster_test")(x, y, fair_null.cut(y, 7), torch.Generator().manual_seed(0))
        assert result["real"] and result["map"] > 0.3, name
        assert "real: True" in fair_null.said(result)
        assert fair_null.fair_test(x, 7).real == expected[name], name


@pytest.mark.parametrize("seed", range(5))
def test_the_fair_null_seldom_finds_groups_in_noise(seed: int):
    result = fair_null.fair_test(clouds.noise(120, 20, seed), 6)
    assert result.data < result.null + 0.01


def test_neighbours_on_a_line():
    line, turned = torch.tensor([[0.0], [1.0], [3.0], [7.0]]), torch.tensor([[0.0], [7.0], [3.0], [1.0]])
    assert neighbourhoods.nearest_of(line, 2).tolist() == [[1, 2], [0, 2], [1, 0], [2, 1]]
    assert neighbourhoods.kept(line, line, 2) == 1 > neighbourhoods.kept(line, turned, 1)
    assert neighbourhoods.same_kind(line, ["a", "a", "b", "b"]) == 0.75


def test_the_translators_tables_are_not_aligned_and_two_languages_are_a_rotation_apart():
    chinese, english = _recorded("05_chinese"), _recorded("05_english")
    pairs = two.dictionary()
    left, right = zip(*pairs, strict=True)
    assert len(set(left)) == len(set(right)) == len(pairs) == 71 and ("狗", "dog") in pairs
    ours = chinese.vectors[[chinese.words.index(word) for word in left]]
    theirs = english.vectors[[english.words.index(word) for word in right]]
    assert (two.ranks(ours, theirs) == 1).float().mean() < 0.1
    same, expected = two.same_language(chinese.vectors[4:], english.vectors[4:])
    assert abs(same - expected) < 0.08
    ours, theirs = two.rows_of(two.company("chinese"), left), two.rows_of(two.company("english"), right)
    assert (two.ranks(ours, theirs) <= 5).float().mean() < 0.2
    aligned = two.learn_rotation(ours, theirs)
    assert (two.ranks(aligned.rotated, theirs)[~aligned.known] <= 5).float().mean() > 0.75
    assert torch.allclose(aligned.rotated.norm(dim=1), ours.norm(dim=1), atol=1e-5)


def test_a_trained_table_can_look_like_one_that_never_was():
    untrained = health.check_up(clouds.noise(235, 48))
    for name in ("05_chinese", "05_english"):
        report = health.check_up(_recorded(name).vectors)
        assert abs(report.directions - untrained.directions) < 2 and abs(report.mean_cosine) < 0.02
        assert health.similar_pairs(_recorded(name), 1)[0][2] < 0.6
    words = _recorded("04_words")
    assert health.similar_pairs(words, 1)[0][2] > 0.95
    assert [words.words[row] for row in right_answer("10.norm_outliers")(words.vectors)] == ["with"]
    chinese = _recorded("05_chinese")
    assert [chinese.words[row] for row in right_answer("10.norm_outliers")(chinese.vectors)] == ["<pad>"]


def test_the_outlier_test_cannot_fire_for_ten_rows():
    for rows, outliers in ((5, []), (10, []), (11, [0])):
        weight = torch.eye(rows)
        weight[0] *= 1e6
        assert list(right_answer("10.norm_outliers")(weight)) == outliers


def test_analogies_need_their_baseline(capsys: pytest.CaptureFixture[str]):
    words = _recorded("04_words")
    asked = {
        name: health.quiz(words, pairs, right_answer("10.analogy")) for name, pairs in health.form_pairs(words.words).items()
    }
    plural, ing = asked["dog : dogs"], asked["eat : eating"]
    assert plural.asked > 150 and abs(plural.right - plural.nearest_to_c) < 0.1 * plural.asked
    assert ing.right > 4 * ing.nearest_to_c
    assert sum(quiz.gave_b + quiz.gave_c for quiz in asked.values()) > 0.4 * sum(quiz.asked for quiz in asked.values())
    pictures.show_quiz(asked)
    assert "[Figure: Analogies" in capsys.readouterr().out


def test_a_map_that_tells_its_words_escapes_them_and_needs_no_script():
    word_map = svg_map.WordMap(clouds.noise(4, 2), ["<b>&", "狗", "dog", "猫"], ["x", "x", "<i>", "y"], links=[(1, 2)])
    drawing = word_map.svg('a "map" of <words>')
    tree = ElementTree.fromstring(drawing)
    space = "{http://www.w3.org/2000/svg}"
    assert [title.text for title in tree.iter(f"{space}title")] == ["<b>& · x", "狗 · x", "dog · <i>", "猫 · y"]
    assert tree.get("aria-label") == 'a "map" of <words>' and tree.get("role") == "img"
    assert len(list(tree.iter(f"{space}line"))) == 1 and "script" not in drawing and "http" not in drawing.split(">", 1)[1]
    with pytest.raises(ValueError, match="do not go together"):
        svg_map.WordMap(clouds.noise(4, 2), ["a"], ["b"])


def test_labels_of_a_crowded_map_do_not_touch():
    word_map = svg_map.WordMap(clouds.noise(200, 2), ["word"] * 200, ["x"] * 200)
    positions = word_map.labelled(word_map.words)
    assert 20 < len(positions) < 200
    before = {"start": 0.0, "middle": 14.4, "end": 28.8}
    corners = [(left - before[end], middle - 7) for left, middle, end in positions.values()]
    assert not any(
        abs(left - other_left) < 28.8 and abs(top - other_top) < 14
        for at, (left, top) in enumerate(corners)
        for other_left, other_top in corners[:at]
    )


def test_functions_come_from_the_engine_the_record_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("EMBEDDING_COURSE_STATE", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    recorded = function_map.functions()
    assert recorded and not recorded.own
    links, share = function_map.namesakes(recorded)
    assert links and 0.2 < share <= 1
    (tmp_path / "my_engine").mkdir()
    names = ["numpy.linalg.svd", "torch.linalg.svd", "torch.svd", "numpy.lonely", "os.svd", "numpy.Upper", "torch.Upper"]
    (tmp_path / "my_engine" / "engine.json").write_text(
        json.dumps({"entries": [{"name": name} for name in names]}), encoding="utf-8"
    )
    save_file({"vectors": torch.eye(7)}, os.fspath(tmp_path / "my_engine" / "engine.safetensors"))
    mine = function_map.functions()
    assert mine and mine.own and mine.words == ("numpy.linalg.svd", "torch.svd")
    (tmp_path / "my_engine" / "engine.json").write_text("[]", encoding="utf-8")

    def missing(name: str) -> Table:
        raise FileNotFoundError(name)

    monkeypatch.setattr(function_map, "table", missing)
    assert function_map.functions() is None
    assert "run notebook 09 first" in capsys.readouterr().out


@pytest.mark.slow
def test_a_path_is_torn_by_a_small_perplexity(pieces: Pieces):
    walk = clouds.cell_path()
    largest = {}
    for perplexity in (3, 40):
        y = make_map(pieces, walk.x, perplexity, 400).y
        steps = (y[1:] - y[:-1]).norm(dim=1)
        largest[perplexity] = (steps.max() / steps.median()).item()
    assert largest[3] > largest[40]


def test_every_group_has_a_mark_of_its_own():
    assert len(set(maps.MARKS)) == len(maps.MARKS) >= 10


def test_words_of_a_real_text_stand_together_by_kind(pieces: Pieces):
    chosen = real_words.choose(_recorded("04_reference"))
    n = chosen.listed
    assert len(chosen.x) == len(chosen.words) == n + 60 and set(chosen.marks[n:]) == {real_words.UNLISTED}
    assert set(chosen.marks[:n]) == set(real_words.MARKS_OF)
    assert neighbourhoods.same_kind(chosen.x[:n], chosen.kinds[:n]) > 0.6
    y = make_map(pieces, chosen.x, 10).y
    marks = torch.tensor([sorted(set(chosen.marks)).index(mark) for mark in chosen.marks[:n]])
    result = right_answer("10.cluster_test")(chosen.x[:n], y[:n], marks, torch.Generator().manual_seed(0))
    assert result["real"] and result["map"] > 0
    words = _recorded("04_reference")
    quiz = health.quiz(words, real_words.plurals(words.words), right_answer("10.analogy"))
    assert abs(quiz.right - quiz.nearest_to_c) < 0.1 * quiz.asked


def _rotated_versions(share: float = 0.0) -> tuple[drift.Version, drift.Version]:
    """Random texts; the second version is the first, turned, with a `share` of noise."""
    draw = torch.Generator().manual_seed(0)
    turn, _ = torch.linalg.qr(torch.randn(16, 16, generator=draw))
    parts = [torch.nn.functional.normalize(torch.randn(size, 16, generator=draw), dim=1) for size in (100, 200)]
    old = drift.Version(parts[0], parts[0], parts[1])
    new = [part @ turn + share * torch.randn(part.shape, generator=draw) for part in old]
    return old, drift.Version(*(torch.nn.functional.normalize(part, dim=1) for part in (new[0], new[0], new[2])))


def test_a_rotation_mends_an_index_of_two_versions_that_are_a_rotation_apart():
    old, new = _rotated_versions()
    shares = {state: right.float().mean().item() for state, right in drift.mixtures(old, new).items()}
    assert shares["all old"] == shares["all new"] == shares["mixed, old ones rotated"] == 1
    assert 0.45 < shares["mixed"] < 0.6
    assert drift.mixtures(old, new, fitted=4)["mixed, old ones rotated"].float().mean() < 0.9
    assert drift.mixtures(old, new, share=0.1)["mixed"].float().mean() > 0.85
    assert drift.still_found([drift.mixtures(old, new)], "mixed") == shares["mixed"]


def test_so_many_canaries_notice_it_and_fewer_do_not():
    needed = drift.canaries_needed(0.73, 0.39)
    assert needed == (22, 13)
    number, least = needed
    draw = torch.Generator().manual_seed(0)
    healthy, broken = ((torch.rand(20_000, number, generator=draw) < share).sum(dim=1) for share in (0.73, 0.39))
    assert (healthy < least).float().mean() < 0.055 and (broken >= least).float().mean() < 0.055
    assert drift.canaries_needed(0.5, 0.5) is None and drift.canaries_needed(0.5, 0.49, most=50) is None
    assert (drift.canaries_needed(0.73, 0.66) or (0, 0))[0] > 5 * number


def test_queries_and_documents_of_the_reference_share_no_place():
    pairs, again = drift.reference_pairs(0, 50), drift.reference_pairs(0, 50)
    assert pairs == again != drift.reference_pairs(1, 50)
    assert len(pairs.queries) == len(pairs.documents) == 50 < len(pairs.others)
    both = zip(pairs.queries, pairs.documents, strict=True)
    assert all(len(query.split()) - len(document.split()) in (0, 1) for query, document in both)


def test_what_stands_in_for_the_learners_functions_agrees_with_the_right_answers(pieces: Pieces):
    x, y = clouds.noise(40, 5).double(), clouds.noise(40, 2, seed=1).double()
    distances = pieces.squared_distances(x)
    expected = pieces.conditional_probabilities(distances, 8.0)
    assert torch.allclose(map_making.scikit_probabilities(distances, 8.0), expected, atol=1e-4)
    p = pieces.joint(x, 8.0)
    for factor in (1, 12):
        wanted = pieces.tsne_gradient(factor * p, y)
        assert torch.allclose(map_making.autograd_gradient(factor * p, y), wanted, atol=1e-12)


def test_the_recorded_map_of_documents_ranks_the_five_questions():
    laid, recorded = document_map.whole(), recorded_minilm()
    assert laid.words == (*recorded.names, *recorded.questions) and laid.vectors.shape == (len(laid.words), 2)
    results = document_map.ranks(laid)
    assert [result.by_vectors for result in results] == [1, 1, 37, 14, 69]
    assert [result.on_map for result in results] == [1, 1, 288, 350, 30]
    question = results[0].question
    close = document_map.closeness(laid, question.text, ["no.such.document", *question.right])
    assert close.argmax() == 1 and close.isfinite().all()
    trust = right_answer("10.trustworthiness")(recorded.documents, laid.vectors[: len(recorded.names)], 10)
    kept = neighbourhoods.kept(recorded.documents, laid.vectors[: len(recorded.names)], 10)
    assert (round(trust, 3), round(kept, 2)) == (0.984, 0.57)
