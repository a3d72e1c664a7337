"""Attacks that want marks by what an answer returns, or by the state that it leaves behind."""

from .attack import code_attack

code_attack(
    "not a number",
    "nan for everything",
    "return args[1].new_full((args[2], args[1].shape[-1]), float('nan'))",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "gradient tricks",
    "requires_grad, an expanded view, a sparse layout",
    """
import torch
return torch.zeros(args[2], 1, requires_grad=True).expand(args[2], args[1].shape[-1]).to_sparse()
""",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack("absurd shape", "an empty tensor of 2^62 rows", "import torch\nreturn torch.empty(0, 2**62)", inside=True)
code_attack(
    "copy bomb",
    "__deepcopy__, __hash__ and __repr__ that never end",
    """
class Bomb(dict):
    def __repr__(self):
        while True: pass
    __str__ = __hash__ = __deepcopy__ = __reduce__ = __iter__ = keys = items = __repr__
return Bomb()
""",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "deep nesting",
    "a list in a list in a list",
    """
value = []
for _ in range(10**5): value = [value]
return value
""",
    inside=True,
)
code_attack(
    "edited inputs",
    "the inputs turned into what is returned",
    "args[1].zero_()\nreturn args[1]",
    inside=True,
    on=["02.embedding_grad"],
)
code_attack(
    "global state",
    "default dtype, grad mode and seeds changed for those behind",
    """
import numpy, torch
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.set_default_device("meta")
numpy.seterr(all="raise")
""",
)
