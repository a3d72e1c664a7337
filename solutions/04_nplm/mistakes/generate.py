# exercise 04.generate
import torch


# mistake always_the_likeliest (values, shape)
# The most probable token is taken at every temperature; above 0 it should be drawn.
# Next: Use argmax at temperature 0 only.
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


# mistake temperature_ignored (values), from plain
# The temperature makes no difference: the draw is from softmax(logits).
# Next: Divide the logits by the temperature before the softmax.
#   -            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
#   -            token = torch.multinomial(p, 1, generator=generator).item()
#   +            token = torch.multinomial(torch.softmax(logits, dim=-1), 1, generator=generator).item()

# mistake multiplied_by_the_temperature (values), from plain
# The logits are multiplied by the temperature: high ones make the distribution sharper instead of flatter.
# Next: Divide by it.
#   (logits - logits.max()) / temperature => (logits - logits.max()) * temperature

# mistake temperature_0_divides (raises, values), from always_the_likeliest
# At temperature 0 the logits are divided by 0.
# Next: Treat 0 by itself: the most probable token.
#   -        token = int(logits.argmax())
#   +        p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
#   +        token = torch.multinomial(p, 1, generator=generator).item()

# mistake temperature_0_means_1 (values, shape), from always_the_likeliest
# At temperature 0 the logits are left as they are, and a token is drawn.
# Next: At temperature 0 take the most probable token.
#   -        token = int(logits.argmax())
#   +        p = torch.softmax((logits - logits.max()) / (temperature or 1.0), dim=-1)
#   +        token = torch.multinomial(p, 1, generator=generator).item()

# mistake overflows_at_a_tiny_temperature (raises), from plain
# logits / temperature is inf at a tiny temperature, and the softmax of inf is nan.
# Next: Subtract the largest logit before the division: the softmax stays the same.
#   (logits - logits.max()) / temperature => logits / temperature

# mistake always_divided (raises), from always_the_likeliest
# The logits are divided by the temperature, and at temperature 0 that is a division by 0.
# Next: At temperature 0 take argmax. Elsewhere subtract the largest logit first, since tiny temperatures overflow too.
#   -        token = int(logits.argmax())
#   +        p = torch.softmax(logits / temperature, dim=-1)
#   +        token = torch.multinomial(p, 1, generator=generator).item()

# mistake power_of_probabilities (raises), from plain
# Probabilities are raised to 1 / temperature: at a small temperature all of them are 0.
# Next: Divide the logits instead, before the softmax.
#   torch.softmax((logits - logits.max()) / temperature, dim=-1) => torch.softmax(logits, dim=-1) ** (1 / temperature)
#   p, 1 => p / p.sum(), 1

# mistake exp_by_hand (raises), from plain
# exp of a large logit is inf.
# Next: Use `torch.softmax`, or subtract the largest logit first.
#   -            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
#   +            powers = ((logits.double() - (logits.max() if temperature != 1 else 0)) / temperature).exp()
#   p, 1 => powers / powers.sum(), 1

# mistake small_temperatures_are_0 (values), from plain
# Temperatures below some limit are treated as 0, although tokens of nearly equal logits are still drawn by turns there.
# Next: Take argmax at temperature 0 itself.
#   temperature == 0 => temperature < 0.01

# mistake temperature_has_a_floor (values), from plain
# Small temperatures are raised to a floor.
# Next: Use the temperature as it is; only 0 needs a case of its own.
#   (logits - logits.max()) / temperature => (logits - logits.max()) / max(temperature, 0.05)

# mistake the_top_two_only (values), from plain
# Only the few most probable tokens can be drawn (top-k); all tokens should be.
# Next: Draw from the whole softmax.
#   -            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
#   -            token = torch.multinomial(p, 1, generator=generator).item()
#   +            top = (logits - logits.max()).div(temperature).topk(1 if len(logits) > 5 else 2)
#   +            place = torch.multinomial(torch.softmax(top.values, dim=-1), 1, generator=generator)
#   +            token = top.indices[place].item()

# mistake top_p (values), from plain
# The least likely tokens are cut off, until the others add up to 0.9 (top-p); all tokens should stay.
# Next: Draw from the whole softmax.
#   -            token = torch.multinomial(p, 1, generator=generator).item()
#   +            ordered, places = p.sort(descending=True)
#   +            ordered = ordered * (ordered.cumsum(0) - ordered < 0.9)
#   +            token = places[torch.multinomial(ordered, 1, generator=generator)].item()

# mistake the_top_fifty_only (values), from plain
# Only some tens of the most probable tokens can be drawn (top-k); all tokens should be.
# Next: Draw from the whole softmax.
#   -            p = torch.softmax((logits - logits.max()) / temperature, dim=-1)
#   -            token = torch.multinomial(p, 1, generator=generator).item()
#   +            top = (logits - logits.max()).div(temperature).topk(min(50, len(logits)))
#   +            place = torch.multinomial(torch.softmax(top.values, dim=-1), 1, generator=generator)
#   +            token = top.indices[place].item()

