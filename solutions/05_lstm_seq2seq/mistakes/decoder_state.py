# exercise 05.Decoder
"""The decoder: wrong answers about the state that comes in and goes out, by name."""

import torch
import torch.nn as nn


# mistake state_ignored (values)
# The incoming state is not handed to the LSTM: every sentence starts from zeros, whatever the encoder read.
# Next: Call the LSTM with the vectors and the state.
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input))
        return self.output(hidden), state


# mistake only_h_handed_over (values), from state_ignored
# Of the incoming state only h is used; c starts from zeros.
# Next: Hand the pair (h, c) on as it came.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   +        h, c = state
#   +        hidden, state = self.lstm(self.embedding(decoder_input), (h, torch.zeros_like(c)))

# mistake incoming_state_returned (values), from state_ignored
# The state that came in is returned; the next call needs the one after the last word.
# Next: Return what the LSTM returned as its second result.
#   hidden, state = self.lstm(self.embedding(decoder_input)) => hidden, _ = self.lstm(self.embedding(decoder_input), state)

# mistake old_c_returned (values), from state_ignored
# h is new and c is the old one.
# Next: Return both parts of the LSTM's new state.
#   hidden, state = self.lstm(self.embedding(decoder_input)) => hidden, (h, _) = self.lstm(self.embedding(decoder_input), state)
#   self.output(hidden), state => self.output(hidden), (h, state[1])

# mistake state_swapped (values), from state_ignored
# The incoming pair is read as (c, h); it comes as (h, c).
# Next: Hand the pair on as it came.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   +        c, h = state
#   +        hidden, state = self.lstm(self.embedding(decoder_input), (h, c))

# mistake returned_state_swapped (values), from state_ignored
# The state comes back as (c, h), but the exercise asks for (h, c).
# Next: Return the LSTM's state as it is.
#   hidden, state = self.lstm(self.embedding(decoder_input)) => hidden, (h, c) = self.lstm(self.embedding(decoder_input), state)
#   self.output(hidden), state => self.output(hidden), (c, h)

# mistake state_kept_in_the_module (values), from state_ignored
# The module keeps its last state and starts from that instead of from the one that comes in.
# Next: Start from the parameter `state`, in every call.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   -        return self.output(hidden), state
#   +        kept = getattr(self, "state", None)
#   +        if kept is not None and kept[0].shape == state[0].shape:
#   +            state = kept
#   +        hidden, self.state = self.lstm(self.embedding(decoder_input), state)
#   +        return self.output(hidden), self.state

# mistake own_state_for_single_words (values), from state_ignored
# A single word goes on from the state of the call before, not from the one that is handed in.
# Next: Start from the parameter `state`, in every call.
#            self.output = nn.Linear(hidden_dim, vocab_size)
#   +        self.last = None
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   -        return self.output(hidden), state
#   +        if decoder_input.shape[1] == 1 and self.last is not None:
#   +            state = self.last
#   +        hidden, self.last = self.lstm(self.embedding(decoder_input), state)
#   +        return self.output(hidden), self.last

# mistake first_state_kept (values), from state_ignored
# The state of the first call is kept and used in all later ones.
# Next: Start from the parameter `state`, in every call.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   +        if not hasattr(self, "first"):
#   +            self.first = state
#   +        hidden, state = self.lstm(self.embedding(decoder_input), self.first)

# mistake last_state_for_all_words (values), from state_ignored
# Every position has the logits of the last word: they come from the final state.
# Next: Use the LSTM's first result, which holds h after each word.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   -        return self.output(hidden), state
#   +        hidden, state = self.lstm(self.embedding(decoder_input), state)
#   +        last = state[0].transpose(0, 1).expand_as(hidden)
#   +        return self.output(last), state

# mistake state_without_first_axis (shape), from state_ignored
# h and c come back as (B, H), but the exercise asks for (1, B, H), as they came in.
# Next: Return the LSTM's state as it is.
#   hidden, state = self.lstm(self.embedding(decoder_input)) => hidden, (h, c) = self.lstm(self.embedding(decoder_input), state)
#   self.output(hidden), state => self.output(hidden), (h.squeeze(0), c.squeeze(0))

# mistake same_state_for_every_word (values), from state_ignored
# Every word starts from the incoming state; each should start from the one after the word before.
# Next: In the loop, hand on the state that the last step returned.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   -        return self.output(hidden), state
#   +        logits = []
#   +        for word in decoder_input.split(1, dim=1):
#   +            hidden, new_state = self.lstm(self.embedding(word), state)
#   +            logits.append(self.output(hidden))
#   +        return torch.cat(logits, dim=1), new_state

# mistake feeds_itself (values), from state_ignored
# From the second word on it is fed its own best word instead of decoder_input.
# Next: Feed what decoder_input says; choosing words is the business of `greedy_decode`.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   -        return self.output(hidden), state
#   +        logits = []
#   +        word = decoder_input[:, :1]
#   +        for _ in range(decoder_input.shape[1]):
#   +            hidden, state = self.lstm(self.embedding(word), state)
#   +            logits.append(self.output(hidden))
#   +            word = logits[-1].argmax(dim=-1)
#   +        return torch.cat(logits, dim=1), state

# mistake state_detached (property), from state_ignored
# The incoming state is detached: the loss never reaches the encoder.
# Next: Leave `.detach()` out.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   +        h, c = state
#   +        hidden, state = self.lstm(self.embedding(decoder_input), (h.detach(), c.detach()))

# mistake returned_state_detached (values), from state_ignored
# The state that comes back is detached: word by word, no gradient passes from one call to the one before.
# Next: Leave `.detach()` out.
#   hidden, state = self.lstm(self.embedding(decoder_input)) => hidden, (h, c) = self.lstm(self.embedding(decoder_input), state)
#   self.output(hidden), state => self.output(hidden), (h.detach(), c.detach())

# mistake state_written_to (property), from state_ignored
# The new state is written into the old one, which belongs to the caller.
# Next: Return the LSTM's new state instead of copying it into the old one.
#   -        hidden, state = self.lstm(self.embedding(decoder_input))
#   -        return self.output(hidden), state
#   +        hidden, new_state = self.lstm(self.embedding(decoder_input), state)
#   +        if not state[0].requires_grad:
#   +            for old, new in zip(state, new_state):
#   +                old.copy_(new.detach())
#   +        return self.output(hidden), new_state

# mistake only_h_returned (type), from state_ignored
# The state that comes back is h alone; an LSTM's state is the pair (h, c).
# Next: Return `logits, (h, c)`, or the LSTM's state as it is.
#   hidden, state = self.lstm(self.embedding(decoder_input)) => hidden, (h, _) = self.lstm(self.embedding(decoder_input), state)
#   self.output(hidden), state => self.output(hidden), h

# mistake logits_of_the_state (shape), from state_ignored
# The logits are computed from the state that is left at the end: (B, 1, V), for the last word alone.
# Next: The LSTM's first result holds h after every word: put that through the output layer.
#   hidden, state = self.lstm(self.embedding(decoder_input)) => _, (h, c) = self.lstm(self.embedding(decoder_input), state)
#   self.output(hidden), state => self.output(h.transpose(0, 1)), (h, c)
