"""Write a class's new points into notebooks that are graded: nobody's answers run again, no input is drawn again."""

import json

import nbformat

from ..classroom.policy.in_notebooks import head_with_points, with_points
from ..classroom.policy.points import Terms
from ..classroom.records import GradeRecord
from ..course_source.notebook import release, source
from ..submission.nodes import as_json
from .mark import write_verdicts


def reweighed_notebook(content: bytes, record: GradeRecord, terms: Terms) -> bytes:
    """Return the graded notebook of a record with the points and verdicts that the record has now."""
    notebook = nbformat.reads(content.decode("utf-8"), as_version=4)
    ours = {cell.id: cell for cell in with_points(release(source(record.topic)), terms).cells}
    for cell in notebook.cells:
        fresh = ours.get(cell.id)
        if fresh is None:
            continue
        if "nbgrader" in fresh.metadata:
            cell.metadata.nbgrader = json.loads(json.dumps(fresh.metadata.nbgrader))
        if cell.cell_type == "markdown" and "nbgrader" not in fresh.metadata:
            cell.source = fresh.source
    notebook.cells = [cell for cell in notebook.cells if cell.id != "about-this-submission"]
    write_verdicts(notebook, record.results, terms.dropped)
    head_with_points(notebook, record.topic, terms)
    return as_json(notebook)
