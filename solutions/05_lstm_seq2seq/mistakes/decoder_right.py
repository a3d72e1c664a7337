# exercise 05.Decoder
import torch
import torch.nn as nn
import torch.nn.functional as F


# right form time_first
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


# right form word_by_word
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


# right form own_cell
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


# right form an_lstm_cell_of_torchs
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


# right form sentence_by_sentence
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


# right form float64_inside
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


# right form lists_and_one_product
class Decoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.output = nn.Linear(hidden_dim, vocab_size)

    def forward(self, decoder_input, state):
        state, scores = tuple(part.contiguous() for part in state), []
        for words in decoder_input.T:
            hidden, state = self.lstm(self.embedding(words)[None], state)
            scores.append(hidden[0] @ self.output.weight.T + self.output.bias)
        return [torch.stack(scores, dim=1), list(state)]
