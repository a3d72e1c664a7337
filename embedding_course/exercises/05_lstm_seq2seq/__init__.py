"""Notebook 05: an LSTM by hand, sentences of unequal length, teacher forcing, decoding, attention, beam search, BLEU."""

from .attend import attend
from .beam_search import beam_search
from .bleu import bleu
from .decoder import Decoder
from .encoder import Encoder
from .greedy_decode import greedy_decode
from .lstm_cell import lstm_cell
from .masked_cross_entropy import masked_cross_entropy
from .shift_targets import shift_targets

EXERCISES = (lstm_cell, Encoder, shift_targets, masked_cross_entropy, Decoder, greedy_decode, attend, beam_search, bleu)
