# exercise 07.TinyLM
import torch
import torch.nn as nn
import torch.nn.functional as F


# right form tied_linear_layer_and_buffers
class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length):
        super().__init__()
        self.token_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        for table in (self.token_table, self.position_table):
            nn.init.normal_(table.weight, std=0.02)
        self.blocks = nn.ModuleList(TransformerBlock(d_model, heads, d_ff, norm="pre") for _ in range(layers))
        self.norm = nn.LayerNorm(d_model)
        self.output = nn.Linear(d_model, vocab_size, bias=False)
        self.output.weight = self.token_table.weight
        self.register_buffer("positions", torch.arange(max_length))
        self.register_buffer("mask", causal_mask(max_length), persistent=False)
        self.max_length = max_length

    def forward(self, ids):
        batch, length = ids.shape
        if length > self.max_length:
            raise ValueError("too long")
        x = self.token_table(ids) + self.position_table(self.positions[:length]).expand(batch, -1, -1)
        for block in self.blocks:
            x = block(x, mask=self.mask[:length, :length])
        return self.output(self.norm(x))


# right form functions_of_torch
class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length):
        super(TinyLM, self).__init__()
        self.token_table, self.position_table = nn.Embedding(vocab_size, d_model), nn.Embedding(max_length, d_model)
        self.blocks = nn.ModuleList()
        for _ in range(layers):
            self.blocks.append(TransformerBlock(d_model, heads, d_ff))
        self.norm = nn.LayerNorm((d_model,), eps=1e-6)

    def forward(self, ids):
        T = ids.size(-1)
        assert ids.dim() == 2
        if T > len(self.position_table.weight):
            raise ValueError
        x = F.embedding(ids, self.token_table.weight) + self.position_table.weight[:T]
        seen = torch.arange(T)[:, None] >= torch.arange(T)
        for i in range(len(self.blocks)):
            x = self.blocks[i](x, seen[None, None])
        x = F.layer_norm(x, x.shape[-1:], self.norm.weight, self.norm.bias, self.norm.eps)
        return F.linear(x, self.token_table.weight)


# right form sentence_by_sentence_with_einsum
class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length):
        super().__init__()
        self.token_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        blocks = []
        for _ in range(layers):
            blocks.append(TransformerBlock(d_model, heads, d_ff))
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(d_model)

    def one(self, row):
        vectors = [self.token_table.weight[word] + self.position_table.weight[at] for at, word in enumerate(row.tolist())]
        x = torch.stack(vectors)[None]
        for block in self.blocks:
            x = block(x, causal_mask(len(row)))
        return torch.einsum("td,vd->tv", self.norm(x)[0], self.token_table.weight)

    def forward(self, ids):
        if ids.shape[1] > self.position_table.weight.shape[0]:
            raise ValueError(f"at most {self.position_table.weight.shape[0]} words")
        return torch.stack([self.one(row) for row in ids])


# right form a_text_that_grows
class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length, dropout=0.0):
        super().__init__()
        self.d_model, self.longest = d_model, max_length
        self.token_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.blocks = nn.Sequential(*[TransformerBlock(d_model, heads, d_ff) for _ in range(layers)])
        self.norm = nn.LayerNorm(d_model)
        self.layers, self.dropout = self.blocks, nn.Dropout(dropout)

    def last(self, ids):
        x = self.token_table(ids) + self.position_table(torch.arange(ids.shape[1]).expand_as(ids))
        for block in self.blocks:
            x = block(self.dropout(x), causal_mask(ids.shape[1]))
        return torch.matmul(self.norm(x[:, -1]), self.token_table.weight.t())

    def forward(self, ids):
        if ids.shape[1] > self.longest:
            raise ValueError("no position left")
        print("logits for", tuple(ids.shape))
        return torch.stack([self.last(ids[:, : end + 1]) for end in range(ids.shape[1])], dim=1)


# right form one_hot_products
class TinyLM(nn.Module):
    def __init__(self, vocab_size, d_model, heads, layers, d_ff, max_length):
        super().__init__()
        self.token_table = nn.Embedding(vocab_size, d_model)
        self.position_table = nn.Embedding(max_length, d_model)
        self.norm = nn.LayerNorm(d_model)
        self.blocks = nn.ModuleList([TransformerBlock(d_model, heads, d_ff) for _ in range(layers)])

    def forward(self, ids):
        table, places = self.token_table.weight, self.position_table.weight
        if ids.shape[1] > len(places):
            raise ValueError("longer than max_length")
        x = F.one_hot(ids, len(table)).to(table.dtype) @ table
        x = x + torch.eye(len(places), dtype=table.dtype)[: ids.shape[1]] @ places
        mask = torch.ones(ids.shape[1], ids.shape[1], dtype=torch.bool).tril()
        for block in self.blocks:
            x = block(x, mask)
        return (self.norm(x).unsqueeze(-2) * table).sum(dim=-1)
