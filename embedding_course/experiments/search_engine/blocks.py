"""Build the blocks of a BERT encoder: the learner's own from notebook 07, or torch's layer where there are none."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

#: The names of a block's weights in torch's layer, by their names in the course.
_TORCH_NAMES = {
    "attention.qkv_proj.weight": "self_attn.in_proj_weight",
    "attention.qkv_proj.bias": "self_attn.in_proj_bias",
    "attention.out_proj": "self_attn.out_proj",
    "ff1": "linear1",
    "ff2": "linear2",
    "norm1": "norm1",
    "norm2": "norm2",
}

_EPS = 1e-12


class TorchBlock(nn.Module):
    """Wrap torch's encoder layer so that it is called as the blocks of the course are: `block(x, mask)`.

    Parameters
    ----------
    d_model, heads, d_ff : int
        The sizes of the layer.
    gelu : Callable
        The activation. BERT has the exact GELU.
    pre_norm : bool
        Put the norms in front of attention and feed-forward net. BERT has them behind.
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        d_ff: int,
        gelu: Callable[[torch.Tensor], torch.Tensor] = F.gelu,
        pre_norm: bool = False,
    ) -> None:
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(
            d_model,
            heads,
            d_ff,
            dropout=0.0,
            activation=gelu,
            layer_norm_eps=_EPS,
            batch_first=True,
            norm_first=pre_norm,
        )

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Return the vectors (B, T, d) behind this layer; `mask` (B, 1, 1, T) is True where a key is real."""
        return self.layer(x, src_key_padding_mask=~mask[:, 0, 0])


def make_blocks(own_block: Any, count: int, d_model: int, heads: int, d_ff: int) -> list[nn.Module]:
    """Return post-norm blocks with BERT's eps: instances of `own_block`, or of TorchBlock if that is None."""
    if own_block is None:
        return [TorchBlock(d_model, heads, d_ff) for _ in range(count)]
    blocks = [own_block(d_model, heads, d_ff, norm="post") for _ in range(count)]
    for block in blocks:
        for part in block.modules():
            if isinstance(part, nn.LayerNorm):
                part.eps = _EPS
    return blocks


def fuses(block: nn.Module) -> bool:
    """Return True if a block keeps queries, keys and values in one matrix."""
    return isinstance(block, TorchBlock) or hasattr(getattr(block, "attention", None), "qkv_proj")


def for_blocks(state: Mapping[str, torch.Tensor], block: nn.Module) -> dict[str, torch.Tensor]:
    """Return weights by the names that these blocks have; those of torch's layer differ from the course's."""
    if not isinstance(block, TorchBlock):
        return dict(state)
    return {_torch_name(name): value for name, value in state.items()}


def _torch_name(name: str) -> str:
    if not name.startswith("blocks."):
        return name
    _, number, inside = name.split(".", 2)
    whole = _TORCH_NAMES.get(inside)
    part, kind = inside.rsplit(".", 1)
    return f"blocks.{number}.layer.{whole or f'{_TORCH_NAMES[part]}.{kind}'}"


def random_bert(layers: int, d_model: int, d_ff: int, words: int, positions: int, seed: int) -> dict[str, torch.Tensor]:
    """Return random weights of a small BERT by its published names."""
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator) * 0.3

    def linear(name: str, outputs: int, inputs: int) -> dict[str, torch.Tensor]:
        return {f"{name}.weight": normal(outputs, inputs), f"{name}.bias": normal(outputs)}

    def norm(name: str) -> dict[str, torch.Tensor]:
        return {f"{name}.weight": 1 + normal(d_model), f"{name}.bias": normal(d_model)}

    state = {
        "embeddings.word_embeddings.weight": normal(words, d_model),
        "embeddings.position_embeddings.weight": normal(positions, d_model),
        "embeddings.token_type_embeddings.weight": normal(2, d_model),
        **norm("embeddings.LayerNorm"),
    }
    for layer in range(layers):
        home = f"encoder.layer.{layer}"
        for name in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            state |= linear(f"{home}.{name}", d_model, d_model)
        state |= norm(f"{home}.attention.output.LayerNorm")
        state |= linear(f"{home}.intermediate.dense", d_ff, d_model) | linear(f"{home}.output.dense", d_model, d_ff)
        state |= norm(f"{home}.output.LayerNorm")
    return state
