"""Published weights run alike in the learner's blocks and in torch's layer."""

import pytest
import torch

from embedding_course.exercises import find_exercise
from embedding_course.experiments.search_engine.blocks import for_blocks, fuses, make_blocks, random_bert
from grader.course_source.catalogue import reference


def _encoder(block: type | None) -> torch.nn.Module:
    state = random_bert(2, 12, 24, 30, 10, seed=3)
    blocks = make_blocks(block, 2, 12, 3, 24)
    encoder = reference(find_exercise("11.BertEncoder"))(30, 12, 10, blocks)
    names = reference(find_exercise("11.translate_names"))(state, fused=fuses(blocks[0]))
    encoder.load_state_dict(for_blocks(names, blocks[0]), strict=True)
    return encoder.eval()


def test_own_blocks_and_torchs_layer_give_the_same_vectors() -> None:
    ids = torch.tensor([[5, 6, 7, 0, 0], [8, 9, 10, 11, 12]])
    mask = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    with torch.no_grad():
        own, theirs = (_encoder(block)(ids, mask) for block in (reference(find_exercise("07.TransformerBlock")), None))
    real = mask.bool()
    assert torch.allclose(own[real], theirs[real], atol=1e-5)
    assert own[real].std() == pytest.approx(theirs[real].std(), rel=1e-4)


def test_every_norm_has_the_eps_of_bert() -> None:
    for block in (reference(find_exercise("07.TransformerBlock")), None):
        norms = [part for part in _encoder(block).modules() if isinstance(part, torch.nn.LayerNorm)]
        assert len(norms) == 5 and {norm.eps for norm in norms} == {1e-12}
