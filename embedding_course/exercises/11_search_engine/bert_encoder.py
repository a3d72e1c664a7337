"""BERT's body around given blocks: cases and comparison."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import nn

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, Observation, RandomInputs, strided
from ...checking.gradient_rules import gradient_rules
from ...checking.training_mode import IN_TRAINING, in_training_mode, no_dropout, whatever_was_dropped
from ...messages import Code, Message

_SIZES: tuple[str, ...] = ("vocab_size", "d_model", "max_length")
FACTS, MASKS, OUTPUT = "parameters and buffers", "mask that the blocks receive", "output"
_MAX_BLOCKS = 3

Weights = dict[str, torch.Tensor]


class _Block(nn.Module):
    """A small block that is no attention: it mixes each vector with the mean of those that the mask shows.

    It gives other numbers when it is called a second time within a forward pass.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.own, self.others = nn.Linear(width, width), nn.Linear(width, width)
        for weight in self.parameters():
            nn.init.constant_(weight, 0.1)  # a copy that keeps its first weights then gives the same numbers each time
        self.calls = 0
        self.received: list[torch.Tensor] = []

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        batch, time = x.shape[:2]
        seen = torch.broadcast_to(mask, (batch, 2, time, time))
        self.received.append(seen[:, 0])
        weights = seen.to(x.dtype)
        shares = (weights / weights.sum(dim=-1, keepdim=True).clamp(min=1)).mean(dim=1)  # (B, T, T)
        return x + torch.tanh(self.own(x)) + self.calls * (shares @ self.others(x))


def _blocks(block_weights: Sequence[Weights], width: int, weights: Weights) -> list[nn.Module]:
    """Return blocks with these weights, in the dtype of the encoder's."""
    blocks: list[nn.Module] = []
    for values in block_weights:
        block = _Block(width).to(weights["norm.weight"].dtype)
        block.load_state_dict(values)
        blocks.append(block)
    return blocks


def _run(
    candidate: Callable[..., Any],
    build: Mapping[str, int],
    weights: Mapping[str, torch.Tensor],
    block_weights: Sequence[Mapping[str, torch.Tensor]],
    ids: torch.Tensor,
    attention_mask: torch.Tensor,
    upstream: torch.Tensor | None = None,
    first: torch.Tensor | None = None,
    by_name: bool = False,
    training: bool = False,
) -> NamedParts:
    """Construct the encoder around small blocks, set all weights, and call it; with `upstream`, report gradients.

    The weights of the blocks are set after the encoder was made, so that copies of the blocks keep other ones. `first` holds
    the ids of a call before the one that counts.
    """
    blocks = [_Block(build["d_model"]) for _ in block_weights]  # their weights are set below
    model = candidate(**build, blocks=blocks) if by_name else candidate(*build.values(), blocks)
    state = model.state_dict()
    parts = NamedParts({FACTS: {name: list(value.shape) for name, value in state.items()}})
    if any(name not in state or state[name].shape != value.shape for name, value in weights.items()):
        return parts
    dtype = weights["norm.weight"].dtype
    model = model.to(dtype).eval()
    for name, value in weights.items():
        model.get_parameter(name).data.copy_(value)
    for block, values in zip(blocks, block_weights, strict=True):
        block.to(dtype).load_state_dict(values)

    def output_of(tokens: torch.Tensor) -> Any:
        for block in blocks:
            block.calls, block.received = 0, []
        return model(tokens, attention_mask)

    if first is not None:
        output_of(first)
    output = output_of(ids)
    if blocks and all(block.received for block in blocks):
        parts[MASKS] = torch.stack([block.received[0] for block in blocks])
    if upstream is not None:
        if isinstance(output, torch.Tensor) and output.requires_grad and output.shape == upstream.shape:
            output.backward(upstream)
        parts |= {f"gradient of {name}": model.get_parameter(name).grad for name in weights}
        parts |= {f"gradient of blocks.{at}.others.weight": block.others.weight.grad for at, block in enumerate(blocks)}
        return NamedParts(parts)
    parts[OUTPUT] = output
    if training:
        parts[IN_TRAINING] = in_training_mode(model, lambda: output_of(ids))
    return parts


@dataclass(frozen=True)
class _UnderRealTokens(Comparison):
    """Compares the vectors of real tokens alone: what comes out under padding does not matter."""

    def seen(self, observation: Observation, case: Case) -> Observation:
        parts = observation.value
        if observation.raised or not isinstance(parts, dict):
            return observation
        real = case.args["attention_mask"].bool()[..., None]
        shown = {name: value.masked_fill(~real, 0)
                 for name, value in parts.items()
                 if name in (OUTPUT, IN_TRAINING) and isinstance(value, torch.Tensor) and value.shape[:2] == real.shape[:2]
                 and value.ndim == 3}
        return replace(observation, value=NamedParts({**parts, **shown}))


