"""The option `--seed` of several commands."""

from typing import Annotated

import typer

from embedding_course.checking.seed import SEED_BITS


def _read(text: str) -> int:
    """Read a seed as it is printed or stored: a whole number, or hexadecimal with 0x in front."""
    from embedding_course.checking.expected import PUBLIC_SEED

    try:
        seed = int(text, 0)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no whole number; a seed is one as 7, or as 0x1f.") from None
    if not 0 <= seed < 2**SEED_BITS:
        raise typer.BadParameter(f"A seed is between 0 and 2 to the power of {SEED_BITS}; {text} is not.")
    if seed == PUBLIC_SEED:
        raise typer.BadParameter(f"{seed} is the seed of the public cases, whose inputs every learner has: choose another one.")
    return seed


Seed = Annotated[
    int | None,
    typer.Option(
        parser=_read, metavar="NUMBER", help="The seed of the hidden cases, to repeat an earlier run; drawn unless said."
    ),
]
