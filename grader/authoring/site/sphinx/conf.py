"""Sphinx's settings for the site, for all languages. No page asks another host: no CDN for formulas, widgets or fonts.

`run_sphinx` gives the language, the title and the words of the buttons.
"""

project = "Embeddings"
extensions = ["myst_nb"]
extensions += [f"grader.authoring.site.{name}" for name in ("mathml", "policy", "switch", "chinese_search")]
exclude_patterns = ["downloads", "extra", "locale"]
html_extra_path = ["extra"]

# Notebooks come with what they showed: they were run once, with answers that no page may hold.
nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_merge_streams = True
nb_mime_priority_overrides = [("html", "text/html", 1)]

myst_enable_extensions = ["amsmath", "dollarmath", "colon_fence"]
# `$$…$$` inside a paragraph, as JupyterLab takes it.
myst_dmath_double_inline = True
myst_heading_anchors = 4
myst_update_mathjax = False
html_math_renderer = "mathml"

html_theme = "furo"
html_static_path = ["_static"]
html_favicon = "_static/icon.svg"
html_css_files = ["course.css"]
html_js_files = [("switch.js", {"defer": "defer"})]
html_use_index = False
html_copy_source = False
html_show_sphinx = True
html_show_copyright = False
html_last_updated_fmt = None
templates_path = ["_templates"]
locale_dirs = ["locale"]
# Code of stubs is Python; a lexer that stumbles over an example of something else is no fault of the page.
highlight_language = "python"
suppress_warnings = ["misc.highlighting_failure"]
pygments_style = "friendly"
pygments_dark_style = "monokai"
