"""Right answers: the layers beside attention, and how many numbers they hold."""

import torch


def feed_forward(x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor, b2: torch.Tensor) -> torch.Tensor:
    """Two linear layers with a ReLU between them, applied to each position for itself.

    relu(x w1ᵀ + b1) w2ᵀ + b2 (Vaswani et al. 2017, equation 2). The weights lie as in nn.Linear.

    x        tensor of shape (B, T, d)
    w1, b1   tensors of shapes (d_ff, d) and (d_ff,)
    w2, b2   tensors of shapes (d, d_ff) and (d,)
    returns  tensor of shape (B, T, d), of the dtype of x

    >>> x, w1, w2 = torch.tensor([[[3.0]]]), torch.tensor([[1.0], [-1.0]]), torch.tensor([[10.0, 100.0]])
    >>> feed_forward(x, w1, torch.tensor([0.0, 1.0]), w2, torch.tensor([0.5])).tolist()
    [[[30.5]]]
    """
    hidden = torch.relu(x @ w1.T + b1)  # (B, T, d_ff)
    return hidden @ w2.T + b2


def layer_norm(x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float = 1e-5) -> torch.Tensor:
    """Give every row mean 0 and standard deviation 1, then stretch and shift its columns, as PyTorch does.

    (x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance (the sum of squares divided by d, not by
    d - 1) being those of each row, the last axis (Ba et al. 2016).

    x            tensor of shape (..., d)
    gamma, beta  tensors of shape (d,)
    eps          added to the variance, so that rows of equal numbers stay finite
    returns      tensor of the shape and dtype of x, right to 1e-2 even where a row's mean is 10,000 times its
                 standard deviation

    >>> x = torch.tensor([[1.0, 3.0], [7.0, 7.0]])
    >>> layer_norm(x, torch.tensor([1.0, 1.0]), torch.tensor([0.0, 10.0]), eps=0.0001).round(decimals=3).tolist()
    [[-1.0, 11.0], [0.0, 10.0]]
    """
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)
    return centred / torch.sqrt(variance + eps) * gamma + beta


def count_encoder_parameters(vocab_size: int, d_model: int, layers: int, d_ff: int, attention_bias: bool = False) -> int:
    """How many parameters does a Transformer encoder have?

    There is a token table, and in each layer: attention with four projections from d to d, a feed-forward net from
    d to d_ff and back with biases, and two layer norms (gamma and beta). No positions, no output layer, no last norm.

    vocab_size, d_model, layers, d_ff   the sizes; layers may be 0
    attention_bias                      do the four projections have biases?
    returns                             an int

    >>> count_encoder_parameters(10, 2, 1, 3)
    61
    >>> count_encoder_parameters(100256, 1536, 12, 6144)
    493897728
    """
    attention = 4 * d_model * (d_model + attention_bias)
    feed_forward = d_ff * (d_model + 1) + d_model * (d_ff + 1)
    norms = 2 * 2 * d_model
    return vocab_size * d_model + layers * (attention + feed_forward + norms)
