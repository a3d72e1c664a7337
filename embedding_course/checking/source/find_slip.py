"""Find the first slip in the code of a wrong answer."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .answer_tree import Written
from .axes import axis_taken_for_another
from .lost_results import lost_results, words_never_passed
from .not_finite import log_with_a_small_number, zero_times_log_of_zero
from .precedence import always_true_or_false, computed_in_another_order
from .randomness import fresh_layers, random_draws
from .slip import Slip
from .torch_calls import layers_not_called, softmax_without_axis
from .training_order import training_order
from .unread import same_layer_twice, unread_arguments, unused_layers
from .wrong_numbers import left_out_by_a_number, one_sum_for_all, zipped_unevenly


def sure_slip(written: Written, given: Mapping[str, Any], passed: Mapping[str, Collection[str]]) -> Slip | None:
    """Return a slip in a wrong answer's code that certainly is a cause, or None.

    It is reported instead of a known mistake, or before it. `passed` holds the strings that each argument may be.
    """
    slips = (
        *always_true_or_false(written),
        *words_never_passed(written, passed),
        *lost_results(written),
        *axis_taken_for_another(written, given),
        *zero_times_log_of_zero(written),
        *zipped_unevenly(written, given),
        *training_order(written),
    )
    return next((slip for slip in slips if slip.instead), None) or next((slip for slip in slips if slip.first), None)


def first_slip(written: Written, given: Mapping[str, Any], *, draws: bool = False, raised: bool = False) -> Slip | None:
    """Return the first slip in the text of a wrong answer that no known mistake explains; None if there is none.

    Parameters
    ----------
    written : Written
        The text of the answer.
    given : mapping of str to Any
        What the answer receives in the case that is shown, by name.
    draws : bool, optional
        True if a right answer may draw random numbers.
    raised : bool, optional
        True if the answer raised: then only causes of exceptions are looked for.
    """
    return next(_slips(written, given, draws, raised), None)


def _slips(written: Written, given: Mapping[str, Any], draws: bool, raised: bool) -> Iterator[Slip]:
    yield from softmax_without_axis(written)
    yield from layers_not_called(written)
    if raised:
        return
    yield from fresh_layers(written)
    if not draws:
        yield from random_draws(written)
    yield from same_layer_twice(written)
    yield from unread_arguments(written, given)
    yield from unused_layers(written)
    yield from computed_in_another_order(written)
    yield from one_sum_for_all(written, given)
    yield from zero_times_log_of_zero(written)
    yield from left_out_by_a_number(written)
    yield from log_with_a_small_number(written)
