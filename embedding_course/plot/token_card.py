"""Show text cut into coloured tokens, as HTML: the browser has a font for every script, emoji included."""

from collections.abc import Mapping, Sequence
from html import escape

from ..checking.render import Panel, show_panel
from ..messages import Message, translate

# The colours are translucent, so that text is readable on light and on dark pages.
_TINTS = ("11,106,166", "209,87,27", "0,133,106", "168,81,138", "217,154,0")
_TOKEN = "display:inline-block;margin:1px;padding:.05em .28em;border-radius:4px;text-align:center;line-height:1.25"
_ID = "display:block;font-size:.75em;opacity:.8;font-family:monospace"


def _words(piece: bytes) -> str:
    """Return a token as text if it is whole characters, otherwise its bytes; a space is shown as an open box."""
    try:
        return piece.decode("utf-8").replace(" ", "␣").replace("\n", "⏎")
    except UnicodeDecodeError:
        return " ".join(f"{byte:02X}" for byte in piece)


def _token(piece: bytes, token_id: int, index: int) -> str:
    tint = _TINTS[index % len(_TINTS)]
    look = f"{_TOKEN};background:rgba({tint},.20);border-bottom:2px solid rgba({tint},.9)"
    return f'<span style="{look}">{escape(_words(piece))}<span style="{_ID}">{token_id}</span></span>'


def _line(name: str, pieces: Sequence[bytes], ids: Sequence[int]) -> tuple[str, str]:
    text = " | ".join(_words(piece) for piece in pieces)
    size = len(b"".join(pieces))
    summary = Message.plural("{count} token for {size} bytes", "{count} tokens for {size} bytes", len(ids), size=size)
    body = "".join(_token(piece, token, index) for index, (piece, token) in enumerate(zip(pieces, ids, strict=True)))
    head = f'<div style="font-size:.85em;opacity:.8;margin-top:.55em"><b>{escape(name)}</b> · {summary}</div>'
    return f"{name}: {text}  ({summary})", f'{head}<div style="font-size:1.1em">{body}</div>'


def show_segments(rows: Sequence[tuple[str, Sequence[bytes], Sequence[int]]]) -> None:
    """Show the tokens of each text side by side, each with its id below.

    `rows` holds for each text its name, the bytes of its tokens and their ids.
    """
    lines = [_line(*row) for row in rows]
    show_panel(Panel("\n".join(text for text, _ in lines), "".join(html for _, html in lines)))


def show_tokenizer(merges: Mapping[tuple[int, int], int], encoded: Mapping[str, Sequence[int]], title: str) -> None:
    """Show the end card: texts cut by a tokenizer, in colour, and how many tokens fewer than bytes there are.

    Parameters
    ----------
    merges : Mapping[tuple[int, int], int]
        The two parts of each learned token to its id, parts first.
    encoded : Mapping[str, Sequence[int]]
        Text to its token ids.
    title : str
        Heading of the card.
    """
    pieces = {byte: bytes([byte]) for byte in range(256)}
    for (first, second), new in merges.items():
        pieces[new] = pieces[first] + pieces[second]
    lines = [_line(text, [pieces[token] for token in ids], ids) for text, ids in encoded.items()]
    tokens, size = sum(map(len, encoded.values())), sum(len(text.encode("utf-8")) for text in encoded)
    title = translate(title)
    facts = translate("{pieces} tokens in the vocabulary · {size} bytes of text become {tokens} tokens", pieces=len(pieces),
                      size=size, tokens=tokens)
    box = (
        "border:1px solid rgba(127,127,127,.45);border-radius:10px;padding:.9em 1.2em 1.1em;margin:.4em 0;"
        "max-width:46em;background:rgba(127,127,127,.06)"
    )
    html = (
        f'<div style="{box}"><div style="font-size:1.25em;font-weight:700">{escape(title)}</div>'
        f'<div style="opacity:.8">{facts}</div>{"".join(html for _, html in lines)}</div>'
    )
    show_panel(Panel("\n".join([title, facts, *(text for text, _ in lines)]), html))
