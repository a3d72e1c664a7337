r"""Formulas for a page that fetches nothing: TeX becomes MathML, which browsers draw by themselves.

>>> mathml("x_1")
'<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><msub><mi>x</mi><mn>1</mn></msub></mrow></math>'

What cannot be read as a formula is shown as it was written.

>>> mathml(r"\left( <b>")
'<code>\\left( &lt;b&gt;</code>'
"""

import html
import re
from contextlib import suppress
from functools import lru_cache
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element

#: What a formula is made of.
TAGS = {
    "math", "merror", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded", "mphantom", "mprescripts", "mroot",
    "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder",
    "munderover", "none",
}  # fmt: skip
#: What its parts may say about themselves. Links, styles and classes are not among it.
ATTRIBUTES = {
    "accent", "accentunder", "columnalign", "columnlines", "columnspacing", "depth", "display", "displaystyle", "fence",
    "form", "height", "largeop", "linethickness", "lspace", "mathcolor", "mathvariant", "maxsize", "minsize",
    "movablelimits", "rowlines", "rowspacing", "rspace", "scriptlevel", "separator", "stretchy", "symmetric", "width",
    "xmlns",
}  # fmt: skip

#: Characters of a formula. The longest one of the lessons has some 200.
_MAX_FORMULA_CHARACTERS = 2000
_UNKNOWN = re.compile(r"\s*\\[A-Za-z]")
#: Signs of words in a formula that TeX wants written with a backslash; the converter leaves it there.
_ESCAPED = re.compile(r"\\([_%&#$])")


@lru_cache(maxsize=1024)
def mathml(tex: str, block: bool = False) -> str:
    """Return a formula as MathML, else its source as code."""
    element = None
    with suppress(Exception):  # whatever a reader of formulas stumbles over, deep nesting too: the page is made
        element = (
            convert_to_element(tex, display="block" if block else "inline") if len(tex) <= _MAX_FORMULA_CHARACTERS else None
        )
    if element is None or not _read(element):
        return f"<code>{html.escape(tex.strip())}</code>"
    return ElementTree.tostring(element, encoding="unicode")


def _read(element: ElementTree.Element) -> bool:
    """Put characters in place of their numbers and escapes, and tell whether all commands of the formula were known."""
    for part in element.iter():
        part.text = html.unescape(part.text) if part.text else part.text
        if part.text and part.tag in ("mi", "mo") and _UNKNOWN.match(part.text):
            return False
        if part.text and part.tag == "mtext":
            part.text = _ESCAPED.sub(r"\1", part.text)
        if part.get("width") == "negativethinmathspace":  # a name that browsers have dropped
            part.set("width", "-0.167em")
    return True
