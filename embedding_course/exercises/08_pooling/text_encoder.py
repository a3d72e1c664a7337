"""From text to vector: the cases of an encoder that is judged by what it does, since its parts have no fixed names."""

import re
from dataclasses import dataclass, replace
from typing import Any

from ...checking.compare import MADE_UP
from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, NamedParts, Observation
from ...messages import COMMA, Code, Listing, Message
from .encoder_relations import UNTOLD, relations
from .encoder_tasks import POOLINGS, run
from .text_encoder_cases import encoder_cases

_TENSOR = re.compile(r"(\w+) tensor of shape (\(.*\))")
#: What to say when a relation does not hold. Relations are yes or no, or short texts.
_SENTENCES = {
    "lengths": Message("Not every vector has length 1."),
    "lengths with an empty row": Message("A row without a real token must give zeros, every other one length 1."),
    "one sentence twice": Message("One sentence has two vectors in one batch."),
    "other sentences": Message("Two sentences have one vector."),
    "as when alone": Message("A sentence's vector is not the one that it has alone and without padding."),
    "rows in another order": Message("Rows in another order have other vectors: is something kept between calls?"),
    "dropout": Message("The vectors in training mode differ from those in eval mode. There must be no dropout."),
    "last word": Message("The other words do not see the last word: without it the first word's vector is the same."),
    "order matters": Message("Two words were swapped, and the vector stayed the same."),
    "heads": Message("Another number of heads, with the same weights, changes nothing."),
    "one number of heads": Message("Two models with the same weights and as many heads give other vectors."),
    "a layer's own weights": Message("The number of weights does not grow with every layer by the same amount."),
    "layers that learn": Message("Some layers have weights that no gradient reaches: they take no part in the vector."),
    "width of the feed-forward": Message("A larger d_ff adds no weights that learn."),
    "a layer's own feed-forward": Message("A larger d_ff does not add as many weights that learn in each layer."),
    "parts of several layers": Message("A part that has weights is called more often when there are more layers."),
    "finite gradients": Message("A gradient holds nan or inf."),
    "graph": Message("The vectors carry no graph, so nothing can be trained."),
    "token table": Message("No gradient reaches the table of tokens."),
    "position table": Message("No gradient reaches the table of positions."),
    "lengths in the backward pass": Message("The division by the length takes no part in the backward pass."),
    "gradients foretell": Message(
        "When weights are moved a little, the vectors do not move as the gradients say: was something on the way detached?"
    ),
    "poolings differ": Message("Two poolings give the same vector."),
    "last weighs more": Message(
        "Next to the mean, the weighted mean counts the first word for more: is it turned round, or are two names exchanged?"
    ),
    "largest of two": Message("In each column, pooling='max' gives the smaller of two words."),
    "default": Message("Without `pooling` the vectors are not those of pooling='mean'."),
}
#: The stage at which a relation that does not hold is noticed, where it is not "property".
_STAGES = {"lengths": "values", "lengths with an empty row": "values", "finite gradients": "not finite"}
_POOLED = {
    "cls": Message("Where words do not mix, pooling='cls' does not give the vector of the first word."),
    "last": Message("Where words do not mix, pooling='last' does not depend on the last word alone."),
    "mean": Message("Where words do not mix, pooling='mean' does not weigh two words alike."),
    "weighted": Message(
        "Where words do not mix, pooling='weighted' does not count the second word twice as much as the first."
    ),
    "max": Message("Where words do not mix, pooling='max' does not give the larger of two words in each column."),
}


def _kind(expected: Any, got: Any, _: Case) -> Mismatch | None:
    if str(got).replace("float64", "float32") == expected:  # no argument is floating, so either is right
        return None
    stage = "type" if "tensor" not in str(got) else "shape" if str(got).split()[0] == expected.split()[0] else "dtype"
    said = Message("The result: {received}; {expected} was expected.", received=_named(got), expected=_named(expected))
    return Mismatch(stage, said, Message("The kind, shape or dtype of the result is not the expected one."))


