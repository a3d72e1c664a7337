"""Record what an answer prints while it is checked, up to a limit; it is shown below the verdict."""

import io
from html import escape

from ..checking.render import Panel, show_panel

_MOST = 2_000


class Overheard(io.TextIOBase):
    """Record the text written in each case; text beyond about two thousand characters is dropped.

    Examples
    --------
    >>> heard = Overheard()
    >>> heard.case = "a row"
    >>> _ = heard.write("3")
    >>> heard.said
    {'a row': '3'}
    """

    def __init__(self) -> None:
        self.case = ""
        self.said: dict[str, str] = {}

    def writable(self) -> bool:
        """Return True: this is a text stream that can be written to."""
        return True

    def write(self, text: str) -> int:
        """Record the text for the current case, and return its length."""
        kept = self.said.get(self.case, "")
        self.said[self.case] = (kept + text)[:_MOST]
        return len(text)

    def show(self, case: str) -> None:
        """Show what was printed in this case, or else in the first case with output."""
        heard = [name for name, text in self.said.items() if text.strip()]
        which = case if case in heard else next(iter(heard), "")
        text = self.said.get(which, "").rstrip()
        if text:
            head = f"Printed in the case “{which}”:"
            show_panel(Panel(f"{head}\n{text}", f"<p>{escape(head)}</p><pre>{escape(text)}</pre>"))
