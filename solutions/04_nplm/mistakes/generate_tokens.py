"""Generating text: wrong answers about the window, the length and eos, by name."""


import torch

from grader.course_source.catalogue import altered, base, mistake

GENERATE = "04.generate"


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
    GENERATE, "prefix_returned", "plain", {"return tokens": "return list(prefix) + tokens"}, stage="shape",
    diagnosis="The prefix is returned with the new tokens; only new ones were asked for.",
    next_step="Collect the new tokens in a list of their own.",
)

altered(
    GENERATE, "window_never_moves", "plain", {"\n        window = window[1:] + [token]\n": "\n"}, stage="values",
    diagnosis="Every token is drawn from the same context: the new token never enters the window.",
    next_step="After each token: drop the oldest id of the window, put the new one at its end.",
)

altered(
    GENERATE, "window_grows", "plain", {"window[1:]": "window"}, stage="raises",
    diagnosis="The window grows by each token, and the model takes exactly as many ids as its context is long.",
    next_step="Give the model the latest ids only, as many as the prefix has.",
)

altered(
    GENERATE, "newest_first", "plain", {"window[1:] + [token]": "[token] + window[:-1]"}, stage="values",
    diagnosis="The new token enters the window at its front; the newest id stands last.",
    next_step="Drop the first id and append the new one.",
)

altered(
    GENERATE, "last_id_replaced", "plain", {"window[1:]": "window[:-1]"}, stage="values",
    diagnosis="The new token takes the place of the last id; the oldest one should leave, and the others move up.",
    next_step="Keep `window[1:]` and put the new token behind it.",
)


@mistake(
    GENERATE, "prefix_changed", stage="property",
    diagnosis="The tokens are right, and the caller's prefix has changed: `append` and `pop` work in place.",
    next_step="Begin with a copy: `window = list(prefix)`.",
)
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


altered(
    GENERATE, "no_batch_axis", "plain", {"(torch.tensor([window]))[0]": "(torch.tensor(window))"}, stage="raises",
    diagnosis="The model gets a single row of ids without a batch axis.",
    next_step="Make the window a batch of one: shape (1, C).",
)


@mistake(
    GENERATE, "the_last_word_only", stage="raises",
    diagnosis="The model gets the last id only; it takes a whole context.",
    next_step="Give it all ids of the window.",
)
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


altered(
    GENERATE, "one_token_too_many", "plain", {"(max_tokens)": "(max_tokens + 1)"}, stage="shape",
    diagnosis="There is one token too many.",
    next_step="Run the loop `max_tokens` times.",
)


@mistake(
    GENERATE, "length_with_the_prefix", stage="shape",
    diagnosis="max_tokens is compared with the length of prefix and new tokens together.",
    next_step="Count the new tokens only.",
)
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
)
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
)
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
)
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
)
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
)
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
)
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


altered(
    GENERATE, "eos_in_the_prefix_ends", "plain",
    {"for _ in range(max_tokens)": "while window[-1] != eos and len(tokens) < max_tokens"},
    stage="shape",
    diagnosis="An eos in the prefix ends the text before it begins.",
    next_step="Only a token that the model draws can end the text.",
)


@mistake(
    GENERATE, "eos_made_unlikely", stage=("values", "shape"),
    diagnosis="The text goes on where eos should end it: eos comes up too rarely.",
    next_step="Draw eos like any other token: its logit stays as it is, and it is never drawn again.",
)
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


altered(
    GENERATE, "tensor_returned", "plain", {"return tokens": "return torch.tensor(tokens)"}, stage="type",
    diagnosis="The tokens come in a tensor; a list of ints was asked for.",
    next_step="Return a list: `tokens.tolist()`.",
)
