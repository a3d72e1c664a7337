"""The first slip that shows in the text of a wrong answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .at_random import fresh_layers, random_draws
from .of_shapes import shapes_taken_apart
from .of_torch import divided_first, layers_not_called, softmax_without_axis
from .slip import Slip
from .unread import same_layer_twice, unread_arguments, unused_layers
from .written import Written

__all__ = ["first_slip"]


def first_slip(written: Written, given: Mapping[str, Any], *, draws: bool = False, raised: bool = False) -> Slip | None:
    """What shows in an answer that is wrong and that nothing known explains; None where nothing does.

    `given` is what the answer receives in the case that is shown. `draws`: a right answer may draw at random.
    Where it `raised`, only what makes an exception is looked for.
    """
    for look in (softmax_without_axis, layers_not_called):
        for slip in look(written):
            return slip
    if raised:
        return next(shapes_taken_apart(written, given), None)
    for slip in fresh_layers(written):
        return slip
    if not draws:
        for slip in random_draws(written):
            return slip
    for slip in same_layer_twice(written):
        return slip
    for slip in unread_arguments(written, given):
        return slip
    for look in (unused_layers, divided_first):
        for slip in look(written):
            return slip
    return None
