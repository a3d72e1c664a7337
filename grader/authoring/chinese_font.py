"""`python -m grader.authoring.chinese_font NotoSansCJK-Regular.ttc`: cut the font of the figures out of Noto Sans CJK SC.

It holds the 3,755 characters of the first level of GB 2312, those that stand in the course besides, and the signs of Chinese
punctuation. Debian's package fonts-noto-cjk has the original. Its licence, OFL 1.1, stands beside the cut font.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection

from ..paths import ROOT

FONT = ROOT / "data" / "fonts" / "embedding_course_han.otf"
_NAME = "Embedding Course Han"
_ORIGINAL = "Noto Sans CJK SC"
#: Where Chinese text stands that a figure may show.
_TEXTS = ("solutions/**/*.py", "embedding_course/**/*", "data/*.tsv", "docs/glossary.md")
_CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_FAMILY_NAMES, _VERSION_NAMES = {1, 3, 4, 16}, {5, 6}


def characters() -> set[str]:
    """Return the characters that the font holds."""
    first_level = (bytes((high, low)) for high in range(0xB0, 0xD8) for low in range(0xA1, 0xFF))
    common = {pair.decode("gb2312", "ignore") for pair in first_level} - {""}
    return common | in_texts() | set("，。、；：？！…—“”‘’（）《》〈〉【】·％＋－＝")


def in_texts() -> set[str]:
    """Return the Chinese characters and signs of the course's texts."""
    paths = (
        path for pattern in _TEXTS for path in ROOT.glob(pattern) if path.suffix in {".py", ".md", ".tsv", ".json", ".toml"}
    )
    return {sign for path in paths for sign in _CHINESE.findall(path.read_text(encoding="utf-8"))}


def cut(original: Path) -> bytes:
    """Return the font, cut from a collection that holds Noto Sans CJK SC.

    Raises
    ------
    LookupError
        If the collection has no font of that name.
    """
    fonts = {str(font["name"].getDebugName(4)): font for font in TTCollection(original).fonts}
    if _ORIGINAL not in fonts:
        raise LookupError(f"{original.name} holds {', '.join(fonts)}, and no {_ORIGINAL}")
    font = fonts[_ORIGINAL]
    options = Options(layout_features=[], hinting=False, desubroutinize=False, name_IDs=["*"], notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(text="".join(sorted(characters())))
    subsetter.subset(font)
    for record in list(font["name"].names):
        if record.nameID in _FAMILY_NAMES:
            record.string = _NAME
        elif record.nameID in _VERSION_NAMES:
            record.string = _NAME.replace(" ", "") if record.nameID == 6 else "1"
    FONT.parent.mkdir(parents=True, exist_ok=True)
    font.save(FONT)
    return FONT.read_bytes()


if __name__ == "__main__":
    print(f"{FONT.relative_to(ROOT)}: {len(characters()):,} characters, {len(cut(Path(sys.argv[1]))):,} bytes")
