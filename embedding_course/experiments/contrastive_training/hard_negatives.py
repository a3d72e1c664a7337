"""Mine negatives that are hard to tell from the right answer, and train the search engine on them.

The learner's `mine_hard_negatives` chooses them, by the similarities of a trained engine.
"""

from collections.abc import Callable, Collection, Sequence
from copy import deepcopy
from dataclasses import dataclass

import torch

from ...data.api_search import Entry
from ...messages import translatable
from ..training import Batches, descend
from ..training import train as loop
from .search_model import DenseGradients, Encoder
from .search_text import Texts
from .search_training import Trained, similarities

Miner = Callable[..., torch.Tensor]


@dataclass(frozen=True)
class Found:
    """Hold a text near a question: its similarity, its name, and why it should be no negative, if so."""

    similarity: float
    name: str
    remark: str


def namesakes(entries: Sequence[Entry]) -> torch.Tensor:
    """Return a group for each entry (N,): the same for `numpy.sum` and `torch.sum`, which most likely do the same."""
    lasts = [entry.name.rsplit(".", 1)[-1].lower() for entry in entries]
    numbers = {last: number for number, last in enumerate(dict.fromkeys(lasts))}
    return torch.tensor([numbers[last] for last in lasts])


def inspect(encoder: Encoder, entries: Sequence[Entry], name: str, n: int = 8, fitting: Collection[str] = ()) -> list[Found]:
    """Return the texts most similar to the summary of an entry, with a remark on the right one and on false negatives.

    Parameters
    ----------
    encoder : Encoder
        A trained encoder.
    entries : Sequence[Entry]
        The entries whose texts are compared.
    name : str
        Name of the entry.
    n : int, optional
        Number of texts.
    fitting : Collection[str], optional
        Names of further entries that answer the summary. Namesakes count as such without being listed.
    """
    row = next(index for index, entry in enumerate(entries) if entry.name == name)
    scores, groups = similarities(encoder, entries)[row], namesakes(entries)
    texts = []
    for column in scores.argsort(descending=True)[:n].tolist():
        fits = groups[column] == groups[row] or entries[column].name in fitting
        wrong = translatable("fits too: a false negative") if fits else translatable("a hard negative")
        remark = translatable("the right one") if column == row else wrong
        texts.append(Found(scores[column].item(), entries[column].name, remark))
    return texts


def share_of_namesakes(negatives: torch.Tensor, groups: torch.Tensor) -> tuple[float, float]:
    """Return how many negatives (N, k) a row has on average, and the share of them with the name of the right answer."""
    there = negatives >= 0
    same = (groups[negatives.clamp(min=0)] == groups[:, None]) & there
    return there.sum(dim=1).double().mean().item(), (same.sum() / there.sum().clamp(min=1)).item()


def train_on(
    trained: Trained,
    entries: Sequence[Entry],
    info_nce: Callable[..., torch.Tensor],
    negatives: torch.Tensor | None,
    steps: int = 150,
    rate: float = 1e-3,
    batch: int = 128,
    title: str | None = None,
) -> Encoder:
    """Return a copy of the trained encoder after further steps on mined negatives.

    Parameters
    ----------
    trained : Trained
        The engine.
    entries : Sequence[Entry]
        Its training pairs.
    info_nce : Callable[..., torch.Tensor]
        The learner's loss.
    negatives : torch.Tensor or None
        Indices (N, k). Each row of a batch adds one of its negatives for all rows. With None the batches are twice as large and
        have in-batch negatives only, so that as many texts are read.
    steps : int, optional
        Number of steps.
    rate : float, optional
        Learning rate.
    batch : int, optional
        Batch size.
    title : str or None, optional
        With a title a bar shows the progress.
    """
    setting = trained.setting
    torch.manual_seed(setting.seed)
    encoder = deepcopy(trained.encoder).train()
    questions = Texts.of((entry.summary for entry in entries), encoder.words)
    answers = Texts.of((entry.body for entry in entries), encoder.words)
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=rate, weight_decay=setting.decay, fused=True)
    dense = DenseGradients(encoder)
    low, high = setting.drop_answer
    done = 0

    def step(chosen: tuple[torch.Tensor]) -> float:
        nonlocal done
        (rows,) = chosen
        drop = low + (high - low) * torch.rand(()).item()
        asking, extra = ("question", questions.chosen(rows, setting.drop_question)), []
        if negatives is not None:
            drawn = negatives[rows, torch.randint(negatives.shape[1], (len(rows),))]
            drawn = torch.unique(drawn[drawn >= 0])
            drawn = drawn[~torch.isin(drawn, rows)]  # Texts of the batch are negatives already.
            extra = [("answer", answers.chosen(drawn, drop))] if len(drawn) else []
        asked, *hard, answered = encoder.together(asking, *extra, ("answer", answers.chosen(rows, drop)))
        loss = info_nce(asked, answered, setting.scale, *hard)
        for group in optimizer.param_groups:
            group["lr"] = rate * (1 - done / steps)
        done += 1
        return descend(optimizer, loss, dense.fill)

    size = batch if negatives is not None else 2 * batch
    loop(step, Batches((torch.arange(len(entries)),), size, steps, setting.seed), title)
    return encoder.eval()
