"""The seed of hidden cases: a number of up to 128 bits, which files hold as text if it is large.

JSON has numbers of any size, but many programs that read it do not, and msgpack has none of more than 64 bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

__all__ = ["SEED_BITS", "Seed", "read_seed", "storable"]

SEED_BITS = 128
#: What every reader of JSON and msgpack takes as a whole number; a larger seed is stored in hexadecimal, with 0x in front.
_LARGEST_NUMBER = 2**53 - 1

if TYPE_CHECKING:
    Seed = int
else:
    Seed = int | str  # as it lies in a file


def read_seed(value: msgspec.Struct, seed: object) -> None:
    """Turn the text of a seed, as a file holds it, into its number. For `__post_init__` of a struct with a field `seed`."""
    if isinstance(seed, str):
        msgspec.structs.force_setattr(value, "seed", int(seed, 16))


def storable(value: Any) -> Any:
    """Return a struct, or plain data with structs in it, as plain data in which large seeds are text.

    >>> storable({"seed": 2**64, "results": [{"seed": 7}]})
    {'seed': '0x10000000000000000', 'results': [{'seed': 7}]}
    """
    return _with_text(msgspec.to_builtins(value))


def _with_text(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _text(part) if key == "seed" else _with_text(part) for key, part in tree.items()}
    return [_with_text(part) for part in tree] if isinstance(tree, list) else tree


def _text(seed: Any) -> Any:
    return hex(seed) if isinstance(seed, int) and seed > _LARGEST_NUMBER else seed