def _facts(expected: dict[str, list[int]], got: Any, case: Case) -> Mismatch | None:
    """Return a mismatch if parameters are missing, are too many or have another shape."""
    known = got if isinstance(got, dict) else {}
    missing = [name for name in expected if name not in known]
    if missing:
        return Mismatch("property", Message("The module has no `{name}`.", name=Code(missing[0])))
    if len(known) > len(expected):
        return Mismatch("property", Message("The module has more parameters or persistent buffers than the encoder needs."))
    wrong = [name for name in expected if list(known[name]) != expected[name]]
    if wrong:
        return Mismatch("property", Message("`{name}` has another shape than the sizes ask for.", name=Code(wrong[0])))
    return None


def _masks(expected: torch.Tensor, got: Any, case: Case) -> Mismatch | None:
    if not isinstance(got, torch.Tensor):
        return Mismatch("property", Message("Not every one of the given blocks is called."))
    if got.shape == expected.shape and got.dtype != expected.dtype:
        return Mismatch("dtype", Message("The mask that the blocks receive is not a bool tensor."))
    return Comparison().leaf(expected, got, Message("the mask that the blocks receive"))


def _cases(draw: RandomInputs) -> Iterator[Case]:
    width = draw.choice((5, 7))
    words = draw.choice((11, 13))

    def case(
        name: str,
        rows: Sequence[Sequence[int]],
        criterion: str,
        because: str = "",
        *,
        build: tuple[int, int, int] = (words, width, 7),
        blocks: int = 2,
        kind: torch.dtype = torch.int64,
        dtype: torch.dtype = torch.float32,
        scale: float = 3.0,
        given: torch.Tensor | None = None,
        gaps: bool = False,
        gradients: bool = False,
        **options: Any,
    ) -> Case:
        """Return a case; `rows` is the attention mask, and `build` holds V, d and max_length."""
        mask = torch.tensor(rows).to(kind)
        ids = draw.ids(tuple(mask.shape), build[0]) if given is None else given
        if gaps:
            ids, mask = strided(ids), strided(mask)
        if gradients:
            options["upstream"] = draw.normal(*ids.shape, build[1], dtype=dtype) * mask.to(dtype)[..., None]
        named = dict(zip(_SIZES, build, strict=True))
        args = {"build": named, "weights": _weights(draw, named, dtype, scale),
                "block_weights": [_block_weights(draw, build[1], dtype) for _ in range(blocks)],
                "ids": ids, "attention_mask": mask}
        sizes = ", ".join(map(str, build))
        call = f"BertEncoder({sizes}, blocks)(ids, attention_mask) with ids of shape {tuple(ids.shape)}"
        call += f" and {blocks} block{'s' * (blocks != 1)}"
        return Case(name, args, criterion, options, call + " and then .backward(...)" * gradients, because)

    whole = [[1] * 5] * 2
    added = "The rows of the three tables are added, then normalised; then the blocks follow."
    yield case("no blocks", whole, "vectors", added, blocks=0)
    yield case("one text, one block", [[1, 1, 1]], "vectors", added, blocks=1)
    yield case("a batch", whole, "vectors", added)
    yield case("three blocks", [[1] * 4] * 3, "vectors", "The blocks are used in their order.", blocks=3)
    yield case("as many texts as tokens in each", [[1] * 4] * 4, "vectors", "Positions are counted along a text.")
    padded = [[1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 0, 0, 0, 0]]
    yield case("padding behind the texts", padded, "vectors", "Padding is hidden from all other tokens.")

    shows = "The mask is True where a key is a real token, for every query."
    yield case("padding in front", [[0, 0, 1, 1], [1, 1, 1, 1]], "mask",
               "Positions are counted from the first column, padding included.")
    yield case("padding in the middle", [[1, 0, 1, 0, 1], [0, 1, 0, 1, 1]], "mask", shows)
    yield case("a bool mask", padded, "mask", shows, kind=torch.bool)
    yield case("a float mask", padded, "mask", shows, kind=torch.float32)
    yield case("a mask of as many texts as tokens", [[1, 1, 0], [1, 0, 0], [0, 1, 1]], "mask", shows)
    same = draw.ids((2, 5), words)
    same[:, 1:] = same[0, 0]
    yield case("padding with ids that occur", [[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]], "mask",
               "The mask alone says what is padding, not the ids.", given=same)

    yield case("as many tokens as positions", [[1] * 7, [1, 1, 1, 0, 0, 0, 0]], "any input", "Every position has its row.")
    yield case("one token", [[1], [1]], "any input")
    zeros = torch.zeros(2, 4, dtype=torch.int64)
    yield case("the id 0 only", [[1, 1, 1, 1], [1, 1, 0, 0]], "any input", "The id 0 is a token like any other.", given=zeros)
    yield case("small numbers in the tables", whole, "any input", "LayerNorm divides by the root of variance + eps, and eps is "
               "1e-12.", scale=1e-3)
    yield case("float64", padded, "any input", dtype=torch.float64)
    yield case("gaps in memory", padded, "any input", gaps=True)
    yield case("as many tokens in the vocabulary as positions and columns", padded, "any input", build=(5, 5, 5))
    yield case("a second call", padded, "any input", "Each call stands for itself.", first=draw.ids((3, 5), words))
    yield case("in training mode", whole, "any input", "There is no dropout.", training=True)
    example = torch.tensor([[3, 1, 4]])
    yield case("docstring example", [[1, 1, 1]], "any input", build=(9, 4, 5), blocks=0, given=example, by_name=True)
    longest = draw.choice((3, 4))
    refuse = "T above max_length raises ValueError."
    yield case("one token more than positions", [[1] * (longest + 1)] * 2, "any input", refuse, build=(words, width, longest))
    yield case("padding beyond the last position", [[1] * 2 + [0] * longest] * 2, "any input", refuse,
               build=(words, width, longest))

    flows = "A backward pass reaches the rows of all tables that a real token used, and the blocks."
    yield case("gradients", padded, "gradients", flows, gradients=True)
    yield case("gradients, the id 0 only", [[1, 1, 1, 1], [1, 1, 0, 0]], "gradients", flows, gradients=True, given=zeros)
    yield case("gradients, no blocks", whole, "gradients", flows, gradients=True, blocks=0)
    yield case("gradients, float64", padded, "gradients", flows, gradients=True, dtype=torch.float64)


