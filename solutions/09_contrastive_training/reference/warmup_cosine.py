"""The right answer to 09.warmup_cosine."""

import math


def warmup_cosine(step: int, warmup: int, total: int, peak: float, floor: float = 0.0) -> float:
    """Return the learning rate at a step: up in a straight line, then down along half a cosine wave.

    step     0, 1, 2, ...; it may exceed total
    warmup   the step at which the peak is reached, 0 < warmup < total; the line starts from 0 at step 0
    total    the step at which the floor is reached; from there on the rate stays at the floor
    peak     the largest rate
    floor    where the wave ends
    returns  in the warm-up peak * step / warmup; then floor + (peak - floor) (1 + cos(pi p)) / 2, where p is the
             fraction of the steps from warmup to total that has passed

    >>> [round(warmup_cosine(step, 2, 6, peak=1.0, floor=0.2), 3) for step in (0, 1, 2, 4, 6, 9)]
    [0.0, 0.5, 1.0, 0.6, 0.2, 0.2]
    """
    if step < warmup:
        return peak * step / warmup
    passed = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(math.pi * passed)) / 2
