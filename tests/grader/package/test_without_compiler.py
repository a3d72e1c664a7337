"""Optimizers and gradients without torch's compiler, in a process of its own: this one has imported it already."""

import json
import subprocess
import sys
from typing import Any

import pytest

PROGRAM = """
import json, sys
import torch
from torch import nn, optim
put_off = sys.argv[1] == "off"
if put_off:
    from grader.package.gradescope.without_compiler import put_compiler_off
    put_compiler_off()

def slow():
    return sorted({"sympy", "torch._dynamo.utils"} & set(sys.modules))

def trained(make, sparse=False, **options):
    torch.manual_seed(0)
    table = nn.Embedding(4, 6, sparse=sparse)
    optimizer = make(table.parameters(), lr=0.1, **options)
    schedule = optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    for _ in range(3):
        optimizer.zero_grad()
        values = table(torch.tensor([0, 2, 2]))
        (values * values).backward(torch.linspace(-1, 1, 18).reshape(3, 6))
        optimizer.step()
        schedule.step()
    return table.weight.tolist()

makes = [(optim.SGD, {}), (optim.SGD, {"momentum": 0.9}), (optim.Adam, {}), (optim.AdamW, {}), (optim.Adagrad, {}),
         (optim.RMSprop, {}), (optim.SparseAdam, {"sparse": True})]
answer = {"weights": [trained(make, **options) for make, options in makes]}
x = torch.ones(3, requires_grad=True)
answer["gradient"] = torch.autograd.grad(x * x, x, torch.arange(3.0))[0].tolist()
try:
    (x * x).backward(torch.ones(2))
except RuntimeError as error:
    answer["refused"] = str(error)
answer["early"] = slow()
from torch.utils.checkpoint import checkpoint
answer["checkpoint"] = checkpoint(torch.exp, x, use_reentrant=False).tolist()
import torch._dynamo.config
from torch.fx.experimental.symbolic_shapes import ShapeEnv, sym_eq
answer["files"] = [bool(torch._dynamo.__file__), bool(sys.modules[ShapeEnv.__module__].__file__)]
answer["again"] = trained(optim.Adam) == answer["weights"][2]
print(json.dumps(answer))
"""


def answer(word: str) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, word], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.slow
def test_the_same_numbers_and_the_compiler_only_when_it_is_used() -> None:
    off, usual = answer("off"), answer("usual")
    assert off.pop("early") == [] and usual.pop("early") == ["sympy", "torch._dynamo.utils"]
    assert "Mismatch in shape" in off["refused"] and off["files"] == [True, True] and off["again"]
    assert off == usual
