"""Notebook 05: an LSTM by hand, sentences of unequal length, teacher forcing, decoding, attention."""

from __future__ import annotations

from .attention import attend
from .cell import lstm_cell
from .decoder import Decoder
from .decoding import greedy_decode
from .encoder import Encoder
from .targets import masked_cross_entropy, shift_targets

__all__ = ["EXERCISES"]

EXERCISES = (lstm_cell, Encoder, shift_targets, masked_cross_entropy, Decoder, greedy_decode, attend)
