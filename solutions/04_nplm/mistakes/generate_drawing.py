"""Generating text: wrong answers about temperature, drawing and the generator, by name."""


import torch

from grader.course_source.catalogue import altered, base, mistake

GENERATE = "04.generate"


@mistake(
    GENERATE, "always_the_likeliest", stage=("values", "shape"),
    diagnosis="The most probable token is taken at every temperature; above 0 it should be drawn.",
    next_step="Use argmax at temperature 0 only.",
)
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
)
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


@base("plain")
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
    return tokens


altered(
    GENERATE, "multiplied_by_the_temperature", "plain",
    {"logits.max()) / temperature, dim=-": "logits.max()) * temperature, dim=-"},
    stage="values",
    diagnosis="The logits are multiplied by the temperature: high ones make the distribution sharper instead of flatter.",
    next_step="Divide by it.",
)


@mistake(
    GENERATE, "temperature_0_divides", stage=("raises", "values"),
    diagnosis="At temperature 0 the logits are divided by 0.",
    next_step="Treat 0 by itself: the most probable token.",
)
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
    next_step="At temperature 0 take the most probable token.",
)
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


altered(
    GENERATE, "overflows_at_a_tiny_temperature", "plain", {"(logits - logits.max())": "logits"}, stage="raises",
    diagnosis="logits / temperature is inf at a tiny temperature, and the softmax of inf is nan.",
    next_step="Subtract the largest logit before the division: the softmax stays the same.",
)


@mistake(
    GENERATE, "power_of_probabilities", stage="raises",
    diagnosis="Probabilities are raised to 1 / temperature: at a small temperature all of them are 0.",
    next_step="Divide the logits instead, before the softmax.",
)
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
)
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


altered(
    GENERATE, "small_temperatures_are_0", "plain", {"== 0:": "< 0.01:"}, stage="values",
    diagnosis="Temperatures below some limit are treated as 0, although tokens of nearly equal logits are still "
    "drawn by turns there.",
    next_step="Take argmax at temperature 0 itself.",
)

altered(
    GENERATE, "temperature_has_a_floor", "plain", {"/ temperature,": "/ max(temperature, 0.05),"}, stage="values",
    diagnosis="Small temperatures are raised to a floor.",
    next_step="Use the temperature as it is; only 0 needs a case of its own.",
)


@mistake(
    GENERATE, "the_top_two_only", stage="values",
    diagnosis="Only the most probable few tokens can be drawn; nobody asked for top-k.",
    next_step="Draw from the whole softmax.",
)
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
)
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
    diagnosis="Only the most probable tokens can be drawn, some tens of them; nobody asked for top-k.",
    next_step="Draw from the whole softmax.",
)
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
)
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


altered(
    GENERATE, "softmax_twice", "plain",
    {"model(torch.tensor([window]))[0]": "torch.softmax(model(torch.tensor([window]))[0], dim=-1)"},
    stage=("values", "shape"),
    diagnosis="The softmax is taken twice: probabilities are divided by the temperature instead of logits.",
    next_step="Divide the model's logits by the temperature, and take one softmax of that.",
)

altered(
    GENERATE, "all_tokens_alike", "plain",
    {
        "(torch.tensor([window]))[0]": "(torch.tensor([window]))",
        "logits.max()) / temperature, dim=-1)": "logits.max()) / temperature, dim=0)",
    },
    stage=("values", "shape"),
    diagnosis="All tokens are equally likely: the softmax runs over the batch axis, which has length 1.",
    next_step="Take the softmax over the last axis, that of the vocabulary.",
)

altered(
    GENERATE, "generator_not_used", "plain", {", generator=generator": ""}, stage="values",
    diagnosis="The draw does not use the generator: equal seeds give different texts.",
    next_step="Pass `generator=generator` to `torch.multinomial`.",
)


@mistake(
    GENERATE, "generator_set_back", stage="values",
    diagnosis="The generator is seeded anew in each call: its next draw repeats the first one.",
    next_step="Use the generator as it comes; whoever made it has chosen its seed.",
)
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
)
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
)
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
    GENERATE, "temperature_never_used", stage=("values", "shape"),
    diagnosis="The temperature is not used: every token is drawn from softmax(logits), at temperature 0 as well.",
    next_step="Divide the logits by the temperature before the softmax, and at temperature 0 take the most probable token.",
)
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = list(prefix), []
    for _ in range(max_tokens):
        with torch.no_grad():
            logits = model(torch.tensor([window]))[0]
        token = int(torch.multinomial(torch.softmax(logits, dim=-1), 1, generator=generator))
        if token == eos:
            break
        tokens.append(token)
        window = [*window[1:], token]
    return tokens
