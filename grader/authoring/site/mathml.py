"""For Sphinx: formulas as MathML, which browsers draw by themselves. Nothing is fetched and nothing runs for them."""

from typing import Any

from ...feedback.formulas import mathml


def setup(app: Any) -> dict[str, Any]:
    """Register the renderer of formulas with Sphinx. A formula that cannot be read is a warning, which ends the build."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(page: Any, node: Any) -> None:
    _write(page, node, mathml(node.astext()))


def _block(page: Any, node: Any) -> None:
    _write(page, node, f'<div class="formula">{mathml(node.astext(), block=True)}</div>')


def _write(page: Any, node: Any, made: str) -> None:
    from docutils.nodes import SkipNode

    if "<math" not in made:
        page.document.reporter.warning(f"no formula that can be drawn: {node.astext()}", base_node=node)
    page.body.append(made)
    raise SkipNode
