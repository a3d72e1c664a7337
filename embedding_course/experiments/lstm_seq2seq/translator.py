"""Translate Chinese in one module: an encoder LSTM, a decoder LSTM, and optional attention between them."""

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import rnn


class Batch(NamedTuple):
    """Hold padded sentences: source ids (B, S) with their lengths (B,), decoder input and target, both (B, T)."""

    source: torch.Tensor
    lengths: torch.Tensor
    fed: torch.Tensor
    wanted: torch.Tensor


class Thought(NamedTuple):
    """Hold the encoder's output: h at each word (B, S, H), a mask of words (B, S), and the first state of the decoder."""

    memory: torch.Tensor
    real: torch.Tensor
    state: tuple[torch.Tensor, torch.Tensor]


class Translator(nn.Module):
    """Translate with two tables, two LSTMs, and an output layer.

    Parameters
    ----------
    attention : bool, optional
        Whether each written word may attend to the source words.
    tied : bool, optional
        Whether the decoder's input table and its output layer share one matrix.
    packed : bool, optional
        False for the broken variant that reads the padding too and takes its state after it.
    """

    def __init__(
        self,
        source_size: int,
        target_size: int,
        width: int = 48,
        hidden: int = 64,
        attention: bool = True,
        tied: bool = False,
        packed: bool = True,
    ) -> None:
        super().__init__()
        self.attention, self.packed = attention, packed
        # The learner's attention, if it replaces torch's.
        self.own_attend: Callable[..., tuple[torch.Tensor, torch.Tensor]] | None = None
        self.source_table = nn.Embedding(source_size, width, padding_idx=0)
        self.target_table = nn.Embedding(target_size, width, padding_idx=0)
        self.reader, self.writer = nn.LSTM(width, hidden, batch_first=True), nn.LSTM(width, hidden, batch_first=True)
        self.mix = nn.Linear(2 * hidden if attention else hidden, width if tied else hidden)
        self.score = nn.Linear(self.mix.out_features, target_size)
        if tied:
            nn.init.normal_(self.target_table.weight, std=width**-0.5)
            self.score.weight = self.target_table.weight

    def read(self, source: torch.Tensor, lengths: torch.Tensor) -> Thought:
        """Encode ids (B, S) with the number of words in each row, (B,)."""
        real = torch.arange(source.shape[1]) < lengths[:, None]  # (B, S)
        words = self.source_table(source)
        if not self.packed:
            memory, state = self.reader(words)
            return Thought(memory, real, state)
        memory, state = self.reader(rnn.pack_padded_sequence(words, lengths, True, False))
        return Thought(rnn.pad_packed_sequence(memory, True, total_length=source.shape[1])[0], real, state)

    def write(self, fed: torch.Tensor, thought: Thought) -> tuple[torch.Tensor, Thought]:
        """Return the scores of the next words (B, T, V) for ids (B, T), and the thought with the state after the last id."""
        states, state = self.writer(self.target_table(fed), thought.state)
        if self.attention:
            states = torch.cat([states, self._look(states, thought)], dim=-1)  # (B, T, 2 H)
        return self.score(torch.tanh(self.mix(states))), thought._replace(state=state)

    def _look(self, states: torch.Tensor, thought: Thought) -> torch.Tensor:
        """Return the attention output for each state of the decoder (B, T, H), by torch's attention or by the learner's."""
        memory, real, _ = thought
        if self.own_attend is None:
            return F.scaled_dot_product_attention(states, memory, memory, real[:, None], scale=1.0)
        return torch.stack([self.own_attend(query, memory, real)[0] for query in states.unbind(dim=1)], dim=1)

    def forward(self, batch: Batch) -> torch.Tensor:
        """Return the scores (B, T, V) of a batch."""
        return self.write(batch.fed, self.read(batch.source, batch.lengths))[0]

    @torch.no_grad()
    def looks(self, source: torch.Tensor, fed: torch.Tensor) -> torch.Tensor:
        """Return the attention weights (T, S) of one sentence, ids (S,), for `fed` (T,), which starts with the id of <bos>."""
        thought = self.read(source[None], torch.tensor([len(source)]))
        states, _ = self.writer(self.target_table(fed[None]), thought.state)
        if self.own_attend is None:  # A weighted mean of the rows of an identity matrix equals the weights.
            return F.scaled_dot_product_attention(states, thought.memory, torch.eye(len(source))[None], scale=1.0)[0]
        return torch.cat([self.own_attend(query, thought.memory, thought.real)[1] for query in states.unbind(dim=1)])
