"""Sentences of unequal length through one LSTM."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs, show, strided
from ...checking.gradient_rules import gradient_rules
from ...checking.training_mode import no_dropout_in, parts_in_training_mode
from .modules import LSTM_NAMES, built, constructor, gradients, leaves, lstm_weights, saturating
from .pairs import Pair

_UNDROPPED = no_dropout_in("outputs", "h", "c")


def _run(
    candidate: Callable[..., Any],
    sizes: Sequence[int],
    options: Mapping[str, Any],
    weights: Mapping[str, torch.Tensor],
    src: torch.Tensor,
    lengths: torch.Tensor,
    grads: Mapping[str, torch.Tensor] | None = None,
    before: tuple[torch.Tensor, torch.Tensor] | None = None,
    training: bool = False,
) -> NamedParts:
    """Build the encoder and encode.

    `before` holds sentences and lengths that the encoder sees first. With `training`, also report the results of training mode.
    With `grads` (the gradients that arrive at outputs, h and c, by name), also report the gradients of the parameters.

    The padding word's row is left out of the gradient: `padding_idx` keeps it from learning, and need not be used.
    """
    model = built(candidate, sizes, options, weights)
    if before is not None:
        model(*before)
    parts = Pair.of(model(src, lengths), ("outputs", ("h", "c")))
    if training and "outputs" in parts:
        parts.update(parts_in_training_mode(model, lambda: Pair.of(model(src, lengths), ("outputs", ("h", "c")))))
    if grads is not None:
        parts.update(gradients([(parts.get(name), grad) for name, grad in grads.items()], leaves(model, weights)))
        table = parts["gradient of embedding.weight"]
        if table is not None:
            pad = sizes[3] if len(sizes) > 3 else options.get("pad", 0)
            rows = torch.arange(len(table)) == pad
            parts["gradient of embedding.weight"] = table.masked_fill(rows[:, None], 0.0)
    return parts


def _cases(draw: RandomInputs) -> Iterator[Case]:
    vocab = 11
    batch, time = draw.choice(((3, 5), (3, 7), (5, 7)))
    width, hidden = draw.shuffled([size for size in (2, 3, 5, 7) if size not in (batch, time)])
    default_pad = 0

    def words(rows: int, columns: int, pad: int = default_pad) -> torch.Tensor:
        """Return ids without the padding word."""
        ids = draw.ids((rows, columns), vocab - 1)
        return ids + (ids >= pad)

    def padded(src: torch.Tensor, lengths: torch.Tensor, pad: int = default_pad) -> torch.Tensor:
        return torch.where(torch.arange(src.shape[1]) < lengths[:, None], src, pad)

    def unequal(rows: int, columns: int) -> torch.Tensor:
        """Return lengths in an order that sorting changes, and that sorting twice does not restore."""
        return torch.tensor([1, columns, *draw.ids(rows - 2, columns - 2).add(2).tolist()])

    def case(
        name: str,
        src: torch.Tensor,
        lengths: torch.Tensor,
        criterion: str,
        because: str = "",
        *,
        sizes: Sequence[int] = (vocab, width, hidden),
        weights: Mapping[str, torch.Tensor] | None = None,
        grads: Sequence[str] = (),
        before: tuple[torch.Tensor, torch.Tensor] | None = None,
        training: bool = False,
        **options: Any,
    ) -> Case:
        numbers = sizes[2] if sizes else options["hidden_dim"]
        shapes = {"outputs": (*src.shape, numbers), "h": (1, len(src), numbers), "c": (1, len(src), numbers)}
        args = {
            "sizes": list(sizes), "options": options,
            "weights": lstm_weights(draw, *sizes[:3]) if weights is None else weights,
            "src": src, "lengths": lengths,
        }
        extra: dict[str, Any] = {"grads": {part: draw.normal(*shapes[part]) for part in grads}} if grads else {}
        call = f"{constructor('Encoder', sizes, options)}({show(src)}, {show(lengths)}), with weights set by the check"
        if before is not None:
            extra["before"] = before
            call += ", after a call with other sentences"
        if training:
            extra["training"] = True
            call += ", in eval mode and in training mode"
        if grads:
            call += f", then a backward pass from {' and '.join(grads)}"
        return Case(name, args, criterion, extra, call, because)

    def full(rows: int, columns: int) -> torch.Tensor:
        return torch.full((rows,), columns)

    def whole(rows: int = batch, columns: int = time) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a batch without padding, and its lengths."""
        return words(rows, columns), full(rows, columns)

    def drawn(rows: int = batch, columns: int = time, pad: int = default_pad) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a padded batch and its lengths, which are in no order."""
        lengths = unequal(rows, columns)
        return padded(words(rows, columns, pad), lengths, pad), lengths

    yield case("sentences of one length", *whole(), "words").trying("Attributes: `embedding`", "Make a table")
    yield case("as many sentences as words in each", *whole(5, 5), "words",
               "With batch_first=False an nn.LSTM takes the first axis for the time.").trying("src (B, S)")
    yield case("embedding as wide as the state", *whole(), "words",
               sizes=(vocab, hidden, hidden)).trying("Attributes: `embedding`")

    after = "The state is the one after the last real word, and outputs at padding are zero."
    lengths = unequal(batch, time).sort(descending=True).values
    src = padded(words(batch, time), lengths)
    yield case("unequal lengths, the longest first", src, lengths, "padding", after).trying("Encode each sentence")
    yield case("unequal lengths in any order", *drawn(), "padding",
               "The rows stay in the order in which they came.").trying("Encode each sentence", "lengths", "and the state")
    lengths = unequal(batch, time - 2)
    src = padded(words(batch, time), lengths)
    yield case("all sentences shorter than src", src, lengths, "padding", "outputs have as many columns as src.").trying(
        "and the state")
    yield case("as many sentences as columns, padded", *drawn(5, 5), "padding")

    behind = "lengths say where a sentence ends, whatever ids follow."
    yield case("any ids after the end", words(batch, time), unequal(batch, time), "any batch", behind).trying("What stands")
    lengths = unequal(batch, time).flip(0)
    src = padded(words(batch, time), lengths)
    src[:, 0] = default_pad
    src[torch.arange(batch), lengths - 1] = default_pad
    yield case("the pad id inside sentences", src, lengths, "any batch",
               "lengths say what is real: within them the pad id is a word like any other.").trying("within them")
    yield case("a single sentence", *whole(1, time), "any batch",
               "One sentence is a batch too: no axis goes away.").trying("src (B, S)")
    yield case("a single word", *whole(1, 1), "any batch").trying("src (B, S)", "and the state")
    yield case("one padded sentence", padded(words(1, time), full(1, time - 1)), full(1, time - 1), "any batch").trying(
        "What stands")
    yield case("one word in each sentence", padded(words(batch, time), full(batch, 1)), full(batch, 1), "any batch").trying(
        "lengths")
    yield case("as many words as numbers in the state", *whole(columns=7), "any batch",
               sizes=(vocab, width, 7)).trying("Make a table")
    pad = draw.integer(1, vocab - 2)
    yield case("another pad id", *drawn(pad=pad), "any batch", pad=pad).trying("pad is the id")
    src, lengths = drawn(pad=vocab - 1)
    yield case("the last id is pad, by position", src, lengths, "any batch", sizes=(vocab, width, hidden, vocab - 1)).trying(
        "pad is the id")
    yield case("padded, with gaps in memory", strided(src), strided(lengths), "any batch").trying("lengths")
    yield case("src with gaps in memory", strided(words(batch, time)), strided(full(batch, time)), "any batch").trying(
        "src (B, S)")
    weights = {**lstm_weights(draw, vocab, width, hidden), **saturating(draw, vocab, width, hidden)}
    yield case("large numbers in the table", *whole(), "any batch", weights=weights).trying("returns")
    small = lstm_weights(draw, vocab, width, hidden)
    small["embedding.weight"] *= 1e4
    small["lstm.weight_ih_l0"] *= 1e-4
    yield case("large numbers in the table, small weights", *drawn(), "any batch", weights=small,
               because="Vectors of any length: nothing is clipped.").trying("returns")
    yield case("after other sentences", *whole(), "any batch",
               "Each call starts from zeros, and nothing is kept from before.",
               before=whole(columns=time + 1)).trying("and the state")
    src, lengths = drawn()
    earlier = lengths.roll(1)
    yield case("after sentences of other lengths", src, lengths, "any batch", "Each call has lengths of its own.",
               before=(padded(words(batch, time), earlier), earlier)).trying("lengths")
    yield case("in training mode", *whole(5, 7), "any batch", "There is no dropout: the result is the same.",
               training=True).trying("There is no dropout")
    named: dict[str, Any] = {"vocab_size": 6, "embedding_dim": 2, "hidden_dim": 3}
    yield case("docstring example", torch.tensor([[4, 5, 0], [1, 2, 3]]), torch.tensor([2, 3]), "any batch",
               "The parameters have these names.", sizes=(), weights=lstm_weights(draw, 6, 2, 3), **named).trying(
        "Attributes: `embedding`", "Make a table")

    flows = "The decoder's loss teaches the encoder by its outputs and by both halves of the state."
    for parts in (("outputs",), ("h",), ("c",), ("outputs", "h", "c")):
        yield case(f"gradient from {' and '.join(parts)}", *drawn(), "gradients", flows, grads=parts)
    lengths, src = unequal(batch, time), words(batch, time, pad)
    src[:, 0] = 0
    yield case("gradient of row 0 where it is a word", src, lengths, "gradients", grads=("outputs", "h"), pad=pad,
               because=f"With pad={pad} the id 0 is a word, and its row learns.").trying("pad is the id")
    yield case("gradient, sentences of one length", *whole(), "gradients", flows, grads=("outputs", "c"))
    yield case("gradient, large numbers in the table", src, lengths, "gradients", weights=weights, grads=("outputs", "h"),
               pad=pad, because="The gradient stays finite.")


Encoder = Exercise(
    id="05.Encoder",
    title="Encode sentences of unequal length",
    why="A batch is padded to one width. The padding must not change the state: else a sentence has another state in "
        "another batch.",
    difficulty=3,
    minutes=36,
    criteria=(
        Criterion("words", 1.5, "sentences without padding: outputs and the state (h, c)"),
        Criterion("padding", 2.5, "padding changes nothing but the width of outputs, and lengths may stand in any order",
                  tries=("returns",)),
        Criterion("any batch", 1, "sizes of one, any pad, any ids behind the end, large numbers; nothing is kept, no dropout"),
        Criterion("gradients", 1, "gradients flow through outputs, h and c to all parameters", tries=("Gradients reach",)),
    ),
    hints=(
        "First write it for sentences of one length: ids to vectors, vectors through the LSTM. Which axis does the LSTM "
        "take for the time?",
        "An LSTM that is fed the padding goes on changing its state. torch can pack a padded batch so that each row "
        "ends where its length says: look at torch.nn.utils.rnn.",
        "Packing wants the longest row first, unless told that the rows are not sorted. Unpacking ends at the longest "
        "row, unless told the total width.",
        "So: look up, pack with batch_first, lengths and enforce_sorted=False, run the LSTM, unpack with batch_first and "
        "total_length set to the columns of src. The state that the LSTM returns for a packed batch is already right.",
    ),
    cases=_cases,
    of_driver=("sizes", "options", "weights", "before", "training", "grads"),
    sizes=("vocab_size", "embedding_dim", "hidden_dim", "pad"),
    run=_run,
    compare=Pair(
        dtype="floating",
        rules={**gradient_rules("embedding.weight", *LSTM_NAMES), **_UNDROPPED["rules"]},
        tolerances=_UNDROPPED["tolerances"],
    ),
    uses=("lstm_cell",),
)
