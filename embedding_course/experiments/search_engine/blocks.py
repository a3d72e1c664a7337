"""Build the blocks of a BERT encoder: the learner's own from notebook 07, or torch's layer where there are none."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

#: What other blocks call the parts of the course's: torch's layer, its attention, and a feed-forward net in a row.
_OTHER_NAMES = {
    "layer.self_attn.": "attention.",
    "layer.linear": "ff",
    "layer.norm": "norm",
    "attention.in_proj_": "attention.qkv_proj.",
    "feed_forward.0.": "ff1.",
    "feed_forward.2.": "ff2.",
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
    return any(_course_name(name) == "attention.qkv_proj.weight" for name in block.state_dict())


def for_blocks(state: Mapping[str, torch.Tensor], block: nn.Module) -> dict[str, torch.Tensor]:
    """Return weights by the names that these blocks have, which may differ from the course's.

    A weight that a block keeps under two names is returned under both.
    """
    names: dict[str, list[str]] = {}
    for name in block.state_dict():
        names.setdefault(_course_name(name), []).append(name)
    renamed = {}
    for name, value in state.items():
        block_number = re.match(r"blocks\.\d+\.", name)
        start = block_number[0] if block_number else ""
        inside = name.removeprefix(start)
        for other in names.get(inside, [inside]) if start else [inside]:
            renamed[start + other] = value
    return renamed


def _course_name(name: str) -> str:
    for other, ours in _OTHER_NAMES.items():
        name = name.replace(other, ours)
    return name


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
