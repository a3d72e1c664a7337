"""Show a search box if the front end has widgets; otherwise print how to search."""

import sys

from ...messages import say, translate
from .search_engine import SearchEngine


def search_box(engine: SearchEngine, question: str = "", k: int = 5) -> None:
    """Show a search box with a first question. Without ipywidgets, or outside a notebook, the hits are printed."""
    ipython = sys.modules.get("IPython")  # A running front end has imported it.
    shell = ipython.get_ipython() if ipython else None
    try:
        import ipywidgets as widgets
    except ImportError:
        widgets = None
    if widgets is None or not hasattr(shell, "kernel"):
        if question:
            print(engine.search(question, k))
        say('Ask your own: engine.search("sort an array")')
        return
    box = widgets.Text(value=question, placeholder=translate("what should the function do?"), description=translate("search"))
    shown = widgets.HTML()

    def find(_: object = None) -> None:
        shown.value = engine.search(box.value, k)._repr_html_() if box.value.strip() else ""

    box.observe(find, names="value")
    find()
    from IPython.display import display

    display(widgets.VBox([box, shown]))
