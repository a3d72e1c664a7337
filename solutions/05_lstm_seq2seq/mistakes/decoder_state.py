"""The decoder: wrong answers about the state that comes in and goes out, by name."""

import torch
import torch.nn as nn

from grader.course_source.catalogue import mistake

DECODER = "05.Decoder"


@mistake(
    DECODER, "state_ignored", stage="values",
    diagnosis="The incoming state is not handed to the LSTM: every sentence starts from zeros, whatever the encoder read.",
    next_step="Call the LSTM with the vectors and the state.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input))
        return self.output(hidden), state


@mistake(
    DECODER, "only_h_handed_over", stage="values",
    diagnosis="Of the incoming state only h is used; c starts from zeros.",
    next_step="Hand the pair (h, c) on as it came.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        h, c = state
        hidden, state = self.lstm(self.embedding(decoder_input), (h, torch.zeros_like(c)))
        return self.output(hidden), state


@mistake(
    DECODER, "incoming_state_returned", stage="values",
    diagnosis="The state that came in is returned; the next call needs the one after the last word.",
    next_step="Return what the LSTM returned as its second result.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, _ = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "old_c_returned", stage="values",
    diagnosis="h is new and c is the old one.",
    next_step="Return both parts of the LSTM's new state.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, (h, _) = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), (h, state[1])


@mistake(
    DECODER, "state_swapped", stage="values",
    diagnosis="The incoming pair is read as (c, h); it comes as (h, c).",
    next_step="Hand the pair on as it came.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        c, h = state
        hidden, state = self.lstm(self.embedding(decoder_input), (h, c))
        return self.output(hidden), state


@mistake(
    DECODER, "returned_state_swapped", stage="values",
    diagnosis="The state comes back as (c, h); asked for is (h, c).",
    next_step="Return the LSTM's state as it is.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, (h, c) = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), (c, h)


@mistake(
    DECODER, "state_kept_in_the_module", stage="values",
    diagnosis="The module keeps its last state and starts from that instead of from the one that comes in.",
    next_step="Start from the parameter `state`, in every call.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        kept = getattr(self, "state", None)
        if kept is not None and kept[0].shape == state[0].shape:
            state = kept
        hidden, self.state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), self.state


@mistake(
    DECODER, "own_state_for_single_words", stage="values",
    diagnosis="A single word goes on from the state of the call before, not from the one that is handed in.",
    next_step="Start from the parameter `state`, in every call.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.last = None

    def forward(self, decoder_input, state):
        if decoder_input.shape[1] == 1 and self.last is not None:
            state = self.last
        hidden, self.last = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), self.last


@mistake(
    DECODER, "first_state_kept", stage="values",
    diagnosis="The state of the first call is kept and used in all later ones.",
    next_step="Start from the parameter `state`, in every call.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        if not hasattr(self, "first"):
            self.first = state
        hidden, state = self.lstm(self.embedding(decoder_input), self.first)
        return self.output(hidden), state


@mistake(
    DECODER, "last_state_for_all_words", stage="values",
    diagnosis="Every position has the logits of the last word: they come from the final state.",
    next_step="Use the LSTM's first result, which holds h after each word.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        last = state[0].transpose(0, 1).expand_as(hidden)
        return self.output(last), state


@mistake(
    DECODER, "state_without_first_axis", stage="shape",
    diagnosis="h and c come back as (B, H); asked for is (1, B, H), as they came in.",
    next_step="Return the LSTM's state as it is.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, (h, c) = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), (h.squeeze(0), c.squeeze(0))


@mistake(
    DECODER, "same_state_for_every_word", stage="values",
    diagnosis="Every word starts from the incoming state; each should start from the one after the word before.",
    next_step="In the loop, hand on the state that the last step returned.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        logits = []
        for word in decoder_input.split(1, dim=1):
            hidden, new_state = self.lstm(self.embedding(word), state)
            logits.append(self.output(hidden))
        return torch.cat(logits, dim=1), new_state


@mistake(
    DECODER, "feeds_itself", stage="values",
    diagnosis="From the second word on it is fed its own best word instead of decoder_input.",
    next_step="Feed what decoder_input says; choosing words is the business of `greedy_decode`.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        logits = []
        word = decoder_input[:, :1]
        for _ in range(decoder_input.shape[1]):
            hidden, state = self.lstm(self.embedding(word), state)
            logits.append(self.output(hidden))
            word = logits[-1].argmax(dim=-1)
        return torch.cat(logits, dim=1), state


@mistake(
    DECODER, "state_detached", stage="property",
    diagnosis="The incoming state is detached: the loss never reaches the encoder.",
    next_step="Leave `.detach()` out.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        h, c = state
        hidden, state = self.lstm(self.embedding(decoder_input), (h.detach(), c.detach()))
        return self.output(hidden), state


@mistake(
    DECODER, "returned_state_detached", stage="values",
    diagnosis="The state that comes back is detached: word by word, no gradient passes from one call to the one before.",
    next_step="Leave `.detach()` out.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, (h, c) = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), (h.detach(), c.detach())


@mistake(
    DECODER, "state_written_to", stage="property",
    diagnosis="The new state is written into the old one, which belongs to the caller.",
    next_step="Return the LSTM's new state instead of copying it into the old one.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, new_state = self.lstm(self.embedding(decoder_input), state)
        if not state[0].requires_grad:
            for old, new in zip(state, new_state):
                old.copy_(new.detach())
        return self.output(hidden), new_state


@mistake(
    DECODER, "only_h_returned", stage="type",
    diagnosis="The state that comes back is h alone; an LSTM's state is the pair (h, c).",
    next_step="Return `logits, (h, c)`, or the LSTM's state as it is.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, (h, _) = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), h


@mistake(
    DECODER, "logits_of_the_state", stage="shape",
    diagnosis="The logits are computed from the state that is left at the end: (B, 1, V), for the last word alone.",
    next_step="The LSTM's first result holds h after every word: put that through the output layer.",
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        _, (h, c) = self.lstm(self.embedding(decoder_input), state)
        return self.output(h.transpose(0, 1)), (h, c)
