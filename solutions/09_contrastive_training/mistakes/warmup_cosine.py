"""Wrong answers about the schedule by name, and unusual right ones."""

import math

import numpy as np
import torch

from grader.course_source.catalogue import altered, base, mistake, right_form, survivor

RATE = "09.warmup_cosine"


@base("plain")
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    p = min(1.0, (step - warmup) / (total - warmup))
    return floor + (1 - floor) * (1 + math.cos(math.pi * p)) / 2


altered(
    RATE, "warm_up_a_step_early", "plain",
    {"* step": "* (step + 1)", "floor + (1 - floor)": "floor + (peak - floor)"},
    stage="values",
    diagnosis="The warm-up is one step ahead: step 0 should give 0, and step `warmup` the peak.",
    next_step="Divide step by warmup, without adding 1.",
)

altered(
    RATE, "warm_up_ends_a_step_early", "plain",
    {"/ warmup": "/ max(warmup - 1, 1)", "floor + (1 - floor)": "floor + (peak - floor)"},
    stage="values",
    diagnosis="The warm-up is divided by warmup - 1, so the peak comes a step too early.",
    next_step="The line goes through 0 at step 0 and through the peak at step `warmup`.",
)


@mistake(
    RATE, "no_warm_up", stage="values",
    diagnosis="There is no warm-up: the wave starts at step 0.",
    next_step="Before step `warmup` the rate is a straight line from 0.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    return floor + (peak - floor) * (1 + math.cos(math.pi * min(1.0, step / total))) / 2


altered(
    RATE, "warm_up_whole_division", "plain",
    {"step / warmup": "(step // warmup)", "floor + (1 - floor)": "floor + (peak - floor)"},
    stage="values",
    diagnosis="`//` divides whole numbers: in the warm-up the rate is 0 until the last step.",
    next_step="Use `/`.",
)

altered(
    RATE, "warm_up_from_the_floor", "plain",
    {"peak ": "floor + (peak - floor) ", "floor + (1 - floor)": "floor + (peak - floor)"},
    stage="values",
    diagnosis="The warm-up starts from the floor; it starts from 0.",
    next_step="In the warm-up the floor plays no part.",
)

altered(
    RATE, "warm_up_never_below_the_floor", "plain",
    {"peak * step / warmup": "max(floor, peak * step / warmup)", "floor + (1 - floor)": "floor + (peak - floor)"},
    stage="values",
    diagnosis="The rate is kept above the floor in the warm-up too; there it comes from 0.",
    next_step="In the warm-up the floor plays no part.",
)


@mistake(
    RATE, "share_of_all_steps", stage="values",
    diagnosis="The wave is counted from step 0; it starts at step `warmup`.",
    next_step="The fraction is 0 at `warmup` and 1 at `total`: subtract warmup above and below.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    p = min(1.0, step / total)
    return floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2


@mistake(
    RATE, "divided_by_total", stage="values",
    diagnosis="The steps after the warm-up are divided by total, as if there were that many; there are total - warmup.",
    next_step="The fraction must be 1 at `total`.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    p = min(1.0, (step - warmup) / total)
    return floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2


@mistake(
    RATE, "rises_again", stage="values",
    diagnosis="Past `total` the cosine rises again; the rate should stay at the floor.",
    next_step="Limit the fraction to 1.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    p = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2


@mistake(
    RATE, "zero_past_the_end", stage="values",
    diagnosis="Past `total` the rate drops to 0; it stays at the floor.",
    next_step="Return floor from `total` on.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    if step > total:
        return 0.0
    p = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2


altered(
    RATE, "floor_ignored", "plain", {"floor + (1 - floor)": "peak"}, stage="values",
    diagnosis="The wave always ends at 0; the floor is never used.",
    next_step="Stretch the wave between peak and floor.",
)

altered(
    RATE, "floor_added_on_top", "plain", {"(1 - floor)": "peak"}, stage="values",
    diagnosis="The floor is added to a wave of full height: the rate starts at peak + floor.",
    next_step="The wave's height is peak - floor.",
)

altered(
    RATE, "cut_off_at_the_floor", "plain",
    {"floor + (1 - floor) * (1 + math.cos(math.pi * p)) / 2": "max(floor, peak * (1 + math.cos(math.pi * p)) / 2)"},
    stage="values",
    diagnosis="A wave down to 0 is cut off at the floor; the wave itself should end there.",
    next_step="Stretch the wave between peak and floor, then no `max` is needed.",
)

altered(
    RATE, "straight_line_down", "plain",
    {"floor + (1 - floor) * (1 + math.cos(math.pi * p)) / 2": "peak + (floor - peak) * p"},
    stage="values",
    diagnosis="The rate falls in a straight line; a cosine falls slowly first, then faster, then slowly again.",
    next_step="Put the fraction through (1 + cos(pi p)) / 2.",
)

altered(
    RATE, "quarter_wave", "plain",
    {"(1 - floor) * (1 + math.cos(math.pi * p)) / 2": "(peak - floor) * math.cos(math.pi * p / 2)"},
    stage="values",
    diagnosis="A quarter of the wave, cos(pi p / 2), falls fastest at the end; half a wave flattens out there.",
    next_step="Use (1 + cos(pi p)) / 2.",
)

altered(
    RATE, "whole_wave", "plain",
    {
        "return floor + (1 - floor) * (1 + math.cos(math.pi * p)":
            "return floor + (peak - floor) * (1 + math.cos(2 * math.pi * p)",
    },
    stage="values",
    diagnosis="A whole wave goes down and up again; half of one is wanted.",
    next_step="The angle runs from 0 to pi, not to 2 pi.",
)

altered(
    RATE, "bare_cosine", "plain",
    {"(1 - floor) * (1 + math.cos(math.pi * p)) / 2": "(peak - floor) * math.cos(math.pi * p)"},
    stage="values",
    diagnosis="The cosine runs from 1 to -1: the rate becomes negative.",
    next_step="(1 + cos) / 2 runs from 1 to 0.",
)

altered(
    RATE, "degrees", "plain",
    {"floor + (1 - floor) * (1 + math.cos(math.pi * p))": "floor + (peak - floor) * (1 + math.cos(180 * p))"},
    stage="values",
    diagnosis="`math.cos` takes radians, not degrees.",
    next_step="Half a wave is pi, not 180.",
)

altered(
    RATE, "rises_where_it_should_fall", "plain", {"1 - floor) * (1 +": "peak - floor) * (1 -"}, stage="values",
    diagnosis="The wave is upside down: it climbs from the floor to the peak.",
    next_step="Use 1 + cos, which is 2 at the start.",
)

altered(
    RATE, "a_factor_without_the_peak", "plain", {"peak * ": ""}, stage="values",
    diagnosis="This is a factor between 0 and 1; the rate is that times the peak.",
    next_step="Multiply by peak.",
)


@mistake(
    RATE, "starts_again", stage="values",
    diagnosis="Past `total` the schedule begins anew; it should stay at the floor.",
    next_step="Limit the fraction to 1.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step > total:
        step = step % total
    if step < warmup:
        return peak * step / warmup
    p = (step - warmup) / (total - warmup)
    return floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2


@mistake(
    RATE, "line_and_wave_multiplied", stage="values",
    diagnosis="The wave already runs during the warm-up and is multiplied with the line.",
    next_step="First the line alone, then the wave alone, counted from `warmup`.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    wave = floor + (peak - floor) * (1 + math.cos(math.pi * min(1.0, step / total))) / 2
    return wave * min(1.0, step / warmup)


@mistake(
    RATE, "a_list_of_rates", stage="type",
    diagnosis="The rates of all steps come back; the one at `step` was asked for.",
    next_step="Return a single number.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    rates = []
    for s in range(step + 1):
        p = min(1.0, (s - warmup) / (total - warmup))
        wave = floor + (peak - floor) * (1 + math.cos(math.pi * p)) / 2
        rates.append(peak * s / warmup if s < warmup else wave)
    return rates


@mistake(
    RATE, "pi_forgotten", stage="values",
    diagnosis="The cosine goes from 0 to 1 and not from 0 to pi: the wave is cut off long before it comes down.",
    next_step="Half a wave is cos(pi p), with p from 0 to 1.",
)
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return peak * step / warmup
    passed = min((step - warmup) / (total - warmup), 1.0)
    return floor + (peak - floor) * (1 + math.cos(passed)) / 2


@right_form(RATE, "three_branches")
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step <= warmup:
        return step * (peak / warmup)
    elif step >= total:
        return floor
    angle = math.pi * (step - warmup) / (total - warmup)
    return 0.5 * (peak + floor) + 0.5 * (peak - floor) * math.cos(angle)


@right_form(RATE, "numpy_clip")
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    up = np.clip(step / warmup, 0, 1)
    p = np.clip((step - warmup) / (total - warmup), 0, 1)
    return peak * up if step < warmup else floor + (peak - floor) * (1 + np.cos(np.pi * p)) / 2


@right_form(RATE, "zero_dimensional_tensor")
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return torch.tensor(peak * step / warmup)
    p = torch.tensor((step - warmup) / (total - warmup)).clamp(max=1)
    return floor + (peak - floor) * (1 + torch.cos(torch.pi * p)) / 2


@right_form(RATE, "squared_cosine")
def warmup_cosine(step, warmup, total, peak, floor=0.0, verbose=True):
    step = min(step, total)
    rate = peak * step / warmup
    if step > warmup:
        rate = floor + (peak - floor) * math.cos(math.pi / 2 * (step - warmup) / (total - warmup)) ** 2
    if verbose:
        print(f"{rate:.3g}")
    return rate


@right_form(RATE, "interpolation_in_the_warm_up")
def warmup_cosine(step, warmup, total, peak, floor=0.0):
    if step < warmup:
        return float(np.interp(step, [0, warmup], [0, peak]))
    p = min(step - warmup, total - warmup) / (total - warmup)
    weight = (1 + math.cos(math.pi * p)) / 2
    return weight * peak + (1 - weight) * floor


survivor(RATE, "step < warmup → step <= warmup", "At step `warmup` the line and the wave meet: both give the peak.")
