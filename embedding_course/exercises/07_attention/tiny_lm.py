"""A small language model: cases and comparison."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, RandomInputs, strided
from ...checking.training_mode import IN_TRAINING, no_dropout, whatever_was_dropped
from ...messages import Message
from .block_parts import NAMES
from .gradients import compare_with_gradients
from .projections import WithModule, called
from .tiny_lm_parts import PROBLEMS, draw_model, model_facts, model_slots, problem_with_model

_SIZES: tuple[str, ...] = ("vocab_size", "d_model", "heads", "layers", "d_ff", "max_length")
_MOST_LAYERS = 3


def _run(
    candidate: Callable[..., Any],
    build: Mapping[str, int],
    weights: Mapping[str, torch.Tensor],
    ids: torch.Tensor,
    upstream: torch.Tensor | None = None,
    first: torch.Tensor | None = None,
    by_name: bool = False,
    training: bool = False,
) -> NamedParts:
    """Construct the model, set every weight and call it; with `upstream`, report the gradients of the weights.

    `first` holds the ids of a call before the one that counts.
    """
    model = candidate(**build) if by_name else candidate(*build.values())
    parts = NamedParts({"layers": model_facts(model)})
    if problem_with_model(parts["layers"], build):
        return parts
    slots = model_slots(model, build["d_model"])
    before = (lambda: None) if first is None else (lambda: model(first))
    results = called(model, slots, weights, {"x": ids}, before, (), upstream, training=training, result="logits")
    return NamedParts({**parts, **results})


def _cases(draw: RandomInputs) -> Iterator[Case]:
    batch, time = draw.shuffled((2, 3))
    heads, slice_width, layers = draw.choice(((2, 3, 3), (3, 2, 2), (2, 5, 3)))
    width, hidden, words = heads * slice_width, draw.choice((11, 13)), draw.choice((17, 19))

    def case(
        name: str,
        sizes: tuple[int, int],
        build: tuple[int, int, int, int, int, int],
        criterion: str,
        because: str = "",
        dtype: torch.dtype = torch.float32,
        ids: torch.Tensor | None = None,
        **options: Any,
    ) -> Case:
        """Return a case; `sizes` are B and T, `build` holds the sizes of the model in the order of its parameters."""
        named = dict(zip(_SIZES, build, strict=True))
        ids = _ids(draw, *sizes, build[0]) if ids is None else ids
        if options.pop("gaps", False):
            ids = strided(ids)
        if options.pop("gradients", False):
            options["upstream"] = draw.normal(*ids.shape, build[0], dtype=dtype)
        args = {"build": named, "weights": draw_model(draw, named, dtype), "ids": ids}
        return Case(name, args, criterion, options, _call(named, ids, options), because)

    usual = (words, width, heads, layers, hidden, 7)
    first = "The rows of both tables are added; then the blocks with the causal mask, the norm, and the table again."
    yield case("one sentence", (1, 3), (5, 4, 2, 1, 7, 6), "logits", first).trying("d_model", "layers", "d_ff")
    yield case("a batch", (batch, time), usual, "logits", first).trying(
        "Then the blocks", "Then norm", "d_model", "heads", "layers", "d_ff", "Attributes: token_table", "There are no other",
        "The logits", "returns")
    yield case("a batch of longer rows", (batch, 5), usual, "logits", "Position i attends to positions 0 to i.").trying(
        "Then the blocks", "heads")
    yield case("as many sentences as positions in each", (3, 3), (words, 6, 2, 3, hidden, 5), "logits",
               "Positions are counted along a sentence, 0 for its first word.")
    yield case("one word", (batch, 1), usual, "any input", "There is nothing before it to attend to.").trying("Then norm")
    yield case("as many words as there are positions", (batch, 7), usual, "any input", "Every position has its row.").trying(
        "Then the blocks", "max_length how many")
    yield case("more sentences than positions", (5, 3), (words, width, heads, layers, hidden, 4), "any input").trying("returns")
    yield case("one word again and again", (batch, 5), usual, "any input", "Its position tells one from another.",
               ids=torch.full((batch, 5), draw.integer(1, words - 1))).trying("x = token_table(ids)")
    zeros = _ids(draw, batch, 5, words)
    zeros[:, 1:4] = 0
    yield case("id 0 in the middle", (batch, 5), usual, "any input", "It is a word like any other.", ids=zeros).trying(
        "vocab_size", "Any id from 0")
    yield case("as many words in the vocabulary as columns", (batch, time), (6, 6, 2, 2, 6, 6), "any input").trying(
        "vocab_size", "Any id from 0")
    yield case("ids with gaps in memory", (batch, 5), usual, "any input", gaps=True).trying("ids int64", "ValueError when T")
    yield case("float64", (batch, 5), usual, "any input", dtype=torch.float64).trying("returns")
    yield case("all sizes by name", (batch, time), usual, "any input", by_name=True).trying("The logits")
    yield case("a second call", (batch, time), usual, "any input", "Each call stands for itself.",
               first=_ids(draw, 4, 6, words)).trying("The logits")
    yield case("in training mode", (batch, 5), usual, "any input", "There is no dropout unless one asks for it.",
               training=True).trying("There are no other")
    yield case("docstring example", (1, 4), (11, 6, 2, 3, 24, 5), "any input", ids=torch.tensor([[3, 1, 4, 1]]), by_name=True)

    longest = draw.choice((4, 5))
    for more in (1, 3):
        yield case(f"{more} id{'s' if more > 1 else ''} more than positions", (batch, longest + more),
                   (words, width, heads, layers, hidden, longest), "refused",
                   "T greater than max_length raises ValueError.").trying("max_length how many")
    yield case("one word too many in a batch of one", (1, 2), (words, width, heads, layers, hidden, 1), "refused",
               "T greater than max_length raises ValueError.")

    flows = "A backward pass reaches every weight; the table of words is reached through input and output."
    yield case("gradients", (batch, 5), usual, "gradients", flows, gradients=True, ids=zeros).trying(
        "Then norm", "vocab_size", "Any id from 0", "Attributes: token_table")
    yield case("gradients, one word", (batch, 1), usual, "gradients", flows, gradients=True).trying("Then norm")
    yield case("gradients, float64", (batch, 7), usual, "gradients", flows, gradients=True, dtype=torch.float64)


def _ids(draw: RandomInputs, batch: int, time: int, words: int) -> torch.Tensor:
    """Return ids of words with 0 and the last id among them."""
    ids = draw.ids((batch, time), words)
    ids[0, 0], ids[-1, -1] = 0, words - 1
    return ids


def _call(build: Mapping[str, int], ids: torch.Tensor, options: Mapping[str, Any]) -> str:
    given = [f"{name}={size}" if options.get("by_name") else str(size) for name, size in build.items()]
    call = f"TinyLM({', '.join(given)})(ids) with ids of shape {tuple(ids.shape)}"
    return call + (" and then .backward(...)" if "upstream" in options else "")


def _either_gelu(expected: Any, got: Any, case: Case) -> Mismatch | None:
    """Compare the logits so that blocks with the exact GELU and with its tanh approximation are both right."""
    return Comparison().leaf(expected, got, Message("the logits"), 2e-2 + 1e-6 * float(expected.abs().max()))


_NAMES = ["token_table.weight", "position_table.weight", "norm.weight", "norm.bias"]
_NAMES += [f"blocks.{at}.{name}" for at in range(_MOST_LAYERS) for name in NAMES]

TinyLM = Exercise(
    id="07.TinyLM",
    title="A whole language model",
    why="Chat programs are built like this: two tables, a stack of blocks, a norm, and the token table once more.",
    difficulty=3,
    minutes=20,
    criteria=(
        Criterion("logits", 2, "both tables, the blocks with the causal mask, the norm, the table as the output",
                  tries=("x = token_table(ids)",)),
        Criterion("any input", 0.5, "one word, max_length words, id 0, any layout in memory, float64, training mode"),
        Criterion("refused", 0.5, "ValueError when there are more words than positions",
                  tries=("ids int64", "ValueError when T")),
        Criterion("gradients", 1, "a backward pass reaches every weight, the table of words through both its uses"),
    ),
    hints=(
        "Write the shape behind every line: (B, T), then (B, T, d) as long as there are blocks, then (B, T, V).",
        "The words' rows have shape (B, T, d), the positions' rows (T, d): `torch.arange(T)` looks them up, and the sum "
        "broadcasts. Compare T with max_length before that.",
        "Blocks belong into an nn.ModuleList, a new one for each layer. Each of them takes x and the causal mask, a (T, T) "
        "triangle of True with the diagonal: `torch.ones(T, T, dtype=torch.bool).tril()`.",
        "The logits compare the normalised x with every row of the token table: (B, T, d) @ (d, V). That is "
        "`@ self.token_table.weight.T`, and no nn.Linear.",
    ),
    cases=_cases,
    of_driver=("build", "weights", "training", "by_name", "first", "upstream"),
    run=_run,
    by_products=("layers", "module"),
    compare=compare_with_gradients(
        *_NAMES,
        share=3e-2,
        rounding=5e-6,  # three blocks, one behind the other
        kind=WithModule,
        problem=problem_with_model,
        messages=PROBLEMS,
        tolerances=whatever_was_dropped,
        rules={IN_TRAINING: no_dropout("property", 2e-2), "logits": _either_gelu},
    ),
    uses=("scaled_dot_product_attention", "causal_mask", "split_heads", "merge_heads", "MultiHeadAttention",
          "TransformerBlock"),
)
