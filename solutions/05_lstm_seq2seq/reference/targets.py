"""Right answers to notebook 05: teacher forcing and its loss."""

import torch
import torch.nn.functional as F


def shift_targets(tgt: torch.Tensor, bos: int, eos: int, pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What the decoder is fed, and what it should say, when it is taught with the true words (teacher forcing).

    tgt      (B, T) int64, B at least 1: the words of each row, then pad; a row may have no words, and T may be 0
    bos      the id that starts every sentence
    eos      the id that ends every sentence
    pad      the id that fills rows up; the words are none of the three
    returns  decoder_input and decoder_target, both (B, T + 1) int64. The target is the words, then eos, then pad.
             The input at each place is what comes before the target there, bos at the first; where the target is
             pad it does not matter

    >>> decoder_input, decoder_target = shift_targets(torch.tensor([[7, 8, 9], [5, 0, 0]]), bos=1, eos=2, pad=0)
    >>> decoder_target
    tensor([[7, 8, 9, 2],
            [5, 2, 0, 0]])
    >>> decoder_input[0]
    tensor([1, 7, 8, 9])
    """
    rows = len(tgt)
    decoder_input = torch.cat([tgt.new_full((rows, 1), bos), tgt], dim=1)  # (B, T + 1)
    decoder_target = torch.cat([tgt, tgt.new_full((rows, 1), pad)], dim=1)  # (B, T + 1)
    lengths = (tgt != pad).sum(dim=1)  # (B,)
    decoder_target[torch.arange(rows), lengths] = eos
    return decoder_input, decoder_target


def masked_cross_entropy(logits: torch.Tensor, targets: torch.Tensor, pad: int) -> torch.Tensor:
    """The mean over all real words of -log softmax(logits)[target].

    logits   (B, T, V), values up to 1e4
    targets  (B, T) int64: words, then pad
    pad      the id that does not count; it may lie outside 0 to V - 1
    returns  a 0-d tensor of the logits' dtype, with a graph; 0 when there is no real word

    >>> targets = torch.tensor([[1, 2], [1, 0]])
    >>> masked_cross_entropy(torch.zeros(2, 2, 3), targets, pad=0)  # log 3
    tensor(1.0986)
    >>> masked_cross_entropy(torch.zeros(1, 2, 3), torch.tensor([[0, 0]]), pad=0)
    tensor(0.)
    """
    flat = logits.reshape(-1, logits.shape[-1])  # (B * T, V)
    total = F.cross_entropy(flat, targets.reshape(-1), ignore_index=pad, reduction="sum")
    return total / (targets != pad).sum().clamp(min=1)
