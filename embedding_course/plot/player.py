"""Show a figure that moves: Matplotlib's own player with a slider, and a still picture where no script runs."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from matplotlib.animation import FuncAnimation, HTMLWriter
from matplotlib.artist import Artist
from matplotlib.figure import Figure

from ..messages import translate
from .style import finish

#: Resolution of the frames; the still picture has that of every figure of the course.
_DPI = 72
#: An animation is at most this large, in bytes, so that a notebook stays small.
MAX_BYTES = 700_000
#: What Matplotlib's player takes from a font on the network, as signs of any font.
_ICONS = {
    "fa-minus": "−",
    "fa-fast-backward": "⇤",
    "fa-step-backward": "←",
    "fa-play fa-flip-horizontal": "◀",
    "fa-pause": "‖",
    "fa-play": "▶",
    "fa-step-forward": "→",
    "fa-fast-forward": "⇥",
    "fa-plus": "+",
}
_ICON = re.compile(r'<i class="fa ([^"]+)"></i>')
_LINK = re.compile(r"<link\b[^>]*>")


def play(
    figure: Figure,
    draw: Callable[[Any], object],
    frames: Sequence[Any],
    alt: str,
    /,
    *,
    per_second: int = 5,
    still: int = -1,
    **slots: Any,
) -> None:
    """Show a figure with a player: buttons, and a slider over the frames. Nothing is fetched from the network.

    Parameters
    ----------
    figure : Figure
        A figure of `new_figure`, with its title and everything that does not move.
    draw : Callable
        Draw one frame: it gets an item of `frames` and changes the artists of the figure.
    frames : sequence
        One item for each frame; 20 to 30 are enough.
    alt : str
        One sentence that says what moves, as for `finish`.
    per_second : int, optional
        Frames per second.
    still : int, optional
        Index of the frame that is shown on paper and where no script runs.
    **slots : Any
        The values of the slots of `alt`.

    Raises
    ------
    ValueError
        If the frames together are larger than `MAX_BYTES`.
    """
    draw(frames[still])
    figure.canvas.draw()  # the layout is computed once, so that nothing jumps
    figure.set_layout_engine("none")

    def frame(item: Any) -> list[Artist]:
        draw(item)
        return []

    animation = FuncAnimation(figure, frame, frames=list(frames), init_func=lambda: [], cache_frame_data=False)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "player.html")
        animation.save(str(path), HTMLWriter(fps=per_second, embed_frames=True, default_mode="once"), dpi=_DPI)
        html = path.read_text(encoding="utf-8")
    if len(html) > MAX_BYTES:
        raise ValueError(f"the frames take {len(html):,} bytes, more than {MAX_BYTES:,}: draw fewer or a smaller figure")
    html = _ICON.sub(lambda match: _ICONS[match[1]], _LINK.sub("", html))
    html = html.replace("<img ", f'<img alt="{escape(translate(alt, **slots))}" ', 1)
    draw(frames[still])
    finish(figure, alt, html=html, **slots)