def _weights(draw: RandomInputs, build: Mapping[str, int], dtype: torch.dtype, scale: float) -> Weights:
    """Return the tables, whose numbers have this scale, and the norm."""
    width = build["d_model"]
    rows = {"word_table": build["vocab_size"], "position_table": build["max_length"], "segment_table": 2}
    tables = {f"{name}.weight": scale * draw.normal(count, width, dtype=dtype) for name, count in rows.items()}
    scales = draw.uniform(width, low=0.5, high=1.5, dtype=dtype)
    return {**tables, "norm.weight": scales, "norm.bias": draw.normal(width, dtype=dtype)}


def _block_weights(draw: RandomInputs, width: int, dtype: torch.dtype) -> Weights:
    size = width**-0.5
    return {f"{name}.{kind}": draw.normal(*((width, width) if kind == "weight" else (width,)), dtype=dtype, scale=size)
            for name in ("own", "others") for kind in ("weight", "bias")}


_GRADIENTS = ("word_table.weight", "position_table.weight", "segment_table.weight", "norm.weight", "norm.bias",
              *(f"blocks.{at}.others.weight" for at in range(_MAX_BLOCKS)))

BertEncoder = Exercise(
    id="11.BertEncoder",
    title="The body of BERT",
    why="With it your own layers run a published model, all-MiniLM-L6-v2, number for number.",
    difficulty=3,
    minutes=12,
    criteria=(
        Criterion("vectors", 1, "the sum of three tables, the norm, and the given blocks in their order",
                  tries=("d_model", "vocab_size V", "blocks a list", "Each is called", "Attributes:", "segment_table has two",
                         "There is no other", "the rows of word", "Then come", "ids int64", "returns")),
        Criterion("mask", 0.5, "a bool mask, True where a key is a real token, from any mask of 0 and 1",
                  tries=("Their mask", "it is True", "attention_mask (B, T)", "Every row has", "ids under padding",
                         "what comes out")),
        Criterion("any input", 0.5, "any length up to max_length, float64, small numbers, training mode; ValueError above it",
                  tries=("ValueError when T", "max_length how many", "Any id from", "There is no other", "they are used")),
        Criterion("gradients", 0.5, "a backward pass reaches tables, norm and blocks", tries=("Gradients reach",)),
    ),
    hints=(
        "Three tables, three lookups, one sum: ids for the words, `torch.arange(T)` for the positions, row 0 for the segment.",
        "`nn.LayerNorm(d_model, eps=1e-12)` stands before the blocks, and there is none behind them. `nn.ModuleList(blocks)` "
        "makes the blocks part of your module.",
        "The mask of shape (B, T) names keys, the last axis of (B, heads, T, T): `attention_mask.bool()[:, None, None, :]`.",
        "Compare T = `ids.shape[1]` with max_length before you look anything up, and raise ValueError.",
    ),
    cases=_cases,
    of_driver=("build", "weights", "block_weights", "upstream", "first", "by_name", "training"),
    by_products=(FACTS, MASKS),
    built_of=lambda held: {"blocks": _blocks(held["block_weights"], held["build"]["d_model"], held["weights"])},
    run=_run,
    compare=_UnderRealTokens(
        tolerances=whatever_was_dropped,
        rules={FACTS: _facts, MASKS: _masks, IN_TRAINING: no_dropout("property"), **gradient_rules(*_GRADIENTS)},
    ),
)
