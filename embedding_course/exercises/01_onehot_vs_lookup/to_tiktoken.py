"""The learned tokenizer in tiktoken's engine: cases and comparison."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import tiktoken

from ...checking.exercise import Case, Criterion, Exercise, NamedParts, RandomInputs
from . import corpora
from .merge_tables import CHINESE, SEAM_TABLE, SEAMS, Merges, across, learned, learned_in_pieces
from .texts import mixed_text


def _run(candidate: Callable[..., Any], merges: Merges, texts: Sequence[str], **options: Any) -> NamedParts:
    """Encode and decode with what the learner made; numbers and strings come back."""
    encoding = candidate(merges, **options)
    if not isinstance(encoding, tiktoken.Encoding):
        raise TypeError(f"a tiktoken.Encoding should be returned; it was of type {type(encoding).__name__}")
    ids = [encoding.encode(text) for text in texts]
    return NamedParts({
        "ids": ids,
        "decoded texts": [encoding.decode(text_ids) for text_ids in ids],
        "bytes of single tokens": [
            list(encoding.decode_single_token_bytes(token)) for token in (0, 128, 255, *merges.values())
        ],
        "number of ids": encoding.n_vocab,
        "special tokens": sorted(encoding.special_tokens_set),
    })


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, merges: Merges, texts: list[str], criterion: str, because: str = "", **options: str) -> Case:
        given = f", pattern={options['pattern']!r}" if options else ""
        call = f"to_tiktoken(merges{given}).encode(text) for the {len(merges)} merges and the texts {texts!r}"
        return Case(name, {"merges": merges, "texts": texts}, criterion, options, call, because)

    merges, words = learned(draw)
    same = "The engine must give the ids that bpe_encode gives."
    yield case("words of the training text", merges, ["".join(f" {word}" for word in words[:8]), words[9]], "same ids",
               same).trying("merges", "a tiktoken.Encoding", "it needs no network")
    yield case("Chinese, English and emoji", CHINESE, [mixed_text(draw) for _ in range(3)], "same ids", same)
    yield case("docstring example", {(97, 98): 256}, ["ab"], "same ids")
    every = "All 256 bytes are tokens, whether they were seen in training or not."
    yield case("bytes never seen", merges, ["été ∑ 한국 \x00\x7f"], "any table", every).trying("that gives")
    yield case("no merges", {}, ["abc 爱"], "any table", every).trying("merges", "a tiktoken.Encoding")
    merges, words = learned(draw)
    yield case("another table of the same size", merges, ["".join(f" {word}" for word in words[:8])], "any table").trying(
        "merges", "that gives")
    yield case("an empty text", merges, [""], "any table").trying("that gives")
    yield case("every kind of seam", SEAM_TABLE, [SEAMS], "any table",
               "The text is cut by the pattern, as in bpe_encode.").trying("pattern")
    merges, words = learned_in_pieces(draw)
    text = "".join(words[:9]) + across(merges)
    yield case("another pattern", merges, [text], "any table", "The pattern goes to the engine too.",
               pattern=corpora.PIECES).trying("pattern")


to_tiktoken = Exercise(
    id="01.to_tiktoken",
    title="Your tokenizer in tiktoken's engine",
    why="The engine behind commercial models can run your own table of merges.",
    difficulty=2,
    minutes=13,
    core=False,
    criteria=(
        Criterion("same ids", 2, "the engine gives the ids that bpe_encode gives", tries=("that gives",)),
        Criterion("any table", 1, "every byte is a token, with or without merges, under any pattern"),
    ),
    hints=(
        "`tiktoken.Encoding` takes a name, `pat_str`, `mergeable_ranks` and `special_tokens`; read its docstring.",
        "`mergeable_ranks` maps the bytes of a token to its rank, and the rank is the id. Which bytes are token 256?",
        "All single bytes belong in, with ranks 0 to 255, then the merges in the order in which they were learned.",
    ),
    cases=_cases,
    of_driver=("texts",),
    run=_run,
)
