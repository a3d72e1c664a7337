"""A published model's names and ours: cases and comparison."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch

from ...checking.exercise import Case, Comparison, Criterion, Exercise, Mismatch, Observation, RandomInputs, strided
from ...messages import Code, Message

State = dict[str, torch.Tensor]


@dataclass(frozen=True)
class _NamesTheUnknown(Comparison):
    """Also asks that the message of an expected KeyError contains the unknown name."""

    def __call__(self, expected: Observation, got: Observation, case: Case) -> Mismatch | None:
        fault = super().__call__(expected, got, case)
        if fault or expected.raised is None or got.raised is None:
            return fault
        name = max((name for name in case.args["state"] if name in expected.raised.message), key=len)
        if name.removeprefix("bert.") in got.raised.message:
            return None
        hidden = Message("The message of the KeyError does not contain the unknown name.")
        return Mismatch("values", Message("The message of the KeyError does not contain {name}.", name=Code(name)), hidden)


_LAYER = {
    "attention.self.query": ("width", "width"),
    "attention.self.key": ("width", "width"),
    "attention.self.value": ("width", "width"),
    "attention.output.dense": ("width", "width"),
    "attention.output.LayerNorm": ("width",),
    "intermediate.dense": ("hidden", "width"),
    "output.dense": ("width", "hidden"),
    "output.LayerNorm": ("width",),
}


def _state(draw: RandomInputs, layers: int, width: int, hidden: int, dtype: torch.dtype = torch.float32) -> State:
    """Return the weights of a BERT with so many layers, by their published names."""
    sizes = {"width": width, "hidden": hidden}

    def tensor(*shape: int) -> torch.Tensor:
        return draw.normal(*shape, dtype=dtype)

    state = {
        "embeddings.word_embeddings.weight": tensor(5, width),
        "embeddings.position_embeddings.weight": tensor(4, width),
        "embeddings.token_type_embeddings.weight": tensor(2, width),
        "embeddings.LayerNorm.weight": tensor(width),
        "embeddings.LayerNorm.bias": tensor(width),
    }
    for layer in range(layers):
        for part, shape in _LAYER.items():
            state[f"encoder.layer.{layer}.{part}.weight"] = tensor(*(sizes[size] for size in shape))
            state[f"encoder.layer.{layer}.{part}.bias"] = tensor(sizes[shape[0]])
    return state


def _with_heads(draw: RandomInputs, state: State, width: int) -> State:
    """Return the weights with those that an encoder has no place for, in random order."""
    more = {
        "embeddings.position_ids": torch.arange(4)[None],
        "pooler.dense.weight": draw.normal(width, width),
        "pooler.dense.bias": draw.normal(width),
        "cls.predictions.bias": draw.normal(5),
        "cls.predictions.transform.LayerNorm.weight": draw.normal(width),
    }
    return _shuffled(draw, {**state, **more})


def _shuffled(draw: RandomInputs, state: Mapping[str, torch.Tensor]) -> State:
    return {name: state[name] for name in draw.shuffled(list(state))}


def _prefixed(state: State) -> State:
    return {f"bert.{name}": value for name, value in state.items()}


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(
        name: str, state: State, criterion: str, because: str = "", fused: bool | None = None, last: str = ""
    ) -> Case:
        layers = sum(key.endswith("intermediate.dense.bias") for key in state)
        given = "state" if fused is None else f"state, fused={fused}"
        call = f"translate_names({given}) with {len(state)} names, {layers} layer{'s' * (layers != 1)}" + last
        return Case(name, {"state": state}, criterion, {} if fused is None else {"fused": fused}, call, because)

    width, hidden = draw.choice(((2, 3), (3, 5), (3, 4)))
    every = "The weight and the bias of each part keep their values and get the names of the course."
    yield case("one layer", _state(draw, 1, width, hidden), "names", every)
    yield case("three layers", _state(draw, 3, width, hidden), "names", every)
    yield case("three layers in another order", _shuffled(draw, _state(draw, 3, width, hidden)), "names",
               "A name alone says where its tensor belongs, not its place in the state.")
    yield case("as wide inside as outside", _state(draw, 2, 3, 3), "names", every)
    example = {"bert.embeddings.LayerNorm.bias": torch.zeros(2), "embeddings.LayerNorm.weight": torch.ones(2)}
    yield case("docstring example", example, "prefixes")

    yield case("twelve layers", _state(draw, 12, 1, 2), "layers", "The number of a layer may have two digits.")
    yield case("no layers", _state(draw, 0, width, hidden), "layers", "An encoder without blocks is one, too.")
    yield case("no weights", {}, "layers", "No names give an empty dict.")
    yield case("float64", _state(draw, 1, width, hidden, torch.float64), "layers", "The tensors keep their dtype.")
    yield case("weights with gaps in memory", {name: strided(value) for name, value in _state(draw, 1, width, hidden).items()},
               "layers")

    with_bert = 'Any name may begin with "bert.".'
    plain = _state(draw, 2, width, hidden)
    yield case("all names begin with bert.", _prefixed(plain), "prefixes", with_bert)
    yield case("some names begin with bert.",
               {f"bert.{name}" if at % 2 else name: value for at, (name, value) in enumerate(_shuffled(draw, plain).items())},
               "prefixes", with_bert)
    for what, beginning in (("position_ids", "embeddings.position"), ("a pooler", "pooler."), ("a prediction head", "cls.")):
        more = {name: value for name, value in _with_heads(draw, plain, width).items()
                if name in plain or name.startswith(beginning)}
        yield case(f"with {what}", more, "prefixes", "What the encoder has no place for is left out.")
    yield case("with bert., a pooler and a head", _prefixed(_with_heads(draw, plain, width)),
               "prefixes", with_bert)

    rows = "The rows of the query come first, then those of the key, then those of the value."
    yield case("fused", _state(draw, 2, width, hidden), "fused", rows, fused=True)
    yield case("fused, in another order", _shuffled(draw, _state(draw, 3, width, hidden)), "fused", rows, fused=True)
    yield case("fused, twelve layers", _shuffled(draw, _state(draw, 12, 1, 2)), "fused", rows, fused=True)
    yield case("fused, with bert. and a pooler", _prefixed(_with_heads(draw, plain, width)),
               "fused", rows, fused=True)
    yield case("fused, no layers", _state(draw, 0, width, hidden), "fused", fused=True)
    yield case("fused=False", _state(draw, 1, width, hidden), "fused", "Then the three projections stay apart.", fused=False)

    at = draw.integer(0, 1)
    refuse = "A name that stands in no line of the list raises a KeyError, whose message contains the name."
    for what, name in (
        ("an unknown table", "embeddings.speaker_embeddings.weight"),
        ("an unknown table behind bert.", "bert.embeddings.speaker_embeddings.weight"),
        ("the bias of a table", "embeddings.word_embeddings.bias"),
        ("an unknown part of a layer", f"encoder.layer.{at}.crossattention.self.query.weight"),
        ("a third tensor of a known part", f"encoder.layer.{at}.attention.self.query.scale"),
        ("an adapter behind a known part", f"encoder.layer.{at}.attention.self.query.weight.lora"),
        ("a known part of no layer", "encoder.attention.self.query.weight"),
        ("a layer without a number", "encoder.layer.last.output.dense.weight"),
        ("a model of another family", f"roberta.encoder.layer.{at}.output.dense.weight"),
        ("a name that begins with bert. twice", "bert.bert.embeddings.LayerNorm.bias"),
        ("a name that ends like a pooler", "encoder.pooler.dense.weight"),
        ("a name that begins like a pooler", "pooler_norm.weight"),
        ("a name that begins like a head", "cls_norm.weight"),
        ("position ids elsewhere", "embeddings.position_ids.weight"),
    ):
        unknown = _shuffled(draw, {**_state(draw, 2, width, hidden), name: draw.normal(width, width)})
        yield case(what, unknown, "refused", refuse, last=f", and the name {name}")


translate_names = Exercise(
    id="11.translate_names",
    title="Two names for one weight",
    why="A file of published weights is a dict of names and numbers; with the names translated, your own code runs that model.",
    difficulty=2,
    minutes=10,
    criteria=(
        Criterion("names", 0.5, "every weight and bias under its new name, in any order",
                  tries=("Where a name ends in", "embeddings.word_embeddings.weight", "returns", "The tensors keep",
                         "state the weights", "not modified")),
        Criterion("layers", 0.25, "none, few or twelve layers, any dtype",
                  tries=("Its layers are numbered", "The tensors keep")),
        Criterion("prefixes", 0.25, "names with bert. before them; pooler, head and position_ids left out",
                  tries=("Any name may begin", "What the encoder")),
        Criterion("fused", 0.25, "query, key and value as one matrix where that is asked for", tries=("fused True",)),
        Criterion("refused", 0.25, "KeyError on any other name, which the message contains",
                  tries=("Raises KeyError", "the message contains it")),
    ),
    hints=(
        'Take off `bert.` first: `name.removeprefix("bert.")`. Then each name is one of three sorts: a table or norm, a part '
        "of a layer, or one that is left out.",
        "A dict from old to new names holds the five whole names; a second one the eight parts of a layer.",
        'The number of a layer is what stands between two dots: `name.split(".")[2]`. `str.replace` would also find '
        "`output.dense` inside `attention.output.dense`.",
        "`fused`: collect the dict first, then take out three matrices for each layer and put `torch.cat([q, k, v])` in. "
        "Both dimensions of a weight are d, so `dim=0` puts rows below rows.",
    ),
    cases=_cases,
    compare=_NamesTheUnknown(),
)
