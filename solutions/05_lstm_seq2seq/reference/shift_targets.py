"""The right answer to 05.shift_targets."""

import torch


def shift_targets(tgt: torch.Tensor, bos: int, eos: int, pad: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the decoder's input and target for training with the true words (teacher forcing).

    tgt      (B, T) int64, B at least 1: the words of each row, then pad; a row may have no words, and T may be 0
    bos      the id that starts every sentence
    eos      the id that ends every sentence
    pad      the id that fills rows up; the words are none of the three
    returns  decoder_input and decoder_target, both (B, T + 1) int64. The target is the words, then eos, then pad.
             The input at each position is what comes before the target there, bos at the first; where the target is
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
