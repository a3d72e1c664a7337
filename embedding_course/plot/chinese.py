"""Write Chinese text in figures: in a font of the machine if it has one, otherwise as pinyin, never as empty boxes."""

import re
from functools import cache
from pathlib import Path

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

from ..data.micro.pinyin import PINYIN as _MICRO_PINYIN
from ..messages import say

#: These fonts are preferred, in this order; after them any font that has the characters.
_PREFERRED = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Hiragino Sans GB", "Heiti SC",
    "Microsoft YaHei", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "Noto Sans CJK JP", "SimHei",
    "Arial Unicode MS",
)
_BASE = "DejaVu Sans"  # Matplotlib ships it: Latin letters with tone marks, arrows, mathematics.
# Common characters: a font that lacks one of them is useless.
_SAMPLE = "我你他爱学习机器狗猫很可的是书水红语言词向量"
# Matplotlib's own font of last resort claims every character and draws each as a box.
_NOT_A_FONT = ("Last Resort",)

# Words that occur in other texts than the micro-language.
_FURTHER = """
爱 ài 机器 jīqì 学习 xuéxí 讨厌 tǎoyàn 玩具 wánjù 挨打 áidǎ 词 cí 向量 xiàngliàng
零 líng 二 èr 三 sān 四 sì 五 wǔ 六 liù 七 qī 八 bā 九 jiǔ 数字 shùzì 图 tú 着 zhe 一个 yígè 手写 shǒuxiě 有人 yǒurén 纸 zhǐ
"""
_ENTRIES = _FURTHER.split()
#: Chinese word to pinyin with tone marks.
PINYIN: dict[str, str] = _MICRO_PINYIN | dict(zip(_ENTRIES[::2], _ENTRIES[1::2], strict=True))

# The pattern matches the longest word of the course.
_WORD = "|".join(map(re.escape, sorted(PINYIN, key=len, reverse=True)))


@cache
def _characters(path: str) -> frozenset[int]:
    """Return the code points that a font file can draw; none if the file cannot be read."""
    try:
        return frozenset(FT2Font(path).get_charmap())
    except (OSError, RuntimeError):
        return frozenset()


def _learn_new_fonts() -> None:
    """Register fonts that were installed after matplotlib stored its list of fonts."""
    known = {str(Path(font.fname)) for font in font_manager.fontManager.ttflist}
    for path in font_manager.findSystemFonts():
        if str(Path(path)) not in known:
            try:
                font_manager.fontManager.addfont(path)
            except (OSError, RuntimeError, UnicodeDecodeError):
                continue


@cache
def _found() -> tuple[str, str] | None:
    """Return the family and the file of the font for Chinese; None if the machine has none."""
    _learn_new_fonts()
    wanted = {ord(character) for character in _SAMPLE}
    files: dict[str, str] = {}
    for font in font_manager.fontManager.ttflist:
        if not font.name.startswith(_NOT_A_FONT) and (font.name not in files or font.weight == 400):
            files[font.name] = font.fname
    others = sorted(name for name in files if name not in _PREFERRED)
    for name in (*_PREFERRED, *others):
        if name in files and wanted <= _characters(files[name]):
            return name, files[name]
    return None


def chinese_font() -> str | None:
    """Return the font family for Chinese text; None if the machine has no such font."""
    font = _found()
    return font[0] if font else None


def font_families() -> list[str]:
    """Return the families for matplotlib's `font.family`: each character is drawn by the first family that contains it."""
    family = chinese_font()
    return [_BASE, family] if family else [_BASE]


def renders(text: str) -> bool:
    """Return whether a figure on this machine can show every character of `text`."""
    files = [font_manager.findfont(_BASE), *([font[1]] if (font := _found()) else [])]
    return all(character in "\n " or any(ord(character) in _characters(file) for file in files) for character in text)


def label(text: str, pinyin: str) -> str:
    """Return `text` if a figure can show it, otherwise `pinyin`.

    Parameters
    ----------
    text : str
        Chinese text.
    pinyin : str
        Its pronunciation in Latin letters.

    Examples
    --------
    >>> label("狗", "gǒu") in ("狗", "gǒu")
    True
    """
    return text if renders(text) else pinyin


def spelled(text: str) -> str:
    """Return `text` if a figure can show it, otherwise with the course's Chinese words in pinyin.

    Examples
    --------
    >>> spelled("狗 and 猫") in ("狗 and 猫", "gǒu and māo")
    True
    """
    if renders(text):
        return text
    return re.sub(f"(?:{_WORD})+", lambda run: " ".join(PINYIN[word] for word in re.findall(_WORD, run[0])), text)


def size_in_cell(text: str, size: float, letters: float) -> float:
    """Return the font size in points at which `text` fits into a cell of a grid: long pinyin is set smaller.

    Parameters
    ----------
    text : str
        The text in the cell.
    size : float
        Largest font size, in points.
    letters : float
        How many letters of a font size of one point fit into the cell.

    Examples
    --------
    >>> size_in_cell("gǒu", 10, letters=68), size_in_cell("xiōngdìmen", 10, letters=68)
    (10, 6.8)
    """
    return min(size, letters / max(len(text), 1))


def say_how() -> None:
    """Print which font shows the Chinese text, or how to get one."""
    family = chinese_font()
    if family:
        say("Chinese text in figures is set in {family}.", family=family)
    else:
        say(
            "Figures show pinyin: no font here has Chinese characters. Install one, restart the kernel"
            " (Debian, Ubuntu, Colab: `apt-get install fonts-noto-cjk`; macOS and Windows bring one)."
        )
