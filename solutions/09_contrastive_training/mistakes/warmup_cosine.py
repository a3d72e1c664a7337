# exercise 09.warmup_cosine
import math

import numpy as np
import torch


# base one_fraction
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    p = min(1.0, (step - warmup) / (total - warmup))
    return floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2


# mistake warm_up_a_step_early (values), from one_fraction
# The warm-up is one step ahead: step 0 should give 0, and step `warmup` the peak.
# Next: Divide step by warmup, without adding 1.
#   peak * step => peak * (step + 1)

# mistake warm_up_ends_a_step_early (values), from one_fraction
# The warm-up is divided by warmup - 1, so the peak comes a step too early.
# Next: The line goes through 0 at step 0 and through the peak at step `warmup`.
#   peak * step / warmup => peak * step / max(warmup - 1, 1)


# mistake no_warm_up (values)
# There is no warm-up: the wave starts at step 0.
# Next: Before step `warmup` the rate is a straight line from 0.
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    return floor + (peak - floor) * (1 + math.cos(math.pi * min(1.0, step / total))) / 2


# mistake warm_up_whole_division (values), from one_fraction
# `//` divides whole numbers: in the warm-up the rate is 0 until the last step.
# Next: Use `/`.
#   peak * step / warmup => peak * (step // warmup)

# mistake warm_up_from_the_floor (values), from one_fraction
# The warm-up starts from the floor; it starts from 0.
# Next: In the warm-up the floor plays no part.
#   peak * step / warmup => floor + (peak - floor) * step / warmup

# mistake warm_up_never_below_the_floor (values), from one_fraction
# The rate is kept above the floor in the warm-up too; there it comes from 0.
# Next: In the warm-up the floor plays no part.
#   return peak * step / warmup => return max(floor, peak * step / warmup)

# mistake share_of_all_steps (values), from one_fraction
# The wave is counted from step 0; it starts at step `warmup`.
# Next: The fraction is 0 at `warmup` and 1 at `total`: subtract warmup above and below.
#   (step - warmup) / (total - warmup) => step / total

# mistake divided_by_total (values), from one_fraction
# The steps after the warm-up are divided by total, as if there were that many; there are total - warmup.
# Next: The fraction must be 1 at `total`.
#   (step - warmup) / (total - warmup) => (step - warmup) / total

# mistake rises_again (values), from one_fraction
# Past `total` the cosine rises again; the rate should stay at the floor.
# Next: Limit the fraction to 1.
#   min(1.0, (step - warmup) / (total - warmup)) => (step - warmup) / (total - warmup)

# mistake zero_past_the_end (values), from one_fraction
# Past `total` the rate drops to 0; it stays at the floor.
# Next: Return floor from `total` on.
#   -    p = min(1.0, (step - warmup) / (total - warmup))
#   +    if step > total:
#   +        return 0.0
#   +    p = (step - warmup) / (total - warmup)

# mistake floor_ignored (values), from one_fraction
# The wave always ends at 0; the floor is never used.
# Next: Stretch the wave between peak and floor.
#   floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2 => peak * (1 + math.cos(math.pi * p)) / 2

# mistake floor_added_on_top (values), from one_fraction
# The floor is added to a wave of full height: the rate starts at peak + floor.
# Next: The wave's height is peak - floor.
#   (peak - floor) * (1 + math.cos(math.pi * p)) => peak * (1 + math.cos(math.pi * p))

# mistake cut_off_at_the_floor (values), from one_fraction
# A wave down to 0 is cut off at the floor; the wave itself should end there.
# Next: Stretch the wave between peak and floor, then no `max` is needed.
#   floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2 => max(floor, peak * (1 + math.cos(math.pi * p)) / 2)

# mistake straight_line_down (values), from one_fraction
# The rate falls in a straight line; a cosine falls slowly first, then faster, then slowly again.
# Next: Put the fraction through (1 + cos(pi p)) / 2.
#   floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2 => peak + (floor - peak) * p

# mistake quarter_wave (values), from one_fraction
# A quarter of the wave, cos(pi p / 2), falls fastest at the end; half a wave flattens out there.
# Next: Use (1 + cos(pi p)) / 2.
#   (peak - floor) * (1 + math.cos(math.pi * p)) / 2 => (peak - floor) * math.cos(math.pi * p / 2)

