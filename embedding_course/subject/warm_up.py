"""Call once what answers and given cells of the course on embeddings call, before a process is forked.

Forks then do not pay for the first calls. `subject.toml` names the modules that are imported before. Nothing here is an
answer.
"""

import sys
from typing import Any


def warm_up() -> None:
    """Call once what is slow when called first. Starts no thread."""
    import torch

    torch.set_num_threads(1)
    _no_other_devices()
    _no_compiler()
    _libraries()
    _operations()
    _layers()


def _no_other_devices() -> None:
    """Replace the functions with which torch.manual_seed leaves a note for each kind of device that may be used later.

    A note holds the stack, read from its files. No such device is used here, and the notes cost three milliseconds in each
    fork.
    """
    for kind in ("cuda", "mtia", "xpu"):
        for name in (f"torch.{kind}", f"torch.{kind}.random"):
            module = sys.modules.get(name)
            if hasattr(module, "_lazy_call"):
                vars(module)["_lazy_call"] = lambda *_, **__: None


def _no_compiler() -> None:
    """Replace torch.compile by a function that returns the model unchanged.

    Compiling takes seconds, and needs programs that a process in the sandbox cannot start.
    """
    import torch

    def compiled(model: Any = None, **_: Any) -> Any:
        return model if model is not None else lambda function: function

    library: Any = torch
    library.compile = compiled
    library.nn.Module.compile = lambda *_, **__: None


def _libraries() -> None:
    import numpy
    import tiktoken

    tiktoken.Encoding("warm", pat_str=".", mergeable_ranks={bytes([byte]): byte for byte in range(256)}, special_tokens={})
    numpy.random.default_rng(0).normal(size=3)
    if "sklearn.manifold" not in sys.modules:
        return
    import sklearn.manifold
    import sklearn.metrics

    # The first neighbours that scikit-learn seeks make it look for libraries in /proc, which a learner's process has not.
    sklearn.manifold.trustworthiness(numpy.eye(5), numpy.eye(5), n_neighbors=2)
    sklearn.metrics.silhouette_score(numpy.eye(4), [0, 0, 1, 1])


def _operations() -> None:
    import torch

    x = torch.linspace(-1, 1, 12).reshape(3, 4).requires_grad_()
    ids = torch.tensor([0, 2, 2])
    values = [
        x @ x.T, torch.einsum("ij,kj->ik", x, x), x.softmax(-1), x.log_softmax(-1), x.logsumexp(-1), x[ids], x.exp(), x.tanh(),
        x.index_select(0, ids), x.gather(1, ids[:, None]), torch.cat([x, x]), torch.stack([x, x]), x.clamp(-0.5, 0.5),
        x.where(x > 0, 0.0), x.masked_fill(x > 0, 0.0), torch.linalg.vector_norm(x, dim=1), x.norm(dim=-1, keepdim=True),
        x.mean(0), x.var(0), x.cumsum(0), x.sort(-1).values, x.topk(2).values, x.transpose(0, 1).reshape(2, 6), x.roll(1, 0),
        torch.zeros(3, 4).index_add(0, ids, x), torch.zeros(3, 4).scatter_add(0, ids[:, None].expand(3, 4), x), x.sin(),
        torch.nn.functional.cross_entropy(x, ids), torch.nn.functional.normalize(x, dim=-1), x.max(0).values, x.abs().sqrt(),
    ]  # fmt: skip
    torch.stack([value.sum() for value in values]).sum().backward()
    ids.bincount(minlength=4).argsort()
    _ = torch.nn.functional.one_hot(ids, 4), ids.unique(return_inverse=True, return_counts=True), (ids == 2).nonzero()
    _ = torch.tril(torch.ones(3, 3, dtype=torch.bool)), torch.multinomial(torch.ones(3), 1), torch.randn(2).tolist()
    _ = x.detach().numpy().copy(), torch.from_numpy(x.detach().double().numpy()), torch.arange(3.0).equal(torch.arange(3.0))


def _layers() -> None:
    import torch
    from torch import nn, optim

    ids = torch.tensor([[1, 2, 2], [0, 3, 1]])
    used = "torch._dynamo" in sys.modules  # the first optimizer imports it
    for make in (optim.SGD, optim.Adam, optim.AdamW) if used else ():
        table, hidden, head = nn.Embedding(4, 6, max_norm=1.0), nn.Linear(6, 6), nn.Linear(6, 4)
        parameters = [*table.parameters(), *hidden.parameters(), *head.parameters()]
        optimizer = make(parameters, lr=0.1)
        optimizer.zero_grad()
        nn.functional.cross_entropy(head(hidden(table(ids)).tanh()).flatten(0, 1), ids.flatten()).backward()
        optimizer.step()
    sparse = nn.Embedding(4, 6, sparse=True)
    sparse(ids).sum().backward()
    if used:
        optim.SparseAdam(sparse.parameters()).step()
    vectors = torch.randn(2, 3, 6)
    nn.LSTM(6, 6, batch_first=True)(vectors)[0].sum().backward()
    nn.LayerNorm(6)(nn.functional.gelu(vectors))
    nn.functional.scaled_dot_product_attention(vectors, vectors, vectors)
