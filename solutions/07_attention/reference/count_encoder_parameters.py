"""The right answer to 07.count_encoder_parameters."""



def count_encoder_parameters(vocab_size: int, d_model: int, layers: int, d_ff: int, attention_bias: bool = False) -> int:
    """Return the number of parameters of a Transformer encoder.

    There is a token table, and in each layer: attention with four projections from d to d, a feed-forward net from
    d to d_ff and back with biases, and two layer norms (gamma and beta). No positions, no output layer, no last norm.

    vocab_size, d_model, layers, d_ff   the sizes; layers may be 0
    attention_bias                      True if the four projections have biases
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
