"""From a state and the words so far to scores for the next word."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs, show, strided
from ...checking.gradient_rules import gradient_rules
from ...checking.training_mode import no_dropout_in, parts_in_training_mode
from .modules import LSTM_NAMES, built, constructor, gradients, leaves, lstm_weights, saturating
from .pairs import Pair

_FORM = ("logits", ("h", "c"))
_PARAMETERS = ("embedding.weight", *LSTM_NAMES, "output.weight", "output.bias")
_UNDROPPED = no_dropout_in("logits", "h", "c")


def _run(
    candidate: Callable[..., Any],
    sizes: Sequence[int],
    options: Mapping[str, Any],
    weights: Mapping[str, torch.Tensor],
    decoder_input: torch.Tensor,
    state: tuple[torch.Tensor, torch.Tensor],
    pieces: Sequence[int] | None = None,
    before: tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]] | None = None,
    grads: Mapping[str, torch.Tensor] | None = None,
    training: bool = False,
) -> NamedParts:
    """Build and decode, in one call or in `pieces` of so many words, each from the state that the one before returned.

    `before` is another input and state that the decoder sees first. With `training` also report what training mode gives.
    With `grads` (by name: what arrives at logits, h, c) also report the gradients of the parameters and of the incoming
    state.
    """
    model = built(candidate, sizes, options, weights)
    if before is not None:
        model(*before)
    h, c = state
    if grads is not None:
        h, c = h.clone().requires_grad_(), c.clone().requires_grad_()
    logits: list[Any] = []
    following: Any = (h, c)
    parts = NamedParts()
    for words in decoder_input.split(list(pieces) if pieces else decoder_input.shape[1], dim=1):
        parts = Pair.of(model(words, following), _FORM)
        if "logits" not in parts:
            return parts
        logits.append(parts["logits"])
        following = (parts["h"], parts["c"])
    if len(logits) > 1:
        parts["logits"] = torch.cat(logits, dim=1)
    if training:
        parts.update(parts_in_training_mode(model, lambda: Pair.of(model(decoder_input, state), _FORM)))
    if grads is not None:
        wanted = {**leaves(model, weights), "the incoming h": h, "the incoming c": c}
        parts.update(gradients([(parts[name], grad) for name, grad in grads.items()], wanted))
    return parts


def _cases(draw: RandomInputs) -> Iterator[Case]:
    vocab = 11
    batch, time, width, hidden = draw.shuffled((2, 3, 5, 7))

    def case(
        name: str,
        criterion: str,
        because: str = "",
        *,
        rows: int = batch,
        columns: int = time,
        sizes: Sequence[int] = (vocab, width, hidden),
        dtype: torch.dtype = torch.float32,
        zero: bool = False,
        gaps: bool = False,
        large: bool = False,
        pieces: Sequence[int] | None = None,
        before: int = 0,
        grads: Sequence[str] = (),
        training: bool = False,
        **options: Any,
    ) -> Case:
        words, state = inputs(rows, columns, sizes, options, dtype)
        if zero:
            state = (torch.zeros_like(state[0]), torch.zeros_like(state[1]))
        if gaps:
            words, state = strided(words), (strided(state[0]), strided(state[1]))
        weights = decoder_weights(sizes, dtype)
        if large:
            state = (state[0], 1e4 * state[1])
            weights.update(saturating(draw, *sizes[:3]))
        args = {"sizes": list(sizes), "options": options, "weights": weights, "decoder_input": words, "state": state}
        more: dict[str, Any] = {}
        call = f"{constructor('Decoder', sizes, options)}({show(words)}, (h, c)), with weights set by the check"
        if pieces:
            more["pieces"] = list(pieces)
            call += ", a word at a time" if set(pieces) == {1} else f", in pieces of {' and '.join(map(str, pieces))} words"
        if before:
            more["before"] = inputs(rows, before, sizes, options, dtype)
            call += ", after a call with other words"
        if training:
            more["training"] = True
            call += ", in eval mode and in training mode"
        if grads:
            shapes = {"logits": (rows, columns, sizes[0]), "h": (1, rows, sizes[2]), "c": (1, rows, sizes[2])}
            more["grads"] = {part: draw.normal(*shapes[part], dtype=dtype) for part in grads}
            call += f", then a backward pass from {' and '.join(grads)}"
        return Case(name, args, criterion, more, call, because)

    def inputs(rows: int, columns: int, sizes: Sequence[int], options: Mapping[str, Any], dtype: torch.dtype) -> Any:
        """Return words without the padding word, which means nothing to a decoder, and a state."""
        pad = sizes[3] if len(sizes) > 3 else options.get("pad", 0)
        words = draw.ids((rows, columns), sizes[0] - 1)
        words += words >= pad
        shape = (1, rows, sizes[2])
        return words, (draw.normal(*shape, dtype=dtype), draw.normal(*shape, dtype=dtype))

    def decoder_weights(sizes: Sequence[int], dtype: torch.dtype) -> dict[str, torch.Tensor]:
        weights = lstm_weights(draw, *sizes[:3], dtype=dtype)
        weights["output.weight"] = draw.normal(sizes[0], sizes[2], dtype=dtype)
        weights["output.bias"] = draw.normal(sizes[0], dtype=dtype)
        return weights

    yield case("several sentences", "logits", "Each word's logits come from the state after that word.").trying(
        "Attributes: `embedding`", "Make a table", "Read the words", "returns", "and the state")
    yield case("as many sentences as words", "logits", "The batch is the first axis, the words are the second.",
               rows=5, columns=5).trying("decoder_input")
    yield case("from a state of zeros", "logits", zero=True).trying("Read the words")

    same = "A word at a time or all at once: with the returned state passed on, the logits are the same."
    nothing_kept = "Only the state that is passed in counts, nothing from earlier calls."
    yield case("one word for each sentence", "word by word", columns=1).trying("decoder_input")
    yield case("word by word", "word by word", same, columns=5, pieces=[1] * 5).trying(
        "(1, B, H): the encoder's", "and the state")
    yield case("in two pieces", "word by word", same, columns=7, pieces=[2, 5]).trying("(1, B, H): the encoder's")
    yield case("after other sentences", "word by word", nothing_kept, before=time + 1).trying("Read the words")
    yield case("word by word, after another word", "word by word", nothing_kept, columns=3, pieces=[1] * 3, before=1).trying(
        "Read the words")

    yield case("one sentence", "any use", "One sentence is a batch too: no axis goes away.", rows=1).trying(
        "decoder_input", "returns")
    yield case("a single word", "any use", rows=1, columns=1).trying("decoder_input", "and the state")
    yield case("embedding as wide as the state", "any use", sizes=(vocab, hidden, hidden)).trying("Attributes: `embedding`")
    yield case("as many words in the vocabulary as numbers in the state", "any use", sizes=(7, width, 7)).trying(
        "Attributes: `embedding`")
    yield case("gaps in memory", "any use", gaps=True).trying("decoder_input")
    yield case("in training mode", "any use", "There is no dropout: the result is the same.", training=True).trying(
        "There is no dropout")
    yield case("another pad id", "any use", pad=draw.integer(1, vocab - 2)).trying("pad is the id")
    yield case("the last id is pad, by position", "any use", sizes=(vocab, width, hidden, vocab - 1)).trying("pad is the id")
    yield case("float64", "any use", dtype=torch.float64).trying("(1, B, H): the encoder's", "returns")
    yield case("large numbers in table and state", "any use", large=True).trying("returns")
    known = (torch.tensor([[1, 4], [1, 5]]), (torch.zeros(1, 2, 3), torch.zeros(1, 2, 3)))
    named = {"vocab_size": 6, "embedding_dim": 2, "hidden_dim": 3}
    args = {"sizes": [], "options": named, "weights": decoder_weights((6, 2, 3), torch.float32)}
    call = f"{constructor('Decoder', (), named)}({show(known[0])}, (h, c)), with weights set by the check"
    yield Case("docstring example", {**args, "decoder_input": known[0], "state": known[1]}, "any use", call=call,
               because="The parameters have these names.").trying("Attributes: `embedding`", "Make a table")

    flows = "The loss teaches table, LSTM and output layer, and through the incoming state the encoder."
    yield case("gradient from logits", "gradients", flows, grads=("logits",))
    yield case("gradient from logits, word by word", "gradients", flows, columns=3, pieces=[1, 1, 1], grads=("logits",))
    yield case("gradient from the state that is returned", "gradients", flows, grads=("h", "c"))
    pad = draw.integer(1, vocab - 2)
    yield case("gradient of row 0 where it is a word", "gradients", f"With pad={pad} the id 0 is a word, and its row learns.",
               rows=7, columns=5, grads=("logits",), pad=pad).trying("pad is the id")
    yield case("gradient, large numbers in table and state", "gradients", "The gradient stays finite.", large=True,
               grads=("logits",))


Decoder = Exercise(
    id="05.Decoder",
    title="Decode from a state",
    why="The same decoder is trained on whole sentences at once and later writes one word at a time.",
    difficulty=2,
    minutes=17,
    criteria=(
        Criterion("logits", 1.5, "logits for each word, and the state after the last one"),
        Criterion("word by word", 1.5, "word by word as all at once, and nothing kept from call to call"),
        Criterion("any use", 1, "sizes of one, sizes that coincide, any pad, float64, large numbers, no dropout"),
        Criterion("gradients", 1, "gradients reach all parameters and the incoming state", tries=("Gradients reach",)),
    ),
    hints=(
        "Three layers, one after the other: ids to vectors, vectors to h, h to one score for each word of the vocabulary.",
        "The state that comes in is where the LSTM starts; hand it to the LSTM together with the vectors. Nothing need "
        "be remembered in the module.",
        "nn.Linear works on the last axis: h of shape (B, T, H) goes in as it is. Scores are wanted, no probabilities.",
        "nn.LSTM returns h of all words and the pair (h, c) after the last one: the first goes through the output layer, "
        "the second is returned with the logits.",
    ),
    cases=_cases,
    of_driver=("sizes", "options", "weights", "pieces", "before", "training", "grads"),
    sizes=("vocab_size", "embedding_dim", "hidden_dim", "pad"),
    run=_run,
    compare=Pair(
        rules={**gradient_rules(*_PARAMETERS, "the incoming h", "the incoming c"), **_UNDROPPED["rules"]},
        tolerances=_UNDROPPED["tolerances"],
    ),
    uses=("lstm_cell",),
)