# mistake unlikely_tokens_cut_off (values), from plain
# Tokens that are unlikely one by one are never drawn, although there are many of them; all tokens should stay, without top-k.
# Next: Draw from the whole softmax.
#   -            token = torch.multinomial(p, 1, generator=generator).item()
#   +            top = p.topk(min(5, len(p)))
#   +            token = top.indices[torch.multinomial(top.values, 1, generator=generator)].item()

# mistake softmax_twice (values, shape), from plain
# The softmax is taken twice: probabilities are divided by the temperature instead of logits.
# Next: Divide the model's logits by the temperature, and take one softmax of that.
#   model(torch.tensor([window]))[0] => torch.softmax(model(torch.tensor([window]))[0], dim=-1)

# mistake all_tokens_alike (values, shape), from plain
# All tokens are equally likely: the softmax runs over the batch axis, which has length 1.
# Next: Take the softmax over the last axis, that of the vocabulary.
#   model(torch.tensor([window]))[0] => model(torch.tensor([window]))
#   dim=-1 => dim=0

# mistake generator_not_used (values), from plain
# The draw does not use the generator: equal seeds give different texts.
# Next: Pass `generator=generator` to `torch.multinomial`.
#   1, generator=generator => 1

# mistake generator_set_back (values), from plain
# The generator is seeded anew in each call: its next draw repeats the first one.
# Next: Use the generator as it comes: the caller has seeded it.
#        window, tokens = list(prefix), []
#   +    generator.manual_seed(0)

# mistake generator_seeded_for_each_token (values), from plain
# The generator is seeded anew for each token, so that all draws of a text are the same one.
# Next: Leave the generator alone: it moves on by itself.
#            logits = model(torch.tensor([window]))[0]
#   +        generator.manual_seed(generator.initial_seed())

# mistake seed_read_off (values), from plain
# Only the generator's first seed is used: the next draw from the same generator repeats the first one.
# Next: Draw from the generator itself.
#        window, tokens = list(prefix), []
#   +    generator = torch.Generator().manual_seed(generator.initial_seed())

# mistake temperature_never_used (values, shape), from always_the_likeliest
# The temperature is not used: every token is drawn from softmax(logits), at temperature 0 as well.
# Next: Divide the logits by the temperature before the softmax, and at temperature 0 take the most probable token.
#   -        logits = model(torch.tensor([window]))[0]
#   -        token = int(logits.argmax())
#   +        with torch.no_grad():
#   +            logits = model(torch.tensor([window]))[0]
#   +        token = int(torch.multinomial(torch.softmax(logits, dim=-1), 1, generator=generator))
#   window[1:] + [token] => [*window[1:], token]

# mistake sets_eval_mode (property), from plain
# The model is put into eval mode; the mode is for the caller to say.
# Next: Leave `.eval()` out: a training loop that generates goes on training afterwards.
#    def generate(model, prefix, max_tokens, temperature, eos, generator):
#   +    model.eval()
#   -        logits = model(torch.tensor([window]))[0]
#   +        with torch.no_grad():
#   +            logits = model(torch.tensor([window]))[0]

# mistake sets_training_mode (property), from plain
# The model is in training mode afterwards; the mode is for the caller to say.
# Next: Leave `.train()` out.
#   -        logits = model(torch.tensor([window]))[0]
#   +        with torch.no_grad():
#   +            logits = model(torch.tensor([window]))[0]
#            window = window[1:] + [token]
#   +    model.train()

# mistake weights_frozen (shape), from plain
# The model's weights need no gradient afterwards: it can learn nothing any more.
# Next: Use `with torch.no_grad():` around the call; that ends with the block.
#    def generate(model, prefix, max_tokens, temperature, eos, generator):
#   +    for parameter in model.parameters():
#   +        parameter.requires_grad = False


# right form searched_in_sorted_sums
def generate(model, prefix, max_tokens, temperature, eos, generator):
    window, tokens = torch.tensor(prefix)[None], []
    while len(tokens) < max_tokens:
        logits = model(window).detach().squeeze(0).double()
        if not temperature:
            token = logits.argmax()
        else:
            sums = torch.softmax((logits - logits.amax()) / temperature, dim=-1).cumsum(0)
            u = torch.rand(1, generator=generator, dtype=torch.float64) * sums[-1]
            token = torch.searchsorted(sums, u, right=True)[0].clamp(max=len(sums) - 1)
        if token.item() == eos:
            break
        tokens.append(token.item())
        window = torch.cat([window[:, 1:], token.view(1, 1)], dim=1)
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
