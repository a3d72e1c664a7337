"""Wrong answers about the decoder by name, and unusual right ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.catalogue import mistake, right_form

DECODER = "05.Decoder"


@mistake(
    DECODER, "state_ignored", stage="values",
    diagnosis="The incoming state is not handed to the LSTM: every sentence starts from zeros, whatever the encoder read.",
    next_step="Call the LSTM with the vectors and the state.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
    DECODER, "time_first", stage="raises",
    diagnosis="The LSTM takes the first axis for the time, and is given the batch there.",
    next_step="Construct it with `batch_first=True`, or transpose before and after.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "logits_time_first", stage="shape",
    diagnosis="The logits come back as (T, B, V); asked for is (B, T, V).",
    next_step="Transpose back after the LSTM.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input.T), state)
        return self.output(hidden), state


@mistake(
    DECODER, "classes_in_the_middle", stage="shape",
    diagnosis="The logits come back as (B, V, T); asked for is (B, T, V).",
    next_step="Leave the axes as the linear layer returns them.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden).transpose(1, 2), state


@mistake(
    DECODER, "last_word_only", stage="shape",
    diagnosis="Only the last word's logits come back; every word has logits of its own.",
    next_step="Put all of h through the output layer.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden[:, -1]), state


@mistake(
    DECODER, "last_state_for_all_words", stage="values",
    diagnosis="Every place has the logits of the last word: they come from the final state.",
    next_step="Use the LSTM's first result, which holds h after each word.",
)  # fmt: skip
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
    DECODER, "one_word_squeezed", stage="shape",
    diagnosis="With one word or one sentence an axis disappears: `squeeze()` drops every axis of size 1.",
    next_step="Leave `squeeze()` out; logits are (B, T, V) also when B or T is 1.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden).squeeze(), state


@mistake(
    DECODER, "state_without_first_axis", stage="shape",
    diagnosis="h and c come back as (B, H); asked for is (1, B, H), as they came in.",
    next_step="Return the LSTM's state as it is.",
)  # fmt: skip
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
    DECODER, "probabilities", stage="values",
    diagnosis="These are probabilities; plain scores were asked for.",
    next_step="Leave the softmax out: the loss and argmax take the scores as they are.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden).softmax(dim=-1), state


@mistake(
    DECODER, "log_probabilities", stage="values",
    diagnosis="These are log-probabilities; plain scores were asked for.",
    next_step="Leave the log-softmax out.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden).log_softmax(dim=-1), state


@mistake(
    DECODER, "tanh_before_the_output", stage="values",
    diagnosis="h goes through another tanh before the output layer.",
    next_step="Put h into the output layer as it is.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(torch.tanh(hidden)), state


@mistake(
    DECODER, "relu_after_the_output", stage="values",
    diagnosis="Scores below 0 are cut off.",
    next_step="Leave the ReLU out: scores may be negative.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return F.relu(self.output(hidden)), state


@mistake(
    DECODER, "same_state_for_every_word", stage="values",
    diagnosis="Every word starts from the incoming state; each should start from the one after the word before.",
    next_step="In the loop, hand on the state that the last step returned.",
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
)  # fmt: skip
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
    DECODER, "no_graph", stage="property",
    diagnosis="Nothing is recorded, so nothing can learn.",
    next_step="Leave `torch.no_grad()` out.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    @torch.no_grad()
    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "padding_row_is_always_0", stage="values",
    diagnosis="`padding_idx=0` keeps row 0 from learning also when pad is another id and 0 is a word.",
    next_step="Pass `padding_idx=pad`.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=0)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "no_super", stage="raises",
    diagnosis="`super().__init__()` is missing: without it a module cannot hold other modules.",
    next_step="Call `super().__init__()` on the first line of `__init__`.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "output_under_another_name", stage="raises",
    diagnosis="There is no nn.Linear under the name `output`.",
    next_step="Call the attribute `output`: others look for it there.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.fc = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.fc(hidden), state


@mistake(
    DECODER, "output_without_bias", stage="raises",
    diagnosis="The output layer has no bias.",
    next_step="Leave `bias=False` out: the weight and the bias of `output` are set by their names.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size, bias=False)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "lstm_under_another_name", stage="raises",
    diagnosis="There is no nn.LSTM under the name `lstm`.",
    next_step="Call the attribute `lstm`: others look for it there.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.rnn = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.rnn(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "lstm_without_bias", stage="raises",
    diagnosis="The LSTM has no biases, or not under the names of nn.LSTM.",
    next_step="Leave `bias=False` out: the weights and biases of an nn.LSTM are set by their names.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True, bias=False)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "table_under_another_name", stage="raises",
    diagnosis="There is no nn.Embedding under the name `embedding`.",
    next_step="Call the attributes `embedding`, `lstm` and `output`: others look for them there.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.emb(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "output_from_the_embedding", stage="raises",
    diagnosis="The output layer takes vectors as wide as the embedding; it takes h, which has hidden_dim numbers.",
    next_step="`nn.Linear(hidden_dim, vocab_size)`.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(embedding_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "no_pad_parameter", stage="raises",
    diagnosis="The constructor takes no `pad`.",
    next_step="Give it the signature of the stub: `pad=0` is the fourth parameter.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


@mistake(
    DECODER, "only_logits", stage="type",
    diagnosis="Only the logits come back; the next call needs the state as well.",
    next_step="Return `logits, state`.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, _ = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden)


@mistake(
    DECODER, "three_results", stage="type",
    diagnosis="logits, h and c come back as three results; asked for is the pair of logits and state.",
    next_step="Return `logits, (h, c)`.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, (h, c) = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), h, c


@mistake(
    DECODER, "state_written_to", stage="property",
    diagnosis="The new state is written into the old one, which belongs to the caller.",
    next_step="Return the LSTM's new state instead of copying it into the old one.",
)  # fmt: skip
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
    DECODER, "float32_only", stage="raises",
    diagnosis="The vectors are cast to float32; a float64 decoder cannot take them.",
    next_step="Leave `.float()` out.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input).float(), state)
        return self.output(hidden), state


@mistake(
    DECODER, "always_float32", stage="dtype",
    diagnosis="A float64 state gives float32 logits.",
    next_step="Leave `.float()` out.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden).float(), state


@mistake(
    DECODER, "view_of_the_words", stage="raises",
    diagnosis="`view` fails when decoder_input has gaps in memory.",
    next_step="Use `reshape`, or look decoder_input up as it is.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        vectors = self.embedding(decoder_input.view(-1)).view(*decoder_input.shape, -1)
        hidden, state = self.lstm(vectors, state)
        return self.output(hidden), state


@mistake(
    DECODER, "bias_left_out", stage="values",
    diagnosis="The output layer's bias is left out: its weight was multiplied by hand.",
    next_step="Call `self.output(hidden)`.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return hidden @ self.output.weight.T, state


@mistake(
    DECODER, "dropout", stage="values",
    diagnosis="In training mode a dropout layer changes the numbers; nobody asked for one.",
    next_step="Put h into the output layer as it is.",
)  # fmt: skip
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.dropout = nn.Dropout(0.3)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(self.dropout(hidden)), state


@right_form(DECODER, "time_first")
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0, dropout=0.0):
        super().__init__()
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, decoder_input, state, verbose=False):
        hidden, (h, c) = self.lstm(self.dropout(self.embedding(decoder_input.t())), state)
        print(hidden.shape)
        return self.output(hidden).transpose(0, 1), [h, c]


@right_form(DECODER, "word_by_word")
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        logits = []
        for t in range(decoder_input.size(1)):
            hidden, state = self.lstm(self.embedding(decoder_input[:, t]).unsqueeze(1), state)
            logits.append(self.output(hidden.squeeze(1)))
        return torch.stack(logits, dim=1), state


@right_form(DECODER, "own_cell")
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        params = {name[:-3]: value for name, value in self.lstm.named_parameters()}
        h, c = state[0][0], state[1][0]
        hidden = []
        for words in decoder_input.unbind(dim=1):
            h, c = lstm_cell(self.embedding(words), (h, c), params)
            hidden.append(h)
        logits = torch.einsum("bth,vh->btv", torch.stack(hidden, dim=1), self.output.weight) + self.output.bias
        return logits, (h.unsqueeze(0), c.unsqueeze(0))


@right_form(DECODER, "an_lstm_cell_of_torchs")
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTMCell(embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        h, c = (part.squeeze(0) for part in state)
        logits = []
        for column in range(decoder_input.shape[1]):
            h, c = self.lstm(self.embedding(decoder_input[:, column]), (h, c))
            logits.append(self.output(h))
        return torch.stack(logits, 1), (h[None], c[None])


@right_form(DECODER, "sentence_by_sentence")
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        logits, hs, cs = [], [], []
        for row, sentence in enumerate(decoder_input):
            hidden, (h, c) = self.lstm(self.embedding(sentence), (state[0][:, row], state[1][:, row]))
            logits.append(self.output(hidden))
            hs.append(h)
            cs.append(c)
        return torch.stack(logits), (torch.stack(hs, dim=1), torch.stack(cs, dim=1))


@right_form(DECODER, "float64_inside")
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)
        self.last = None

    def forward(self, decoder_input, state):
        kind = state[0].dtype
        hidden, state = torch.func.functional_call(
            self.lstm,
            {name: value.double() for name, value in self.lstm.named_parameters()},
            (F.embedding(decoder_input, self.embedding.weight).double(), tuple(part.double() for part in state)),
        )
        self.last = state[0].detach()
        logits = F.linear(hidden, self.output.weight.double(), self.output.bias.double())
        return logits.to(kind), tuple(part.to(kind) for part in state)
