"""Generate loans of books to readers, so that the true preferences are known.

Every book has a genre and a popularity; a few books are very popular and most are not (Zipf's law). Every reader likes two
genres. A loan is drawn with a probability proportional to popularity × liking; the last loan of each reader is held out.
"""

from dataclasses import dataclass

import torch

GENRES = ("crime", "love", "history", "science", "travel", "cooking", "poetry", "sports")
LIKING = (12.0, 6.0, 1.0)  # Weights of the reader's first genre, second genre, other genres.


@dataclass(frozen=True)
class Loans:
    """Hold the loans and the probabilities that made them.

    Attributes
    ----------
    taken : torch.Tensor
        Books that each reader took, in order, none twice, (U, L).
    next_one : torch.Tensor
        The held-out loan after these, (U,).
    genre : torch.Tensor
        Genre of each book, (I,). This and the following are the truth, which no model is shown.
    likes : torch.Tensor
        The two genres that each reader likes, (U, 2).
    chances : torch.Tensor
        Probability of each reader to take each book first, (U, I).
    """

    taken: torch.Tensor
    next_one: torch.Tensor
    genre: torch.Tensor
    likes: torch.Tensor
    chances: torch.Tensor

    @property
    def books(self) -> int:
        """Return the number of books."""
        return len(self.genre)

    def seen(self) -> torch.Tensor:
        """Return which reader has taken which book already, bool (U, I)."""
        seen = torch.zeros(len(self.taken), self.books, dtype=torch.bool)
        return seen.scatter_(1, self.taken, True)

    def popularity(self) -> torch.Tensor:
        """Return how often each book was taken, without the held-out loans, (I,)."""
        return torch.bincount(self.taken.flatten(), minlength=self.books)


def loans(readers: int = 2000, books: int = 300, each: int = 15, seed: int = 0) -> Loans:
    """Return loans of readers, with one held out for each reader; the same seed gives the same loans.

    Parameters
    ----------
    readers, books : int, optional
        Number of readers, and of books.
    each : int, optional
        Number of loans of each reader to learn from; one more is held out.
    seed : int, optional
        Seed of the random numbers, 0 or more.

    Raises
    ------
    ValueError
        For a negative seed, no readers or loans, or more loans per reader than books.

    Examples
    --------
    >>> loans(3, 40, 5).taken.shape
    torch.Size([3, 5])
    """
    if seed < 0:
        raise ValueError(f"seed {seed}: it is 0 or more")
    if readers < 1 or each < 1:
        raise ValueError(f"{readers} readers with {each} loans each: at least one of both is needed")
    if each + 1 > books:
        raise ValueError(f"a reader takes no book twice: {books} books allow at most {books - 1} loans each, not {each}")
    generator = torch.Generator().manual_seed(seed)
    genre = torch.randint(len(GENRES), (books,), generator=generator)
    popularity = 1 / (torch.randperm(books, generator=generator) + 10.0)
    likes = torch.stack([torch.randperm(len(GENRES), generator=generator)[:2] for _ in range(readers)])
    liking = torch.full((readers, books), LIKING[2])
    liking[genre == likes[:, 1:]] = LIKING[1]
    liking[genre == likes[:, :1]] = LIKING[0]
    chances = liking * popularity
    drawn = torch.multinomial(chances, each + 1, generator=generator)
    return Loans(drawn[:, :-1], drawn[:, -1], genre, likes, chances / chances.sum(dim=1, keepdim=True))
