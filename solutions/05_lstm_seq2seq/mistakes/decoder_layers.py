"""The decoder: wrong answers about its layers, axes and results, by name."""

import torch
import torch.nn as nn
import torch.nn.functional as F

from grader.course_source.catalogue import altered, base, mistake

DECODER = "05.Decoder"


@base("plain")
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, state = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), state


altered(
    DECODER, "time_first", "plain", {", batch_first=True": ""}, stage="raises",
    diagnosis="The LSTM takes the first axis for the time, and is given the batch there.",
    next_step="Construct it with `batch_first=True`, or transpose before and after.",
)

altered(
    DECODER, "logits_time_first", "plain",
    {", batch_first=True": "", "(decoder_input)": "(decoder_input.T)"},
    stage="shape",
    diagnosis="The logits come back as (T, B, V); asked for is (B, T, V).",
    next_step="Transpose back after the LSTM.",
)

altered(
    DECODER, "classes_in_the_middle", "plain", {"(hidden),": "(hidden).transpose(1, 2),"}, stage="shape",
    diagnosis="The logits come back as (B, V, T); asked for is (B, T, V).",
    next_step="Leave the axes as the linear layer returns them.",
)

altered(
    DECODER, "last_word_only", "plain", {"(hidden)": "(hidden[:, -1])"}, stage="shape",
    diagnosis="Only the last word's logits come back; every word has logits of its own.",
    next_step="Put all of h through the output layer.",
)

altered(
    DECODER, "one_word_squeezed", "plain", {"(hidden),": "(hidden).squeeze(),"}, stage="shape",
    diagnosis="With one word or one sentence an axis disappears: `squeeze()` drops every axis of size 1.",
    next_step="Leave `squeeze()` out; logits are (B, T, V) also when B or T is 1.",
)

altered(
    DECODER, "probabilities", "plain", {"(hidden),": "(hidden).softmax(dim=-1),"}, stage="values",
    diagnosis="These are probabilities; plain scores were asked for.",
    next_step="Leave the softmax out: the loss and argmax take the scores as they are.",
)

altered(
    DECODER, "log_probabilities", "plain", {"(hidden),": "(hidden).log_softmax(dim=-1),"}, stage="values",
    diagnosis="These are log-probabilities; plain scores were asked for.",
    next_step="Leave the log-softmax out.",
)

altered(
    DECODER, "tanh_before_the_output", "plain", {"(hidden)": "(torch.tanh(hidden))"}, stage="values",
    diagnosis="h goes through another tanh before the output layer.",
    next_step="Put h into the output layer as it is.",
)

altered(
    DECODER, "relu_after_the_output", "plain", {"self.output(hidden)": "F.relu(self.output(hidden))"}, stage="values",
    diagnosis="Scores below 0 are cut off.",
    next_step="Leave the ReLU out: scores may be negative.",
)

altered(
    DECODER, "no_graph", "plain", {"\n\n": "\n\n    @torch.no_grad()\n"}, stage="property",
    diagnosis="Nothing is recorded, so nothing can learn.",
    next_step="No `torch.no_grad()`, `.detach()` or `.data`, and no tensor made of Python numbers (`.item()`, `.tolist()`).",
)

altered(
    DECODER, "padding_row_is_always_0", "plain", {"=pad": "=0"}, stage="values",
    diagnosis="`padding_idx=0` keeps row 0 from learning also when pad is another id and 0 is a word.",
    next_step="Pass `padding_idx=pad`.",
)

altered(
    DECODER, "no_super", "plain", {"\n        super().__init__()\n": "\n"}, stage="raises",
    diagnosis="`super().__init__()` is missing: without it a module cannot hold other modules.",
    next_step="Call `super().__init__()` on the first line of `__init__`.",
)

altered(
    DECODER, "output_under_another_name", "plain",
    {".output ": ".fc ", "self.output(hidden)": "self.fc(hidden)"},
    stage="raises",
    diagnosis="There is no nn.Linear under the name `output`.",
    next_step="Call the attribute `output`: others look for it there.",
)

