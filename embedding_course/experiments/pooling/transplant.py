"""Replace PyTorch's layers by the learner's Transformer block of notebook 07, with the same weights."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from ...messages import translate


class _Fitted(nn.Module):
    """Adapt a block to the call of PyTorch's layer, whose mask is true at positions that are not attended to."""

    def __init__(self, block: nn.Module) -> None:
        super().__init__()
        self.block = block

    def forward(self, src: torch.Tensor, src_key_padding_mask: torch.Tensor | None = None, **_: Any) -> torch.Tensor:
        hidden = src_key_padding_mask
        return self.block(src, mask=None if hidden is None else ~hidden.bool()[:, None, None, :])


def put_in(encoder: nn.Module, block_class: Callable[..., nn.Module] | None) -> str:
    """Replace every `nn.TransformerEncoderLayer` of an encoder by a `block_class(d_model, heads, d_ff, norm=...)`.

    The block gets the layer's weights. Return a sentence on what was done. Nothing is replaced if `block_class` is None, if the
    encoder has no such layer, or if a layer differs from a block of notebook 07: GELU, biases, no dropout.
    """
    if block_class is None:
        return translate("Layers exchanged: none.")
    layers = [
        (parent, name, layer)
        for parent in encoder.modules()
        for name, layer in parent.named_children()
        if isinstance(layer, nn.TransformerEncoderLayer)
    ]
    why = next(
        (why for *_, layer in layers if (why := _unlike(layer))),
        "" if layers else translate("it has no nn.TransformerEncoderLayer"),
    )
    if why:
        return translate("Layers exchanged: none, since {why}.", why=why)
    for parent, name, layer in layers:
        setattr(parent, name, _Fitted(_block_like(layer, block_class)))
    return translate("Layers exchanged: {count}.", count=len(layers))


def _unlike(layer: nn.TransformerEncoderLayer) -> str:
    """Return why a layer cannot be a block of notebook 07; empty if it can."""
    if layer.activation is not torch.nn.functional.gelu and not isinstance(layer.activation, nn.GELU):
        return translate('the block has a GELU, and the layer was not made with activation="gelu"')
    if layer.dropout.p or layer.self_attn.dropout:
        return translate("the block has no dropout, and the layer was not made with dropout=0.0")
    if layer.self_attn.in_proj_bias is None:
        return translate("the block has biases, and the layer has none")
    return "" if layer.self_attn.batch_first else translate("the layer was not made with batch_first=True")


def _block_like(layer: nn.TransformerEncoderLayer, block_class: Callable[..., Any]) -> nn.Module:
    attention = layer.self_attn
    norm = "pre" if layer.norm_first else "post"
    block = block_class(attention.embed_dim, attention.num_heads, layer.linear1.out_features, norm=norm)
    mine = block.attention
    pairs = [(block.norm1, layer.norm1), (block.norm2, layer.norm2), (block.ff1, layer.linear1), (block.ff2, layer.linear2)]
    with torch.no_grad():
        for to, source in (*pairs, (mine.out_proj, attention.out_proj)):
            to.weight.copy_(source.weight)
            to.bias.copy_(source.bias)
        if hasattr(mine, "qkv_proj"):
            mine.qkv_proj.weight.copy_(attention.in_proj_weight)
            mine.qkv_proj.bias.copy_(attention.in_proj_bias)
        else:
            weights, biases = attention.in_proj_weight.chunk(3), attention.in_proj_bias.chunk(3)
            for to, weight, bias in zip((mine.q_proj, mine.k_proj, mine.v_proj), weights, biases, strict=True):
                to.weight.copy_(weight)
                to.bias.copy_(bias)
    return block
