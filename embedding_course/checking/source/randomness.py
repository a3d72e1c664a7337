"""Code by which an answer gives other numbers each time: layers made anew in every call, and random draws."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...messages import Code, Message
from .answer_tree import Written, as_name, assigned, calls_in
from .slip import Slip

#: Layers whose weights are random when they are made.
_LEARN = {
    "Linear", "Bilinear", "Embedding", "EmbeddingBag", "LSTM", "LSTMCell", "GRU", "GRUCell", "RNN", "RNNCell", "Conv1d",
    "Conv2d", "MultiheadAttention", "Transformer", "TransformerEncoderLayer", "TransformerDecoderLayer",
}  # fmt: skip
#: Layers that begin with weights of 1 and biases of 0.
_BEGIN_PLAIN = {"LayerNorm", "RMSNorm", "BatchNorm1d", "GroupNorm"}
_DRAWS = {
    "multinomial", "bernoulli", "rand", "randn", "randint", "randperm", "rand_like", "randn_like", "gumbel_softmax", "sample",
    "choice", "choices", "shuffle", "normal_", "uniform_",
}  # fmt: skip
_HOMES = ("torch", "F", "functional", "random", "np", "numpy", "Tensor")
#: What has a `sample` that draws.
_DISTRIBUTIONS = {"distributions", "Categorical", "Multinomial", "Bernoulli", "Normal", "Gumbel", "OneHotCategorical"}
#: Parameters by which somebody else decides what is drawn.
_GIVEN_LUCK = {"generator", "rng", "dice"}


def fresh_layers(written: Written) -> Iterator[Slip]:
    """Yield layers with weights of their own that are made where the answer is used, and called as they are."""
    in_class = isinstance(written.node, ast.ClassDef)
    for name, function in written.in_use.items():
        uses = _Uses.of(function)
        for call in calls_in(function):
            kind = as_name(call.func).rpartition(".")[2]
            if kind not in _LEARN | _BEGIN_PLAIN or not uses.calls_as_it_is(call):
                continue
            if kind in _LEARN:
                says = Message(
                    "Line {line} makes a new {code} whenever it runs, with new random weights: nothing that was given or "
                    "learned is in them."
                )
            else:
                says = Message(
                    "Line {line} makes a new {code} whenever it runs: its weights are 1 and its biases 0, whatever was "
                    "given or learned."
                )
            step = Message("Compute with the tensors that `{name}` is given, in place of that layer.", name=Code(name))
            if in_class:
                step = Message(
                    "Make a layer once, in `__init__`, keep it on `self`, and call the one that is kept in `{name}`.",
                    name=Code(name),
                )
            yield Slip.at(call, "fresh layer", says, step, code=call.func)


@dataclass(frozen=True)
class _Uses:
    """How a function uses the values that it makes, gathered in one walk.

    It holds the nodes that are called, the names that each value is given, and the positions at which each name is read. Nodes
    are identified by their `id`.
    """

    called: frozenset[int]
    names: Mapping[int, Sequence[str]]
    reads: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, function: ast.FunctionDef) -> _Uses:
        names, reads = defaultdict(list), defaultdict(list)
        for node in ast.walk(function):
            for target, value in assigned(node):
                names[id(value)].append(as_name(target))
            if _is_read(node) and as_name(node):
                reads[as_name(node)].append(id(node))
        return cls(frozenset(id(call.func) for call in calls_in(function)), names, reads)

    def calls_as_it_is(self, made: ast.Call) -> bool:
        """Return True if the new layer is only called, at once or by its name, so that nothing can set its weights."""
        if any(word.arg == "_weight" for word in made.keywords):
            return False
        if id(made) in self.called:
            return True
        names = set(self.names.get(id(made), ()))
        if any(name.startswith("self.") for name in names):
            return False  # kept, it may be made once and serve from then on
        reads = [node_id for name in names for node_id in self.reads.get(name, ())]
        return bool(reads) and self.called.issuperset(reads)


def _is_read(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def random_draws(written: Written) -> Iterator[Slip]:
    """Yield a slip for each call that draws random numbers, if the answer neither receives a generator nor sets a seed."""
    if {"manual_seed", "seed", "Generator"} & written.words.keys():
        return
    for function in written.in_use.values():
        given = {argument.arg for argument in [*function.args.args, *function.args.kwonlyargs]}
        for call in calls_in(function):
            if _drops_always(call):
                says = Message("Line {line} drops numbers in every call: {code} does so unless `training=False` is given.")
                yield Slip.at(
                    call, "dropout", says, Message("Remove the dropout: the exercise does not ask for it."), code=call.func
                )
            elif not given & _GIVEN_LUCK and _draws(call, written):
                says = Message("Line {line} draws at random ({code}): the same call may give another result each time.")
                step = Message("Is a draw asked for? Where the best is, take the position of the largest: `argmax`.")
                yield Slip.at(call, "draw", says, step, code=call.func)


def _drops_always(call: ast.Call) -> bool:
    given = {word.arg for word in call.keywords}
    return as_name(call.func) in ("F.dropout", "nn.functional.dropout", "torch.nn.functional.dropout") and (
        "training" not in given and len(call.args) < 3 and None not in given
    )


def _draws(call: ast.Call, written: Written) -> bool:
    """Return a function of torch, numpy or random that draws; or the `sample` of a distribution, `multinomial` of a tensor."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _DRAWS:
        return False
    if any(word.arg in _GIVEN_LUCK for word in call.keywords):
        return False
    home = as_name(call.func.value)
    if call.func.attr == "sample":
        return home == "random" or bool(_DISTRIBUTIONS & written.words.keys())
    return home.rpartition(".")[2] in _HOMES or call.func.attr in ("multinomial", "normal_", "uniform_")
