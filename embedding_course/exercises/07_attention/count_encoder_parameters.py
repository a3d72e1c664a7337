"""How many numbers an encoder holds: cases and comparison."""

from collections.abc import Iterator
from typing import Any

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs


def _count_cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, vocab: int, width: int, layers: int, hidden: int, criterion: str, *bias: bool,
             because: str = "", **options: bool) -> Case:
        args: dict[str, Any] = {"vocab_size": vocab, "d_model": width, "layers": layers, "d_ff": hidden}
        args.update(zip(("attention_bias",), bias, strict=False))
        return Case(name, args, criterion, options, because=because)

    vocab, layers = draw.integer(31, 97), draw.integer(2, 9)
    width, hidden = draw.integer(6, 29), draw.integer(31, 61)
    yield case("no layers", vocab, width, 0, hidden, "any sizes", because="Only the token table is left.").trying(
        "There is a token", "No positions", "vocab_size, d_model", "layers may be 0")
    yield case("one layer", vocab, width, 1, hidden, "layers",
               because="Attention has four square matrices; the feed-forward net has biases; there are two norms.").trying(
        "No positions")
    yield case("several layers", vocab, width, layers, hidden, "layers", because="The table is there once.").trying(
        "vocab_size, d_model", "layers may be 0")
    yield case("four times as wide inside", vocab, width, layers, 4 * width, "layers").trying(
        "vocab_size, d_model", "layers may be 0")
    yield case("as wide inside as outside", vocab, width, layers, width, "layers")
    yield case("wider than the vocabulary is large", 5, width, layers, hidden, "any sizes")
    yield case("docstring example 2", 100256, 1536, 12, 6144, "any sizes",
               because="The total is 493,897,728.").trying("returns")
    yield case("an odd number above two thousand millions", 50257, 4097, 24, 16387, "any sizes",
               because="A count is exact: float32 has room for seven digits, and int32 ends at 2,147,483,647.").trying(
        "returns")

    yield case("docstring example", 10, 2, 1, 3, "any sizes").trying("There is a token", "No positions")

    four = "attention_bias=True gives each of the four projections a bias."
    yield case("with biases in attention", vocab, width, layers, hidden, "biases", True, because=four)
    yield case("with biases in attention, by name", vocab, width, 1, hidden, "biases", attention_bias=True, because=four)
    yield case("without biases in attention, by name", vocab, width, layers, hidden, "biases", attention_bias=False)
    yield case("no layers to have biases", vocab, width, 0, hidden, "biases", True,
               because="Only the token table is left.").trying("vocab_size, d_model", "layers may be 0")


count_encoder_parameters = Exercise(
    id="07.count_encoder_parameters",
    title="Half a billion numbers, counted",
    why="If you can count a model's parameters, you can check what a paper says about its size.",
    difficulty=1,
    minutes=11,
    criteria=(
        Criterion("layers", 0.5, "the token table, and in each layer attention, feed-forward with biases, two norms",
                  tries=("There is a token",)),
        Criterion("any sizes", 0.5, "no layers, narrow and wide ones, and exact counts of thousands of millions"),
        Criterion("biases", 1, "attention_bias=True adds the biases of the four projections", tries=("attention_bias",)),
    ),
    hints=(
        "Count one layer. How many numbers has a linear layer from m to n, with and without its bias?",
        "Attention: four projections from d to d. Feed-forward: from d to d_ff and back, each with a bias.",
        "A layer norm holds a gamma and a beta, each as long as d, and a layer has two norms. Nothing else is counted: no "
        "positions, no output layer.",
    ),
    cases=_count_cases,
    core=False,
)
