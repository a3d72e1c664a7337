"""The decoder: wrong answers about its layers, axes and results, by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import mistake

DECODER = "05.Decoder"


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