altered(
    DECODER, "output_without_bias", "plain",
    {"(hidden_dim, vocab_size)": "(hidden_dim, vocab_size, bias=False)"},
    stage="raises",
    diagnosis="The output layer has no bias.",
    next_step="Leave `bias=False` out: the weight and the bias of `output` are set by their names.",
)

altered(
    DECODER, "lstm_under_another_name", "plain",
    {
        ".lstm ": ".rnn ",
        ", state = self.lstm(self.embedding(decoder_input)": ", state = self.rnn(self.embedding(decoder_input)",
    },
    stage="raises",
    diagnosis="There is no nn.LSTM under the name `lstm`.",
    next_step="Call the attribute `lstm`: others look for it there.",
)

altered(
    DECODER, "lstm_without_bias", "plain", {"True": "True, bias=False"}, stage="raises",
    diagnosis="The LSTM has no biases, or not under the names of nn.LSTM.",
    next_step="Leave `bias=False` out: the weights and biases of an nn.LSTM are set by their names.",
)

altered(
    DECODER, "table_under_another_name", "plain",
    {
        ".embedding ": ".emb ",
        "self.lstm(self.embedding(decoder_input), state)": "self.lstm(self.emb(decoder_input), state)",
    },
    stage="raises",
    diagnosis="There is no nn.Embedding under the name `embedding`.",
    next_step="Call the attributes `embedding`, `lstm` and `output`: others look for them there.",
)

altered(
    DECODER, "output_from_the_embedding", "plain",
    {"nn.Linear(hidden_dim, vocab_size)": "nn.Linear(embedding_dim, vocab_size)"},
    stage="raises",
    diagnosis="The output layer takes vectors as wide as the embedding; it takes h, which has hidden_dim numbers.",
    next_step="`nn.Linear(hidden_dim, vocab_size)`.",
)

altered(
    DECODER, "no_pad_parameter", "plain", {", pad=0": "", ", padding_idx=pad": ""}, stage="raises",
    diagnosis="The constructor takes no `pad`.",
    next_step="Give it the signature of the stub: `pad=0` is the fourth parameter.",
)


@mistake(
    DECODER, "only_logits", stage="type",
    diagnosis="Only the logits come back; the next call needs the state as well.",
    next_step="Return `logits, state`.",
)
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
)
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        hidden, (h, c) = self.lstm(self.embedding(decoder_input), state)
        return self.output(hidden), h, c


altered(
    DECODER, "float32_only", "plain", {"(decoder_input),": "(decoder_input).float(),"}, stage="raises",
    diagnosis="The vectors are cast to float32; a float64 decoder cannot take them.",
    next_step="Leave `.float()` out.",
)

altered(
    DECODER, "always_float32", "plain", {"(hidden),": "(hidden).float(),"}, stage="dtype",
    diagnosis="A float64 state gives float32 logits.",
    next_step="Keep the dtype of the state: no `.float()`, and no tensor made of Python numbers (`.item()`, `.tolist()`).",
)


@mistake(
    DECODER, "view_of_the_words", stage="raises",
    diagnosis="`view` fails when decoder_input has gaps in memory.",
    next_step="Use `reshape`, or look decoder_input up as it is.",
)
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


altered(
    DECODER, "bias_left_out", "plain", {"self.output(hidden)": "hidden @ self.output.weight.T"}, stage="values",
    diagnosis="The output layer's bias is left out: its weight was multiplied by hand.",
    next_step="Call `self.output(hidden)`.",
)

altered(
    DECODER, "dropout", "plain",
    {"\n\n": "\n        self.dropout = nn.Dropout(0.3)\n\n", "(hidden)": "(self.dropout(hidden))"},
    stage="values",
    diagnosis="In training mode a dropout layer changes the numbers; nobody asked for one.",
    next_step="Put h into the output layer as it is.",
)