def _named(kind: Any) -> Any:
    """Return a kind, which is data, as a noun phrase where it is a tensor's."""
    found = _TENSOR.fullmatch(str(kind))
    return Message("a tensor of type {dtype} and shape {shape}", dtype=found[1], shape=found[2]) if found else kind


def _as_said(relation: str, sentence: Message) -> Any:
    stage = _STAGES.get(relation, "property")

    def rule(expected: Any, got: Any, _: Case) -> Mismatch | None:
        if got is None:
            return Mismatch("shape", Message("The result is not one vector for each sentence."))
        if expected == got or UNTOLD in (expected, got):
            return None
        rows = [str(index) for index, fine in enumerate(got) if not fine] if isinstance(got, list) else []
        in_rows = Message.plural("In row {rows}: {sentence}", "In the rows {rows}: {sentence}", len(rows))
        in_rows = in_rows.fill(rows=Listing(rows, COMMA), sentence=sentence)
        return Mismatch(stage, in_rows if rows else sentence, sentence)

    return rule


def _rules() -> dict[str, Any]:
    rules = {"kind": _kind, **{name: _as_said(name, sentence) for name, sentence in _SENTENCES.items()}}
    for pooling in POOLINGS:
        for name, sentence in _SENTENCES.items():
            rules[f"{name}, {pooling}"] = _as_said(
                name, Message("With `pooling={pooling}`: {sentence}", pooling=Code(repr(pooling)), sentence=sentence)
            )
        rules[f"pooling {pooling}"] = _as_said(f"pooling {pooling}", _POOLED[pooling])
    return rules


@dataclass(frozen=True)
class _Related(Comparison):
    """Judges the relations that the tensors of an observation stand in; what is none of the task's tensors stands in none."""

    def seen(self, observation: Observation, case: Case) -> Observation:
        if observation.raised:
            return observation
        try:
            return replace(observation, value=relations(observation.value["measured"], case))
        except MADE_UP:
            return replace(observation, value=NamedParts())


TextEncoder = Exercise(
    id="08.TextEncoder",
    title="From text to vector",
    why="One model joins the parts of the course so far. Notebook 09 trains such encoders to search.",
    difficulty=3,
    minutes=34,
    criteria=(
        Criterion("unit vectors", 1.5, "one vector of length 1 for each sentence"),
        Criterion("padding", 2, "batch, padding, its side, its ids and the kind of mask do not matter"),
        Criterion("order", 1, "the order of the words matters", tries=("A sentence's",)),
        Criterion("layers", 1, "each layer has its own weights, heads and d_ff are used"),
        Criterion("poolings", 0.5, "all five poolings, the mean by default", tries=('pooling "mean"',)),
        Criterion("edges", 0.5, "rows without a real token, and too many of them"),
        Criterion("gradient", 0.5, "finite gradients reach all that is to learn"),
    ),
    hints=(
        "Four stages: tokens and positions, layers, pooling, length 1. Only the first two use the ids; all but the last "
        "need the mask.",
        "Padding in front must not move a word's position: number the real tokens, not the columns.",
        "`nn.TransformerEncoderLayer(..., dropout=0.0, batch_first=True)` takes `src_key_padding_mask`, which is True where "
        "attention is forbidden: the opposite of attention_mask. `[layer] * n` is one layer, named n times.",
        "A row in which everything is forbidden is a softmax over nothing, nan also in the gradient: let such rows "
        "attend to their padding, and let the pooling make zeros of them.",
    ),
    cases=encoder_cases,
    of_driver=("build", "seed", "task", "poolings", "sizes", "heads"),
    run=run,
    by_products=("layers that learn",),
    compare=_Related(rules=_rules()),
    uses=("pool_mean", "pool_max", "pool_cls", "pool_last", "pool_weighted"),
)
