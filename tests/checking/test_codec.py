"""Plain data to trees and back: nothing is lost, and a hostile tree is refused with one exception."""

import json
import math

import numpy as np
import pytest
import torch

from embedding_course.checking.codec import decode, decode_observation, encode, encode_observation
from embedding_course.checking.observation import Observation, Place, Raised
from embedding_course.checking.observe import fresh
from embedding_course.checking.wire_data import DTYPES, MAX_DEPTH, NamedParts, OtherObject, laid_out, plain, strided


def round_trip(value: object) -> object:
    tensors: list[torch.Tensor] = []
    tree = json.loads(json.dumps(encode(value, tensors), allow_nan=False))
    return decode(tree, tensors)


@pytest.mark.parametrize(
    "value",
    [
        None, True, False, 0, -(2**62), 1.5, -0.0, "", "词 <b>", [], [1, [2.5, None]], (), (1, ("a", ())),
        {}, {"a": 1, 2: "b"}, {("a", 1): [True], ("b", (2,)): {}}, math.inf, -math.inf, OtherObject("Thing"),
        {"$tensor": 0}, {"$float": "nan"},
    ],
    ids=repr,
)  # fmt: skip
def test_round_trip(value: object) -> None:
    decoded = round_trip(value)
    assert decoded == value and type(decoded) is type(value)


def test_nan_survives() -> None:
    decoded = round_trip([math.nan])
    assert isinstance(decoded, list) and math.isnan(decoded[0])


def test_parts_stay_parts() -> None:
    decoded = round_trip(NamedParts({"output": 1}))
    assert isinstance(decoded, NamedParts) and decoded == {"output": 1}


@pytest.mark.parametrize("name", list(DTYPES))
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3)], ids=str)
def test_tensors(name: str, shape: tuple[int, ...]) -> None:
    tensor = torch.arange(math.prod(shape)).reshape(shape).to(DTYPES[name])
    decoded = round_trip({"x": tensor})["x"]  # type: ignore[index]
    assert decoded.dtype == tensor.dtype and decoded.shape == tensor.shape and torch.equal(decoded, tensor)


def test_layout_and_gradient_flag_survive() -> None:
    gapped = strided(torch.arange(6.0).reshape(2, 3))
    leaf = torch.ones(2, requires_grad=True)
    decoded = round_trip([gapped, leaf])
    assert not decoded[0].is_contiguous() and torch.equal(decoded[0], gapped)  # type: ignore[index]
    assert decoded[1].requires_grad and decoded[1].is_leaf  # type: ignore[index]


@pytest.mark.parametrize("order", [[1, 0, 2, 3], [0, 2, 1, 3], [3, 1, 0, 2]], ids=str)
def test_the_order_of_axes_in_memory_survives(order: list[int]) -> None:
    turned = laid_out(torch.arange(120.0).reshape(2, 3, 4, 5), order)
    for tensor in (round_trip(turned), fresh(turned)):
        assert isinstance(tensor, torch.Tensor) and torch.equal(tensor, turned)
        assert tensor.stride() == turned.stride() and not tensor.is_contiguous()


def test_special_values_in_tensors() -> None:
    odd = torch.tensor([math.nan, math.inf, -math.inf, -0.0])
    decoded = round_trip(odd)
    assert isinstance(decoded, torch.Tensor)
    assert torch.equal(decoded.view(torch.int32), odd.view(torch.int32))


@pytest.mark.parametrize("array", [np.arange(6).reshape(2, 3), np.zeros((0, 2)), np.array([True, False])], ids=str)
def test_numpy_arrays_stay_numpy(array: np.ndarray) -> None:
    decoded = round_trip(array)
    assert isinstance(decoded, np.ndarray) and decoded.dtype == array.dtype and np.array_equal(decoded, array)


def test_thawed_tensors_are_copies() -> None:
    stored = torch.zeros(2)
    decode({"$tensor": 0}, [stored]).add_(1)
    decode({"$array": 0}, [stored])[0] = 5
    assert stored.tolist() == [0.0, 0.0]


def test_what_is_not_plain_is_refused() -> None:
    with pytest.raises(TypeError, match="object"):
        encode(object(), [])


@pytest.mark.parametrize(
    "tree",
    [
        {}, {"$tensor": 1}, {"$tensor": -1}, {"$tensor": "0"}, {"$tensor": None}, {"$tensor": True}, {"$array": 9},
        {"$tuple": 3}, {"$tuple": None}, {"$dict": "ab"}, {"$dict": [1]}, {"$dict": [[1]]}, {"$dict": [[1, 2, 3]]},
        {"$dict": [[[], 1]]}, {"$dict": [[{"$dict": []}, 1]]}, {"$float": "one"}, {"$float": [1]}, {"$pickle": "x"},
        {"plain": 1}, {1: 2}, {"$dict": {"a": 1}}, [{"$tensor": 7}], b"bytes", {"$parts": 1},
    ],
    ids=repr,
)  # fmt: skip
def test_hostile_trees_raise_value_error(tree: object) -> None:
    with pytest.raises(ValueError):
        decode(tree, [torch.zeros(1)])


