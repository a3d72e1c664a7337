"""The micro-language can be learned: a small LSTM with attention translates meanings that it has never met."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from embedding_course.data.micro import LANGUAGES, PAD, micro_language

WIDTH, HIDDEN, BATCH, PAIRS, STEPS, RATE = 48, 64, 64, 20_000, 1250, 5e-3


def padded(rows: list[list[int]]) -> torch.Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in rows])


class Translator(nn.Module):
    """Encoder, decoder and dot-product attention from each state of the one to all of the other."""

    def __init__(self, source: int, target: int) -> None:
        super().__init__()
        self.source, self.target = nn.Embedding(source, WIDTH, PAD), nn.Embedding(target, WIDTH, PAD)
        self.encoder, self.decoder = (nn.LSTM(WIDTH, HIDDEN, batch_first=True) for _ in range(2))
        self.mix, self.output = nn.Linear(2 * HIDDEN, HIDDEN), nn.Linear(HIDDEN, target)

    def encode(self, ids: torch.Tensor) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        lengths = (ids != PAD).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(self.source(ids), lengths, batch_first=True, enforce_sorted=False)
        outputs, state = self.encoder(packed)
        return nn.utils.rnn.pad_packed_sequence(outputs, batch_first=True)[0], state

    def forward(self, ids, state, memory, real):  # (B, T), state, (B, S, H), (B, S) -> logits (B, T, V), state
        outputs, state = self.decoder(self.target(ids), state)
        scores = (outputs @ memory.transpose(1, 2)).masked_fill(~real[:, None], -1e9)
        context = scores.softmax(-1) @ memory
        return self.output(torch.tanh(self.mix(torch.cat([outputs, context], -1)))), state


@pytest.mark.long
@pytest.mark.parametrize("source", LANGUAGES)
def test_held_out_meanings_are_translated(source: str) -> None:
    """Measured: 0.990 from Chinese and 0.996 from English, each after some 13 seconds of one core."""
    language = micro_language()
    target = next(name for name in LANGUAGES if name != source)
    here, there = language.vocabulary[source], language.vocabulary[target]
    train = [
        (here.encode(getattr(pair, source)), there.encode(getattr(pair, target))) for pair in language.pairs("train", PAIRS)
    ]
    torch.manual_seed(0)
    model = Translator(len(here), len(there))
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=STEPS, pct_start=0.1)
    for _ in range(STEPS):
        batch = [train[index] for index in torch.randint(PAIRS, (BATCH,)).tolist()]
        ids = padded([sentence for sentence, _ in batch])
        memory, state = model.encode(ids)
        logits, _ = model(padded([[there.bos, *words] for _, words in batch]), state, memory, ids != PAD)
        wanted = padded([[*words, there.eos] for _, words in batch])
        loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()

    test = language.pairs("test", 2000)
    ids = padded([here.encode(getattr(pair, source)) for pair in test])
    with torch.no_grad():
        memory, state = model.encode(ids)
        word, said = torch.full((len(test), 1), there.bos), []
        for _ in range(16):
            logits, state = model(word, state, memory, ids != PAD)
            word = logits.argmax(-1)
            said.append(word)
    found = [there.decode(row) for row in torch.cat(said, 1).tolist()]
    right = sum(one == getattr(pair, target) for one, pair in zip(found, test, strict=True)) / len(test)
    assert right >= 0.98