# mistake whole_wave (values), from one_fraction
# A whole wave goes down and up again; half of one is wanted.
# Next: The angle runs from 0 to pi, not to 2 pi.
#   math.pi => 2 * math.pi

# mistake bare_cosine (values), from one_fraction
# The cosine runs from 1 to -1: the rate becomes negative.
# Next: (1 + cos) / 2 runs from 1 to 0.
#   (peak - floor) * (1 + math.cos(math.pi * p)) / 2 => (peak - floor) * math.cos(math.pi * p)

# mistake degrees (values), from one_fraction
# `math.cos` takes radians, not degrees.
# Next: Half a wave is pi, not 180.
#   math.pi => 180

# mistake rises_where_it_should_fall (values), from one_fraction
# The wave is upside down: it climbs from the floor to the peak.
# Next: Use 1 + cos, which is 2 at the start.
#   1 + math.cos(math.pi * p) => 1 - math.cos(math.pi * p)

# mistake a_factor_without_the_peak (values), from one_fraction
# This is a factor between 0 and 1; the rate is that times the peak.
# Next: Multiply by peak.
#   return peak * step / warmup => return step / warmup
#   peak - floor => 1 - floor

# mistake starts_again (values), from one_fraction
# Past `total` the schedule begins anew; it should stay at the floor.
# Next: Limit the fraction to 1.
#    def warmup_cosine(step, warmup, total, peak, floor=0.0):
#   +    if step > total:
#   +        step = step % total
#   min(1.0, (step - warmup) / (total - warmup)) => (step - warmup) / (total - warmup)


# mistake line_and_wave_multiplied (values)
# The wave already runs during the warm-up and is multiplied with the line.
# Next: First the line alone, then the wave alone, counted from `warmup`.
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    wave = floor + (peak - floor) * (1 + math.cos(math.pi * min(1.0, step / total))) / 2
    return wave * min(1.0, step / warmup)


# mistake a_list_of_rates (type)
# The rates of all steps come back; the one at `step` was asked for.
# Next: Return a single number.
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    rates = []
    for s in range(step + 1):
        p = min(1.0, (s - warmup) / (total - warmup))
        wave = floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2
        rates.append(peak * s / warmup if s < warmup else wave)
    return rates


# mistake pi_forgotten (values), from one_fraction
# The cosine goes from 0 to 1 and not from 0 to pi: the wave is cut off long before it comes down.
# Next: Half a wave is cos(pi p), with p from 0 to 1.
#   p = min(1.0, (step - warmup) / (total - warmup)) => passed = min((step - warmup) / (total - warmup), 1.0)
#   math.pi * p => passed


# right form three_branches
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step <= warmup:
        return step * (peak / warmup)
    elif step >= total:
        return floor
    angle = math.pi * (step - warmup) / (total - warmup)
    return 0.5 * (peak + floor) + 0.5 * (peak - floor) * math.cos(angle)


# right form numpy_clip
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    up = np.clip(step / warmup, 0, 1)
    p = np.clip((step - warmup) / (total - warmup), 0, 1)
    return peak * up if step < warmup else floor + (peak - floor) * (1 + np.cos(np.pi * p)) / 2


# right form zero_dimensional_tensor, from one_fraction
#   peak * step / warmup => torch.tensor(peak * step / warmup)
#   min(1.0, (step - warmup) / (total - warmup)) => torch.tensor((step - warmup) / (total - warmup)).clamp(max=1)
#   math.cos(math.pi * p) => torch.cos(torch.pi * p)


# right form squared_cosine
def warmup_cosine(step, warmup, total, peak, floor=0.0, verbose=True):
    step = min(step, total)
    rate = peak * step / warmup
    if step > warmup:
        rate = floor + (peak - floor) * math.cos(math.pi / 2 * (step - warmup) / (total - warmup)) ** 2
    if verbose:
        print(f"{rate:.3g}")
    return rate


# right form interpolation_in_the_warm_up
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return float(np.interp(step, [0, warmup], [0, peak]))
    p = min(step - warmup, total - warmup) / (total - warmup)
    weight = (1 + math.cos(math.pi * p)) / 2
    return weight * peak + (1 - weight) * floor


# survivor step < warmup → step <= warmup
# At step `warmup` the line and the wave meet: both give the peak.