@pytest.mark.parametrize(
    ("tree", "tensor"),
    [
        ({"$tensor": 0, "strided": True}, torch.tensor(1.0)),
        ({"$tensor": 0, "requires_grad": True}, torch.tensor([1])),
        ({"$tensor": 0, "axes": [0, 0]}, torch.zeros(2, 3)),
        ({"$tensor": 0, "axes": "10"}, torch.zeros(2, 3)),
        ({"$tensor": 0, "axes": [1, 5]}, torch.zeros(2, 3)),
        ({"$tensor": 0, "axes": None}, torch.zeros(2, 3)),
        ({"$array": 0}, torch.zeros(2, dtype=torch.bfloat16)),
        ({"$dict": [[{"$array": 0}, 1]]}, torch.zeros(2)),
    ],
    ids=repr,
)
def test_trees_that_ask_the_impossible_of_a_tensor(tree: object, tensor: torch.Tensor) -> None:
    with pytest.raises(ValueError):
        decode(tree, [tensor])


@pytest.mark.parametrize("depth", [20, 5000])
def test_a_tree_too_deep_raises_value_error(depth: int) -> None:
    tree: object = 1
    for _ in range(depth):
        tree = [tree]
    with pytest.raises(ValueError):
        decode(tree, [])


def test_the_deepest_plain_data_travels() -> None:
    value: object = OtherObject("list")
    for _ in range(MAX_DEPTH + 1):
        value = [value]
    assert plain(value) == value and round_trip(value) == value
    nested: object = 1
    for _ in range(MAX_DEPTH):
        nested = {"a": [nested]} if isinstance(nested, int) else {"a": nested}
    assert round_trip(plain(nested)) == plain(nested)


@pytest.mark.parametrize("mark", ["$tensor", "$array"])
def test_each_tensor_is_referred_to_once(mark: str) -> None:
    stored = [torch.zeros(2), torch.zeros(3)]
    assert len(decode([{mark: 1}, {mark: 0}], stored)) == 2
    with pytest.raises(ValueError):
        decode([{mark: 0}] * 1000, stored)
    with pytest.raises(ValueError):
        decode({"$dict": [["a", {"$tensor": 1}], ["b", {"$array": 1}]]}, stored)


@pytest.mark.parametrize(
    "observation",
    [
        Observation(value=[1, 2.5]),
        Observation(value=None),
        Observation(raised=Raised(("KeyError", "LookupError"), "'a'", Place(2, "x[a]", "forward", "attend", 7), True)),
        Observation(value=1, modified=("ids",)),
        Observation(raised=Raised(("ValueError",)), modified=("a", "b")),
    ],
    ids=repr,
)
def test_observations(observation: Observation) -> None:
    tensors: list[torch.Tensor] = []
    assert decode_observation(encode_observation(observation, tensors), tensors) == observation


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"raised": None},
        {"raised": {}},
        {"raised": {"types": 1, "message": "", "line": ""}},
        {"value": {}},
        {"value": 1, "modified": 3},
        [],
        None,
    ],
    ids=repr,
)
def test_hostile_observations_raise_value_error(tree: object) -> None:
    with pytest.raises(ValueError):
        decode_observation(tree, [])  # type: ignore[arg-type]


def test_plain_cuts_what_it_does_not_know() -> None:
    endless: list = []
    endless.append(endless)
    assert "OtherObject" in repr(plain(endless))
    assert plain(2**70) == OtherObject("int")
    assert plain({torch.tensor(3): 1}) == {3: 1}
    assert plain(torch.zeros(2, requires_grad=True)).requires_grad is False

    class Always(str):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = str.__hash__

    assert type(plain(Always("a"))) is str


def test_half_a_surrogate_pair_is_written_out() -> None:
    cut = "我".encode()[:2].decode("utf-8", "surrogateescape")
    cleaned = plain({cut: [cut, "词"]})
    assert cleaned == {"\\udce6\\udc88": ["\\udce6\\udc88", "词"]}
    assert json.dumps(encode(cleaned, []), ensure_ascii=False).encode("utf-8")


@pytest.mark.parametrize(
    "value",
    [
        torch.zeros(3).to(torch.float8_e5m2),
        torch.zeros(3, dtype=torch.complex64),
        torch.empty(0, 2**40),
        torch.zeros([1] * 17),
        np.zeros(3, dtype=np.uint32),
        np.zeros(3, dtype=np.longdouble),
    ],
    ids=["float8", "complex", "empty and huge", "seventeen axes", "unsigned", "long double"],
)
def test_numbers_that_may_not_travel_are_named(value: object) -> None:
    assert isinstance(plain(value), OtherObject)
