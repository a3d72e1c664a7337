"""Replace tqdm, where it is not installed, by a class that shows nothing. Colab and other platforms bring tqdm along."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec
from typing import Any

_PARTS = ("auto", "autonotebook", "notebook", "std")


class tqdm:  # noqa: N801 - its name in the package
    """An iterable that shows no progress bar."""

    def __init__(self, iterable: Iterable[Any] = (), *_: Any, **__: Any) -> None:
        self.iterable, self.n = iterable, 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable)

    def __len__(self) -> int:
        return len(self.iterable)  # type: ignore[arg-type]

    def __enter__(self) -> tqdm:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def update(self, n: float = 1) -> None:
        """Add `n` to the count in the attribute `n`."""
        self.n += n

    @staticmethod
    def write(message: str, *_: Any, **__: Any) -> None:
        """Print a message, as tqdm does between its bars."""
        print(message)

    def _nothing(self, *_: Any, **__: Any) -> None:
        """Do nothing, since no bar is shown."""

    set_description = set_description_str = set_postfix = set_postfix_str = refresh = reset = close = clear = display = _nothing


def trange(*bounds: int, **_: Any) -> tqdm:
    """Return a range with a progress bar."""
    return tqdm(range(*bounds))


def offer_progress_bars() -> None:
    """Put a quiet tqdm among the modules, unless there is a real one."""
    if "tqdm" in sys.modules or find_spec("tqdm") is not None:
        return
    for name in ("tqdm", *(f"tqdm.{part}" for part in _PARTS)):
        module = module_from_spec(ModuleSpec(name, None))
        vars(module).update(tqdm=tqdm, trange=trange, tqdm_notebook=tqdm, __path__=[])
        sys.modules[name] = module
    for part in _PARTS:
        setattr(sys.modules["tqdm"], part, sys.modules[f"tqdm.{part}"])
