"""Windows over a long text: cases."""

from collections.abc import Iterator

from ...checking.exercise import Case, Criterion, Exercise, RandomInputs


def _cases(draw: RandomInputs) -> Iterator[Case]:
    def case(name: str, n_tokens: int, size: int, overlap: int, criterion: str, because: str = "") -> Case:
        return Case(name, {"n_tokens": n_tokens, "size": size, "overlap": overlap}, criterion, because=because)

    size, overlap = draw.choice(((11, 3), (13, 4), (17, 5), (19, 6), (23, 7)))
    step = size - overlap
    more, rest = draw.integer(3, 9), draw.integer(1, step - 2)
    apart = "Each window begins size - overlap tokens after the one before."
    shorter = "The last window ends at n_tokens and may be shorter than size."
    yield case("the last window is shorter", size + more * step + rest, size, overlap, "windows", shorter)
    yield case("the last window is full", size + more * step, size, overlap, "windows",
               "The window that reaches the end is the last one: no further one lies inside it.")
    far = draw.integer(30, 90)
    yield case("a small overlap", far * 7 + 3, far, draw.integer(2, 6), "windows", apart)
    yield case("a large overlap", 3 * far + 1, far, far - draw.integer(4, 9), "windows", apart)
    yield case("one token more than full windows", size + more * step + 1, size, overlap, "windows",
               "A single new token needs a window too; the window holds the overlap and that token.")
    yield case("one token less than full windows", size + more * step - 1, size, overlap, "windows", shorter)
    yield case("docstring example", 10, 4, 1, "windows", apart)
    yield case("no overlap", 5 * far + draw.integer(1, far - 1), far, 0, "overlaps", "The windows then lie side by side.")
    yield case("no overlap, a multiple of size", more * far, far, 0, "overlaps")
    yield case("an overlap of size - 1", far + draw.integer(3, 9), far, far - 1, "overlaps",
               "Each window begins one token after the one before.")
    yield case("windows of one token", draw.integer(4, 9), 1, 0, "overlaps")

    whole = "A text that fits into one window is one window."
    yield case("a text shorter than size", draw.integer(overlap + 1, size - 1), size, overlap, "short texts", whole)
    yield case("a text of size tokens", size, size, overlap, "short texts", whole)
    yield case("a text shorter than the overlap", draw.integer(2, overlap), far, far - 2, "short texts", whole)
    yield case("a text of one token", 1, far, draw.integer(1, far - 1), "short texts", whole)
    yield case("size + 1 tokens", size + 1, size, overlap, "short texts", "Two windows are needed.")
    yield case("no tokens", 0, size, overlap, "short texts", "Nothing to cut: an empty list.")
    yield case("docstring example 2", 0, 4, 1, "short texts")

    refuse = "0 <= overlap < size, anything else raises ValueError."
    large = 40 * size
    yield case("an overlap of size", large, size, size, "refused", refuse)
    yield case("an overlap above size", large, size, size + draw.integer(1, 9), "refused", refuse)
    yield case("a negative overlap", large, size, -draw.integer(1, 9), "refused", refuse)
    yield case("a size of 0", large, 0, 0, "refused", "No overlap is less than a size of 0.")
    yield case("an overlap of size, no tokens", 0, size, size, "refused", "The arguments are wrong whatever n_tokens is.")
    yield case("a negative overlap, a short text", overlap, size, -1, "refused", "Also a text of one window is no exception.")


chunk = Exercise(
    id="11.chunk",
    title="Windows over a long text",
    why="An encoder cuts a text off after a few hundred tokens; with windows, every sentence of a long document can be found.",
    difficulty=1,
    minutes=6,
    criteria=(
        Criterion("windows", 0.5, "windows of size tokens, size - overlap apart, the last one up to the end",
                  tries=("Each window begins", "The first window", "size how many", "returns a list", "a window holds")),
        Criterion("overlaps", 0.5, "every overlap from 0 to size - 1",
                  tries=("overlap how many", "Each window begins")),
        Criterion("short texts", 0.25, "texts that fit into one window, no tokens",
                  tries=("n_tokens how many", "no tokens give", "The first window")),
        Criterion("refused", 0.25, "ValueError unless 0 <= overlap < size",
                  tries=("Raises ValueError",)),
    ),
    hints=(
        "Draw ten tokens and windows of four with an overlap of one. Where does each begin? Which one reaches the end?",
        "The step from one beginning to the next is size - overlap. A `while` loop may stop when a window reaches the end.",
        "The end of a window is `min(start + size, n_tokens)`.",
        "Test the overlap in the first line, before anything is returned: with a step of 0 the loop would never end.",
    ),
    cases=_cases,
)
