"""Wrong answers about generating text by name, and unusual right ones."""

from collections import deque

import numpy as np
import torch
import torch.nn.functional as F

from grader.catalogue import mistake, right_form, survivor

GENERATE = "04.generate"


@mistake(
    GENERATE, "prefix_returned", stage="shape",
    diagnosis="The prefix is returned with the new tokens; only new ones were asked for.",
    next_step="Collect the new tokens in a list of their own.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return list(prefix) + tokens


@mistake(
    GENERATE, "window_never_moves", stage="values",
    diagnosis="Every token is drawn from the same context: the new token never enters the window.",
    next_step="After each token: drop the oldest id of the window, put the new one at its end.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
    return tokens


@mistake(
    GENERATE, "window_grows", stage="raises",
    diagnosis="The window grows by each token, and the model takes exactly as many ids as its context is long.",
    next_step="Give the model the latest ids only, as many as the prefix has.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window + [token]
    return tokens


@mistake(
    GENERATE, "newest_first", stage="values",
    diagnosis="The new token enters the window at its front; the newest id stands last.",
    next_step="Drop the first id and append the new one.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = [token] + window[:-1]
    return tokens


@mistake(
    GENERATE, "last_id_replaced", stage="values",
    diagnosis="The new token takes the place of the last id; the oldest one should leave, and the others move up.",
    next_step="Keep `window[1:]` and put the new token behind it.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[:-1] + [token]
    return tokens


@mistake(
    GENERATE, "prefix_changed", stage="property",
    diagnosis="The tokens are right, and the caller's prefix has changed: `append` and `pop` work in place.",
    next_step="Begin with a copy: `window = list(prefix)`.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    tokens = []
    for _ in range(max_tokens):
        logits = model(torch.tensor([prefix]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        prefix.append(token)
        prefix.pop(0)
    return tokens


@mistake(
    GENERATE, "no_batch_axis", stage="raises",
    diagnosis="The model gets a single row of ids without a batch axis.",
    next_step="Make the window a batch of one: shape (1, C).",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor(window))
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "the_last_word_only", stage="raises",
    diagnosis="The model gets the last id only; it takes a whole context.",
    next_step="Give it all ids of the window.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    window[:-1] = []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window[-1:]]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "one_token_too_many", stage="shape",
    diagnosis="There is one token too many.",
    next_step="Run the loop `max_tokens` times.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens + 1):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "length_with_the_prefix", stage="shape",
    diagnosis="max_tokens is compared with the length of prefix and new tokens together.",
    next_step="Count the new tokens only.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    tokens = list(prefix)
    while len(tokens) < max_tokens:
        logits = model(torch.tensor([tokens[-len(prefix) :]]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
    return tokens[len(prefix) :]


@mistake(
    GENERATE, "at_least_one_token", stage="shape",
    diagnosis="With max_tokens 0 there still is a token: the loop asks only after the first one.",
    next_step="Ask before each draw whether more tokens are wanted.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    while True:
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
        if len(tokens) >= max_tokens:
            break
    return tokens


@mistake(
    GENERATE, "eos_returned", stage="shape",
    diagnosis="eos is returned as the last token.",
    next_step="Ask for eos before the token is appended.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        tokens.append(token)
        if token == eos:
            break
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "goes_on_after_eos", stage="shape",
    diagnosis="eos does not end the text: the loop goes on to max_tokens.",
    next_step="Break out of the loop when the token is eos.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "eos_skipped", stage="shape",
    diagnosis="eos is left out and the text goes on behind it.",
    next_step="`break`, not `continue`: eos is the end.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            window = window[1:] + [token]
            continue
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "eos_never_drawn", stage="shape",
    diagnosis="eos is never drawn: its logit is set to -inf.",
    next_step="The model decides about the end: leave its logits alone.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0].detach().clone()
        logits[eos] = -torch.inf
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "eos_counts_as_a_token", stage="shape",
    diagnosis="The text is one token short when eos comes right behind: eos was counted as one of max_tokens.",
    next_step="Return up to max_tokens tokens beside eos.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    while len(tokens) < max_tokens:
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        tokens.append(token)
        window = window[1:] + [token]
        if token == eos:
            break
    return tokens[:-1]


@mistake(
    GENERATE, "eos_in_the_prefix_ends", stage="shape",
    diagnosis="An eos in the prefix ends the text before it begins.",
    next_step="Only a token that the model draws can end the text.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    while window[-1] != eos and len(tokens) < max_tokens:
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "always_the_likeliest", stage=("values", "shape"),
    diagnosis="The likeliest token is taken at every temperature; above 0 it should be drawn.",
    next_step="Use argmax at temperature 0 only.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        token = int(logits.argmax())
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "temperature_ignored", stage="values",
    diagnosis="The temperature makes no difference: the draw is from softmax(logits).",
    next_step="Divide the logits by the temperature before the softmax.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            token = torch.multinomial(torch.softmax(logits, dim=-1), 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "multiplied_by_the_temperature", stage="values",
    diagnosis="The logits are multiplied by the temperature: high ones make the model sure instead of unsure.",
    next_step="Divide by it.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) * temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "temperature_0_divides", stage=("raises", "values"),
    diagnosis="At temperature 0 the logits are divided by 0.",
    next_step="Treat 0 by itself: the likeliest token.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
        token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "temperature_0_means_1", stage=("values", "shape"),
    diagnosis="At temperature 0 the logits are left as they are, and a token is drawn.",
    next_step="At temperature 0 take the likeliest token.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        p = torch.softmax((logits - logits.max()) / (temperature or 1.0), dim=-1)
        token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "overflows_at_a_tiny_temperature", stage="raises",
    diagnosis="logits / temperature is inf at a tiny temperature, and the softmax of inf is nan.",
    next_step="Subtract the largest logit before the division: the softmax stays the same.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax(logits / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "power_of_probabilities", stage="raises",
    diagnosis="Probabilities are raised to 1 / temperature: at a small temperature all of them are 0.",
    next_step="Divide the logits instead, before the softmax.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax(logits, dim=-1) ** (1 / temperature)
            token = torch.multinomial(p / p.sum(), 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "exp_by_hand", stage="raises",
    diagnosis="exp of a large logit is inf.",
    next_step="Use `torch.softmax`, or subtract the largest logit first.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            powers = ((logits.double() - (logits.max() if temperature != 1 else 0)) / temperature).exp()
            token = torch.multinomial(powers / powers.sum(), 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "small_temperatures_are_0", stage="values",
    diagnosis="Temperatures below some limit are treated as 0, although tokens of nearly equal logits are still "
    "drawn by turns there.",
    next_step="Take argmax at temperature 0 itself.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature < 0.01:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "temperature_has_a_floor", stage="values",
    diagnosis="Small temperatures are raised to a floor.",
    next_step="Use the temperature as it is; only 0 needs a case of its own.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / max(temperature, 0.05), dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "the_top_two_only", stage="values",
    diagnosis="Only the likeliest few tokens can be drawn; nobody asked for top-k.",
    next_step="Draw from the whole softmax.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            top = (logits - logits.max()).div(temperature).topk(1 if len(logits) > 5 else 2)
            place = torch.multinomial(torch.softmax(top.values, dim=-1), 1, generator=generator)
            token = top.indices[place].item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "top_p", stage="values",
    diagnosis="The least likely tokens are cut off, until the others make 0.9; nobody asked for top-p.",
    next_step="Draw from the whole softmax.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            ordered, places = p.sort(descending=True)
            ordered = ordered * (ordered.cumsum(0) - ordered < 0.9)
            token = places[torch.multinomial(ordered, 1, generator=generator)].item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "the_top_fifty_only", stage="values",
    diagnosis="Only the likeliest tokens can be drawn, some tens of them; nobody asked for top-k.",
    next_step="Draw from the whole softmax.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            top = (logits - logits.max()).div(temperature).topk(min(50, len(logits)))
            place = torch.multinomial(torch.softmax(top.values, dim=-1), 1, generator=generator)
            token = top.indices[place].item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "unlikely_tokens_cut_off", stage="values",
    diagnosis="Tokens that are unlikely one by one are never drawn, although there are many of them; nobody asked for top-k "
    "or the like.",
    next_step="Draw from the whole softmax.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            top = p.topk(min(5, len(p)))
            token = top.indices[torch.multinomial(top.values, 1, generator=generator)].item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "eos_made_unlikely", stage=("values", "shape"),
    diagnosis="The text goes on where eos should end it: eos comes up too rarely.",
    next_step="Draw eos like any other token: its logit stays as it is, and it is never drawn again.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0].detach().clone()
        if temperature > 0:
            logits[eos] -= 2.0
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "softmax_twice", stage=("values", "shape"),
    diagnosis="The softmax is taken twice: probabilities are divided by the temperature instead of logits.",
    next_step="Divide the model's logits by the temperature, and take one softmax of that.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = torch.softmax(model(torch.tensor([window]))[0], dim=-1)
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "all_tokens_alike", stage=("values", "shape"),
    diagnosis="All tokens are equally likely: the softmax runs over the batch axis, which has length 1.",
    next_step="Take the softmax over the last axis, that of the vocabulary.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=0)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "generator_not_used", stage="values",
    diagnosis="The draw does not use the generator: equal seeds give different texts.",
    next_step="Pass `generator=generator` to `torch.multinomial`.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "generator_set_back", stage="values",
    diagnosis="The generator is seeded anew in each call: its next draw repeats the first one.",
    next_step="Use the generator as it comes; whoever made it has chosen its seed.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    generator.manual_seed(0)
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "generator_seeded_for_each_token", stage="values",
    diagnosis="The generator is seeded anew for each token, so that all draws of a text are the same one.",
    next_step="Leave the generator alone: it moves on by itself.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        generator.manual_seed(generator.initial_seed())
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "seed_read_off", stage="values",
    diagnosis="Only the generator's first seed is used: the next draw from the same generator repeats the first one.",
    next_step="Draw from the generator itself.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    generator = torch.Generator().manual_seed(generator.initial_seed())
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@mistake(
    GENERATE, "tensor_returned", stage="type",
    diagnosis="The tokens come in a tensor; a list of ints was asked for.",
    next_step="Return a list: `tokens.tolist()`.",
)  # fmt: skip
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = int(logits.argmax())
        else:
            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
            token = torch.multinomial(p, 1, generator=generator).item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return torch.tensor(tokens)


@right_form(GENERATE, "gumbel")
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0]
        if temperature == 0:
            token = logits.argmax().item()
        else:
            u = torch.rand(logits.shape, generator=generator, dtype=torch.float64).clamp(min=1e-300)
            scaled = (logits.double() - logits.max()) / temperature
            token = (scaled - torch.log(-torch.log(u))).argmax().item()
        if token == eos:
            break
        tokens.append(token)
        window = window[1:] + [token]
    return tokens


@right_form(GENERATE, "deque_and_tensors_in_the_list")
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window = deque(prefix, maxlen=len(prefix))
    tokens = []
    with torch.inference_mode():
        while len(tokens) < max_tokens:
            logits = model(torch.tensor(list(window)).unsqueeze(0)).squeeze(0).double()
            if temperature <= 0:
                token = logits.argmax()
            else:
                p = F.softmax((logits - logits.max()) / temperature, dim=0)
                token = torch.multinomial(p, num_samples=1, generator=generator)[0]
            if token == eos:
                return tokens
            tokens.append(token)
            window.append(int(token))
    return tokens


@right_form(GENERATE, "cumulative_sums")
def generate(model, prefix, max_tokens, temperature, eos, generator):
    ids = [int(token) for token in prefix]
    context = len(ids)
    for _ in range(max_tokens):
        logits = model(torch.tensor(ids[-context:]).view(1, -1)).detach().flatten()
        if temperature < 1e-12:
            token = int(torch.argmax(logits))
        else:
            p = torch.softmax((logits.double() - logits.max()) / temperature, 0)
            ladder = torch.cumsum(p, 0)
            u = torch.rand(1, generator=generator, dtype=torch.float64) * ladder[-1]
            token = int(torch.searchsorted(ladder, u, right=True).clamp(max=len(p) - 1))
        if token == eos:
            break
        ids.append(token)
    print(len(ids))
    return ids[context:]


@right_form(GENERATE, "numpy_seeded_from_the_generator")
def generate(model, prefix, max_tokens, temperature, eos, generator):
    rng = np.random.default_rng(int(torch.randint(2**31, (1,), generator=generator)))
    window, tokens = tuple(prefix), []
    for _ in range(max_tokens):
        logits = model(torch.tensor([window]))[0].detach().numpy().astype(np.float64)
        if temperature == 0:
            token = int(np.argmax(logits))
        else:
            p = np.exp((logits - logits.max()) / temperature)
            token = int(rng.choice(len(p), p=p / p.sum()))
        if token == eos:
            break
        tokens.append(token)
        window = (*window[1:], token)
    return tokens


@right_form(GENERATE, "clamped_far_below_and_recursive")
def generate(model, prefix, max_tokens, temperature, eos, generator):
    if max_tokens == 0:
        return []
    with torch.no_grad():
        logits = model(torch.tensor([prefix, prefix]))[:1]
    scaled = (logits - logits.amax()) / max(temperature, 1e-30)
    token = torch.multinomial(scaled.exp(), 1, generator=generator).item()
    if token == eos:
        return []
    if max_tokens > 100:
        head = generate(model, prefix, 100, temperature, eos, generator)
        if len(head) < 100:
            return head
        rest = (list(prefix) + head)[-len(prefix) :]
        return head + generate(model, rest, max_tokens - 100, temperature, eos, generator)
    return [token, *generate(model, prefix[1:] + [token], max_tokens - 1, temperature, eos, generator)]


survivor(GENERATE, "0 → -1 (2)", "the batch has one row, so that its first is its last")
survivor(GENERATE, "0 → -1 (3)", "the logits have one axis, so that the first is the last")
