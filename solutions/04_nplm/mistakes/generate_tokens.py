# exercise 04.generate
"""Generating text: wrong answers about the window, the length and eos, by name."""

import torch


# base plain
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


# mistake prefix_returned (shape), from plain
# The prefix is returned with the new tokens; only new ones were asked for.
# Next: Collect the new tokens in a list of their own.
#   return tokens => return list(prefix) + tokens

# mistake window_never_moves (values), from plain
# Every token is drawn from the same context: the new token never enters the window.
# Next: After each token: drop the oldest id of the window, put the new one at its end.
#   -        window = window[1:] + [token]

# mistake window_grows (raises), from plain
# The window grows by each token, and the model takes exactly as many ids as its context is long.
# Next: Give the model the latest ids only, as many as the prefix has.
#   window[1:] => window

# mistake newest_first (values), from plain
# The new token enters the window at its front; the newest id stands last.
# Next: Drop the first id and append the new one.
#   window[1:] + [token] => [token] + window[:-1]

# mistake last_id_replaced (values), from plain
# The new token takes the place of the last id; the oldest one should leave, and the others move up.
# Next: Keep `window[1:]` and put the new token behind it.
#   window[1:] => window[:-1]

# mistake prefix_changed (property), from plain
# The tokens are right, and the caller's prefix has changed: `append` and `pop` work in place.
# Next: Begin with a copy: `window = list(prefix)`.
#   window, tokens = list(prefix), [] => tokens = []
#   [window] => [prefix]
#   -        window = window[1:] + [token]
#   +        prefix.append(token)
#   +        prefix.pop(0)

# mistake no_batch_axis (raises), from plain
# The model gets a single row of ids without a batch axis.
# Next: Make the window a batch of one: shape (1, C).
#   model(torch.tensor([window]))[0] => model(torch.tensor(window))

# mistake the_last_word_only (raises), from plain
# The model gets the last id only; it takes a whole context.
# Next: Give it all ids of the window.
#        window, tokens = list(prefix), []
#   +    window[:-1] = []
#   [window] => [window[-1:]]

# mistake one_token_too_many (shape), from plain
# There is one token too many.
# Next: Run the loop `max_tokens` times.
#   range(max_tokens) => range(max_tokens + 1)

# mistake length_with_the_prefix (shape), from plain
# max_tokens is compared with the length of prefix and new tokens together.
# Next: Count the new tokens only.
#   window, tokens = list(prefix), [] => tokens = list(prefix)
#   -    for _ in range(max_tokens):
#   +    while len(tokens) < max_tokens:
#   [window] => [tokens[-len(prefix) :]]
#   -        window = window[1:] + [token]
#   -    return tokens
#   +    return tokens[len(prefix) :]

# mistake at_least_one_token (shape), from plain
# With max_tokens 0 there still is a token: the loop asks only after the first one.
# Next: Ask before each draw whether more tokens are wanted.
#   -    for _ in range(max_tokens):
#   +    while True:
#            window = window[1:] + [token]
#   +        if len(tokens) >= max_tokens:
#   +            break

# mistake eos_returned (shape), from plain
# eos is returned as the last token.
# Next: Ask for eos before the token is appended.
#                token = torch.multinomial(p, 1, generator=generator).item()
#   +        tokens.append(token)
#   -        tokens.append(token)

# mistake goes_on_after_eos (shape), from plain
# eos does not end the text: the loop goes on to max_tokens.
# Next: Break out of the loop when the token is eos.
#   -        if token == eos:
#   -            break

# mistake eos_skipped (shape), from plain
# eos is left out and the text goes on behind it.
# Next: `break`, not `continue`: eos is the end.
#   -            break
#   +            window = window[1:] + [token]
#   +            continue

# mistake eos_never_drawn (shape), from plain
# eos is never drawn: its logit is set to -inf.
# Next: The model decides about the end: leave its logits alone.
#   -        logits = model(torch.tensor([window]))[0]
#   +        logits = model(torch.tensor([window]))[0].detach().clone()
#   +        logits[eos] = -torch.inf

# mistake eos_counts_as_a_token (shape), from plain
# The text is one token short when eos comes right behind: eos was counted as one of max_tokens.
# Next: Return up to max_tokens tokens beside eos.
#   -    for _ in range(max_tokens):
#   +    while len(tokens) < max_tokens:
#                token = torch.multinomial(p, 1, generator=generator).item()
#   +        tokens.append(token)
#   +        window = window[1:] + [token]
#   -        tokens.append(token)
#   -        window = window[1:] + [token]
#   -    return tokens
#   +    return tokens[:-1]

# mistake eos_in_the_prefix_ends (shape), from plain
# An eos in the prefix ends the text before it begins.
# Next: Only a token that the model draws can end the text.
#   -    for _ in range(max_tokens):
#   +    while window[-1] != eos and len(tokens) < max_tokens:

# mistake eos_made_unlikely (values, shape), from plain
# The text goes on where eos should end it: eos comes up too rarely.
# Next: Draw eos like any other token: its logit stays as it is, and it is never drawn again.
#   -        logits = model(torch.tensor([window]))[0]
#   +        logits = model(torch.tensor([window]))[0].detach().clone()
#   +        if temperature > 0:
#   +            logits[eos] -= 2.0

# mistake tensor_returned (type), from plain
# The tokens come in a tensor; a list of ints was asked for.
# Next: Return a list: `tokens.tolist()`.
#   return tokens => return torch.tensor(tokens)
