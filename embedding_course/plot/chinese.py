"""Set Chinese text in figures in the course's own font, so that no machine needs one."""

from dataclasses import replace
from functools import cache

from matplotlib import font_manager

from ..data.files import data_file

_BASE = "DejaVu Sans"  # Matplotlib ships it: Latin letters with tone marks, arrows, mathematics.
#: The font of the course, a shipped file.
OWN = "fonts/embedding_course_han.otf"
#: A machine's own fonts, for rare characters that the course's font lacks.
_FURTHER = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei")


@cache
def font_families() -> list[str]:
    """Return the families for matplotlib's `font.family`: each character is drawn by the first family that contains it.

    Examples
    --------
    >>> font_families()[:2]
    ['DejaVu Sans', 'Embedding Course Han']
    """
    own = font_manager.FontProperties(fname=data_file(OWN)).get_name()
    manager = font_manager.fontManager
    if own not in {font.name for font in manager.ttflist}:
        manager.addfont(data_file(OWN))
        manager.ttflist.append(replace(manager.ttflist[-1], weight=700))  # titles are bold: the one weight serves for both
    installed = {font.name for font in manager.ttflist}
    return [_BASE, own, *(name for name in _FURTHER if name in installed)]
