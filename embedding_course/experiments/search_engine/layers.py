"""Compare encoders layer by layer, and make some with one deliberate error each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from ...data.published.models import BertModel
from ...messages import translatable
from .blocks import TorchBlock, for_blocks

#: The stages of an encoder of six blocks, as `layer_outputs` returns them.
STAGES = (
    translatable("sum of the tables"),
    translatable("layer norm"),
    *(translatable("block #").replace("#", str(number)) for number in range(1, 7)),
)
#: Each error with the settings of TorchBlock that make it; the first two are made in another way.
ERRORS: Mapping[str, Mapping[str, Any]] = {
    translatable("padding takes part"): {},
    translatable("eps 1e-5"): {},
    translatable("GELU by tanh"): {"gelu": lambda x: F.gelu(x, approximate="tanh")},
    translatable("pre-norm"): {"pre_norm": True},
}
_WRONG_EPS = 1e-5


@torch.no_grad()
def layer_outputs(encoder: Any, ids: torch.Tensor, attention_mask: torch.Tensor) -> list[torch.Tensor]:
    """Return the vectors of the real tokens after the sum of the tables, the norm and each block.

    Parameters
    ----------
    encoder : nn.Module
        A `BertEncoder` of notebook 11.
    ids, attention_mask : torch.Tensor
        A batch, (B, T) each.
    """
    kept: list[torch.Tensor] = []
    hooks = [encoder.norm.register_forward_pre_hook(lambda part, given: kept.append(given[0]))]
    for part in (encoder.norm, *encoder.blocks):
        hooks.append(part.register_forward_hook(lambda part, given, output: kept.append(output)))
    encoder(ids, attention_mask)
    for hook in hooks:
        hook.remove()
    return [output[attention_mask.bool()] for output in kept]


class WithoutMask(nn.Module):
    """Wrap a block so that padding takes part in the attention."""

    def __init__(self, block: nn.Module) -> None:
        super().__init__()
        self.block = block

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return what the block returns if every token is real."""
        return self.block(x, torch.ones_like(mask))


def torch_encoder(model: BertModel, encoder: Callable[..., Any], translate: Callable[..., Any], error: str = "") -> nn.Module:
    """Return the published model in blocks of torch, with one of the `ERRORS` or none.

    Parameters
    ----------
    model : BertModel
        The published weights.
    encoder, translate : Callable
        `BertEncoder` and `translate_names` of notebook 11.
    error : str
        A key of `ERRORS`; no error if it is empty.
    """
    settings = ERRORS.get(error, {})
    blocks = [TorchBlock(model.d_model, model.heads, model.d_ff, **settings) for _ in range(model.layers)]
    words = len(model.state["embeddings.word_embeddings.weight"])
    made = encoder(words, model.d_model, model.max_positions, blocks)
    made.load_state_dict(for_blocks(translate(model.state, fused=True), blocks[0]), strict=True)
    if error == "padding takes part":
        made.blocks = nn.ModuleList(WithoutMask(block) for block in blocks)
    if error == "eps 1e-5":
        for part in made.modules():
            if isinstance(part, nn.LayerNorm):
                part.eps = _WRONG_EPS
    return made.eval()
