"""A fault costs once: what the trusted side lends computes, and learns, like the learner's own would."""

import pytest
import torch

from embedding_course.exercises import exercises_of, find_exercise
from grader.course_source.catalogue import mistakes_of, reference, reference_source
from grader.course_source.lesson import given_cells
from grader.course_source.stub import definition
from grader.engine.fork_server import Learners
from grader.engine.reference_calls import lent_function, lent_module
from grader.marking.hidden_check import check, check_with_blame
from grader.marking.reference_answers import Lender


def lent(name: str) -> object:
    return lent_function(Lender(find_exercise("07.MultiHeadAttention")).answer, name)


def test_a_lent_function_returns_what_the_reference_does_with_its_gradients() -> None:
    torch.manual_seed(0)
    mask = torch.ones(4, 4, dtype=torch.bool).tril()
    results = []
    for attend in (lent("scaled_dot_product_attention"), reference(find_exercise("07.scaled_dot_product_attention"))):
        torch.manual_seed(1)
        q, k, v = (torch.randn(2, 4, 3, requires_grad=True) for _ in range(3))
        output, weights = attend(q, k, v, mask=mask)
        (output.square().sum() + weights.max()).backward()
        results.append([output, weights, q.grad, k.grad, v.grad])
    for mine, theirs in zip(*results, strict=True):
        assert torch.allclose(mine, theirs)


def test_a_transposed_input_has_its_gradient() -> None:
    split = lent("split_heads")
    x = torch.randn(2, 6, 4, requires_grad=True)
    split(x.transpose(1, 2), 2).sum().backward()
    assert torch.equal(x.grad, torch.ones(2, 6, 4))


def test_a_lent_module_learns_as_torchs_own_does() -> None:
    block = Lender(find_exercise("07.TransformerBlock"))
    model = lent_module(block.answer, "MultiHeadAttention")(6, heads=2, bias=False)
    assert sorted(name for name, _ in model.named_parameters()) == sorted(
        f"{name}_proj.weight" for name in ("q", "k", "v", "out")
    )
    torchs = torch.nn.MultiheadAttention(6, 2, bias=False, batch_first=True)
    projections = [model.q_proj.weight, model.k_proj.weight, model.v_proj.weight]
    torchs.in_proj_weight.data.copy_(torch.cat([projection.data for projection in projections]))
    torchs.out_proj.weight.data.copy_(model.out_proj.weight.data)
    x = torch.randn(3, 5, 6)
    mine, theirs = model(x), torchs(x, x, x)[0]
    assert torch.allclose(mine, theirs, atol=1e-6)
    mine.square().sum().backward()
    theirs.square().sum().backward()
    assert torch.allclose(torch.cat([projection.grad for projection in projections]), torchs.in_proj_weight.grad, atol=1e-5)


def test_a_lent_block_has_its_parts_under_their_names_and_learns() -> None:
    torch.manual_seed(0)
    borrowed = lent_module(Lender(find_exercise("07.TinyLM")).answer, "TransformerBlock")(6, 2, 11)
    own = reference(find_exercise("07.TransformerBlock"))(6, 2, 11)
    assert [name for name, _ in borrowed.named_parameters()] == [name for name, _ in own.named_parameters()]
    assert isinstance(borrowed.norm1, torch.nn.LayerNorm) and isinstance(borrowed.attention.q_proj, torch.nn.Linear)
    own.load_state_dict(borrowed.state_dict())
    x, mask = torch.randn(3, 5, 6), torch.ones(5, 5, dtype=torch.bool).tril()
    for model in (borrowed, own):
        model(x, mask).square().sum().backward()
    for mine, theirs in zip(borrowed.parameters(), own.parameters(), strict=True):
        assert torch.allclose(mine.grad, theirs.grad, atol=1e-4)


def test_what_is_not_built_on_or_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match="not lent here"):
        lent("MultiHeadAttention")(6, 2)
    with pytest.raises(ValueError, match="parameters is not lent"):
        lent_module(Lender(find_exercise("07.TransformerBlock")).answer, "MultiHeadAttention")(2**14, 2)


@pytest.mark.slow
def test_a_wrong_earlier_answer_costs_its_own_points_alone(learners: Learners) -> None:
    """A wrong attention, and a wrong module: all that is built on them in right ways keeps all its points."""
    broken = {
        "07.scaled_dot_product_attention": "no_scale",
        "07.MultiHeadAttention": "values_by_the_keys_projection",
        "07.TransformerBlock": "second_residual_missing",
    }
    whole = find_exercise("07.TinyLM")
    exercises = [exercise for exercise in exercises_of("07_attention") if exercise.name in whole.uses or exercise is whole]
    for wrong, slug in broken.items():
        cells = given_cells("07_attention")
        for exercise in exercises:
            right = definition(reference_source(exercise), exercise.name)
            cells.append(next(m.source for m in mistakes_of(exercise) if m.slug == slug) if exercise.id == wrong else right)
        with learners.start(cells) as learner:
            failed: list[str] = []
            for exercise in exercises:
                if not check_with_blame(learner, exercise, 5, failed).passed:
                    failed.append(exercise.name)
            assert failed == [find_exercise(wrong).name]
            assert not check(learner, whole, 5).passed


def test_a_process_that_answers_twice_loses_its_own_exercise_only(learners: Learners) -> None:
    """The second answer is in the way when the trusted side tells of a loan: the answer's fault, and not the grader's."""
    exercise = find_exercise("01.embed_by_matmul")
    source = f"""
def one_hot(ids, num_classes):
    return 0

def {exercise.name}(*args):
    import gc
    next(one for one in gc.get_objects() if type(one).__name__ == "Worker").reply({{"value": 0}})
    return 0
"""
    with learners.start() as learner:
        learner.run(*given_cells(exercise.lesson.topic), source)
        assert not check_with_blame(learner, exercise, 7, ["one_hot"]).passed
