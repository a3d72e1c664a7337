"""Show maps of words: a picture, and a drawing that names the word under the mouse where the front end shows HTML."""

from collections.abc import Mapping, Sequence

import torch
from matplotlib.axes import Axes

from ..messages import translate
from .maps import bare
from .style import BACKGROUND, ask, finish, new_figure, translated
from .svg_map import WordMap, linked_svg, zoomable


def _draw(axes: Axes, word_map: WordMap) -> None:
    """Draw a map on a panel."""
    names = list(word_map.labels)
    for a, b in word_map.links:
        axes.plot(*zip(word_map.places[a], word_map.places[b], strict=True), color="#9aa0a9", linewidth=0.9, zorder=1)
    seen: set[str] = set()
    for index, (x, y) in enumerate(word_map.places):
        colour, shape = word_map.mark(index)
        kind = word_map.kinds[index]
        axes.scatter(
            x,
            y,
            s=60 if shape == "*" else 30,
            c=colour,
            marker=shape,
            linewidths=0.5,
            edgecolors=BACKGROUND,
            zorder=2,
            label=None if kind in seen else kind,
        )
        seen.add(kind)
    sides = {"start": "left", "end": "right", "middle": "center"}
    for index, (left, middle, anchor) in word_map.labelled(names).items():
        axes.text(left, middle, names[index], fontsize=8.2, ha=sides[anchor], va="center", zorder=3)
    bare(axes)
    axes.set_aspect("equal", adjustable="box")
    axes.set(xlim=(0, word_map.width), ylim=(word_map.height - 30, 0))


def show_words(word_map: WordMap, alt: str, title: str = "") -> None:
    """Show the map; in a notebook the word under the mouse appears.

    Parameters
    ----------
    word_map : WordMap
        The words with their positions on the map.
    alt : str
        Alternative text: one sentence that says what the map shows.
    title : str, optional
        The question that the map answers.
    """
    figure, axes = new_figure(word_map.width / 96, word_map.height / 96 + 0.3)
    _draw(axes, word_map)
    axes.set_title(title)
    figure.legend(loc="outside lower left", ncols=min(len(word_map.order), 9), handletextpad=0.1, columnspacing=1.0)
    text = " ".join(alt.split())
    finish(figure, text, zoomable(word_map.svg(text), title, translate("(rest the mouse on a point)")))


def show_linked(maps: Mapping[str, torch.Tensor], words: Sequence[str], kinds: Sequence[str], title: str) -> None:
    """Show two maps of the same words side by side; in a notebook the word under the mouse is marked in both.

    Parameters
    ----------
    maps : Mapping[str, torch.Tensor]
        Title of each map to the positions of its words, (N, 2).
    words : Sequence[str]
        The words, N of them.
    kinds : Sequence[str]
        Class of each word.
    title : str
        The question that the maps answer.
    """
    kinds = [*map(translate, kinds)]
    shown = {name: WordMap(y, words, kinds, width=480, height=520) for name, y in translated(maps).items()}
    figure, panels = new_figure(10.0, 5.3, columns=len(shown))
    for axes, (name, word_map) in zip(panels, shown.items(), strict=True):
        _draw(axes, word_map)
        axes.set_title(name)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower left", ncols=6, handletextpad=0.1, columnspacing=1.0)
    ask(figure, title)
    alt = translate(
        "{words} words on two maps: {maps}. Classes: {kinds}.",
        words=len(words),
        maps=", ".join(shown),
        kinds=", ".join(dict.fromkeys(kinds)),
    )
    hint = translate("(rest the mouse on a point: it is marked in both maps)")
    finish(figure, alt, zoomable(linked_svg(shown, alt), translate(title), hint))


def show_classes(y: torch.Tensor, words: Sequence[str], kinds: Sequence[str]) -> None:
    """Show a map of the language model's words, marked by word class.

    Parameters
    ----------
    y : torch.Tensor
        Position of each word, (N, 2).
    words : Sequence[str]
        The words, N of them.
    kinds : Sequence[str]
        Class of each word.
    """
    alt = translate(
        "{words} English words by t-SNE: persons stand together, and so do places; verbs lie in many small groups.",
        words=len(words),
    )
    title = translate("Do words of one class stand together? (language model of notebook 04)")
    show_words(WordMap(y, words, [*map(translate, kinds)]), alt, title)


def show_real_words(y: torch.Tensor, words: Sequence[str], marks: Sequence[str], kinds: Sequence[str]) -> None:
    """Show a map of words of the Python language reference.

    Parameters
    ----------
    y : torch.Tensor
        Position of each word, (N, 2).
    words : Sequence[str]
        The words, N of them.
    marks : Sequence[str]
        Group of each word, which chooses the colour and shape of its point.
    kinds : Sequence[str]
        Narrower class of each word, shown when the mouse is on its point.
    """
    marks, kinds = [*map(translate, marks)], [*map(translate, kinds)]
    listed = ", ".join(dict.fromkeys(marks))
    alt = translate("{words} words of the Python language reference by t-SNE: {listed}.", words=len(words), listed=listed)
    show_words(
        WordMap(y, words, marks, kinds), alt, translate("Which words of the Python reference stand together? (notebook 04)")
    )


def show_pairs(y: torch.Tensor, chinese: Sequence[str], english: Sequence[str]) -> None:
    """Show a map of Chinese words, each joined to its English translation, which is written beside it.

    Parameters
    ----------
    y : torch.Tensor
        Position of each word, (2N, 2): first the Chinese words, then their translations.
    chinese : Sequence[str]
        The Chinese words, N of them.
    english : Sequence[str]
        Their translations, in the same order.
    """
    n = len(chinese)
    kinds, titles = [translate("Chinese")] * n + [translate("English")] * n, [*english, *chinese]
    links = [(row, row + n) for row in range(n)]
    labels = [*(f"{zh} {en}" for zh, en in zip(chinese, english, strict=True)), *[""] * n]
    word_map = WordMap(y, [*chinese, *english], kinds, titles, links, labels=labels)
    alt = translate(
        "{n} Chinese words and their English translations after one rotation, each pair joined: nearly all lines are short.",
        n=n,
    )
    title = translate("Do two languages agree after one rotation? A line joins each word to its translation")
    show_words(word_map, alt, title)


def show_functions(y: torch.Tensor, names: Sequence[str], links: Sequence[tuple[int, int]]) -> None:
    """Show a map of functions by their last names, marked by library; links join functions with the same last name.

    Parameters
    ----------
    y : torch.Tensor
        Position of each function, (N, 2).
    names : Sequence[str]
        Full name of each function, which begins with its library.
    links : Sequence[tuple[int, int]]
        Pairs of indices of the functions that a line joins.
    """
    word_map = WordMap(y, [name.split(".")[-1] for name in names], [name.split(".")[0] for name in names], names, links)
    alt = translate(
        "{names} functions of several libraries by their documentation, namesakes joined: many lines are short.",
        names=len(names),
    )
    show_words(word_map, alt, translate("Do functions stand together by purpose or by library? A line joins namesakes"))
