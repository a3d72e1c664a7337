# exercise 05.Encoder
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pack_sequence, pad_packed_sequence


# right form time_first
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)

    def forward(self, src, lengths):
        vectors = self.embedding(src).transpose(0, 1)
        packed = pack_padded_sequence(vectors, lengths.tolist(), enforce_sorted=False)
        outputs, (h, c) = self.lstm(packed)
        outputs, _ = pad_packed_sequence(outputs, total_length=src.size(1))
        return outputs.transpose(0, 1), [h, c]


# right form sorted_and_put_back
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0, dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, pad)
        self.dropout = nn.Dropout(dropout)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, num_layers=1, batch_first=True)

    def forward(self, src, lengths, verbose=True):
        order = lengths.argsort(descending=True)
        back = torch.empty_like(order)
        back[order] = torch.arange(len(order))
        packed = pack_padded_sequence(self.dropout(self.embedding(src[order])), lengths[order].cpu(), batch_first=True)
        outputs, (h, c) = self.lstm(packed)
        outputs, lens = pad_packed_sequence(outputs, batch_first=True)
        missing = torch.zeros(len(src), src.shape[1] - outputs.shape[1], outputs.shape[2])
        print("lengths", lens)
        return torch.cat([outputs, missing], dim=1)[back], (h[:, back], c.index_select(1, back))


# right form sentence_by_sentence
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        rows, hs, cs = [], [], []
        for sentence, length in zip(src, lengths):
            out, (h, c) = self.lstm(self.embedding(sentence[: int(length)]))
            rows.append(F.pad(out, (0, 0, 0, src.shape[1] - int(length))))
            hs.append(h)
            cs.append(c)
        return torch.stack(rows), (torch.stack(hs, dim=1), torch.stack(cs, dim=1))


# right form own_cell_and_a_mask
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim)
        self.hidden_dim = hidden_dim

    def forward(self, src, lengths):
        params = {name.removesuffix("_l0"): value for name, value in self.lstm.named_parameters()}
        h = c = torch.zeros(len(src), self.hidden_dim)
        outputs = []
        for column in range(src.shape[1]):
            new_h, new_c = lstm_cell(self.embedding(src[:, column]), (h, c), params)
            real = (column < lengths).unsqueeze(1)
            h, c = torch.where(real, new_h, h), torch.where(real, new_c, c)
            outputs.append(torch.where(real, new_h, torch.zeros_like(new_h)))
        return torch.stack(outputs, dim=1), (h[None], c[None])


# right form list_of_packed_sentences
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)
        self.embedding = nn.Embedding(vocab_size, embedding_dim)
        self.pad = pad

    def forward(self, src, lengths):
        sentences = [self.embedding(row[:n]) for row, n in zip(src, lengths.tolist())]
        outputs, state = self.lstm(pack_sequence(sentences, enforce_sorted=False))
        padded, _ = pad_packed_sequence(outputs, batch_first=True, padding_value=0.0, total_length=src.shape[-1])
        return padded, state


# right form word_by_word_in_the_module
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        B, S = src.shape
        h = torch.zeros(1, B, self.lstm.hidden_size)
        c = torch.zeros_like(h)
        outputs = torch.zeros(B, S, self.lstm.hidden_size)
        for t in range(S):
            going = (lengths > t).nonzero().flatten()
            if len(going) == 0:
                break
            out, (new_h, new_c) = self.lstm(self.embedding(src[going, t : t + 1]), (h[:, going], c[:, going]))
            h, c = h.clone(), c.clone()
            h[:, going], c[:, going] = new_h, new_c
            outputs[going, t] = out[:, 0]
        return outputs, (h, c)


# right form float64_inside_and_state_gathered
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        hidden = self.lstm.hidden_size
        W, U = self.lstm.weight_ih_l0.double(), self.lstm.weight_hh_l0.double()
        b, d = self.lstm.bias_ih_l0.double(), self.lstm.bias_hh_l0.double()
        x = F.one_hot(src, self.embedding.num_embeddings).double() @ self.embedding.weight.double()
        h = c = torch.zeros(len(src), hidden, dtype=torch.float64)
        hs, cs = [], []
        for t in range(src.shape[1]):
            i, f, g, o = (x[:, t] @ W.T + h @ U.T + b + d).split(hidden, dim=1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
            hs.append(h)
            cs.append(c)
        hs, cs = torch.stack(hs, 1).float(), torch.stack(cs, 1).float()
        last = (torch.arange(len(src)), lengths - 1)
        outputs = hs.masked_fill(torch.arange(src.shape[1])[None, :, None] >= lengths[:, None, None], 0)
        return outputs, (hs[last][None], cs[last][None])


# survivor True → False
# A packed batch has a layout of its own: batch_first of the LSTM plays no part in it.


# right form sparse_table
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad, sparse=True)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        packed = pack_padded_sequence(self.embedding(src), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.lstm(packed)
        return pad_packed_sequence(outputs, batch_first=True, total_length=src.shape[1])[0], state


# right form sentences_of_one_length_together
class Encoder(nn.Module):
    def __init__(self, vocab_size, embedding_dim, hidden_dim, pad=0, **other):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_dim, padding_idx=pad)
        self.lstm = nn.LSTM(embedding_dim, hidden_dim, batch_first=True)

    def forward(self, src, lengths):
        found = {}
        for length in set(lengths.tolist()):
            rows = [row for row, own in enumerate(lengths.tolist()) if own == length]
            outputs, (h, c) = self.lstm(self.embedding(src[rows, :length]))
            outputs = F.pad(outputs, (0, 0, 0, src.shape[1] - length))
            found |= {row: (outputs[place], h[:, place], c[:, place]) for place, row in enumerate(rows)}
        outputs, h, c = zip(*(found[row] for row in range(len(src))))
        return torch.stack(outputs), [torch.stack(h, dim=1), torch.stack(c, dim=1)]
