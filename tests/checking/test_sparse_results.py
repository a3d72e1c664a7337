"""A sparse tensor is told from a dense one, also when it has travelled."""

import torch

from embedding_course.checking.exercise import Case
from embedding_course.checking.sparse_results import dense, in_parts
from embedding_course.checking.wire_data import plain

CASE = Case("any", {}, "any")


def test_a_sparse_result_is_no_dense_one() -> None:
    rule, table = dense("gradient"), torch.eye(3)
    assert rule(table, plain(in_parts(table.clone())), CASE) is None
    for sparse in (table.to_sparse(), table.to_sparse_csr()):
        fault = rule(table, plain(in_parts(sparse)), CASE)
        assert fault is not None and fault.stage == "type" and "sparse" in fault.what


def test_what_is_dense_is_compared_as_ever() -> None:
    rule = dense("gradient")
    assert rule(torch.eye(3), torch.zeros(3, 3), CASE).stage == "values"  # type: ignore[union-attr]
    assert rule(torch.eye(3), {"indices": 1}, CASE).stage == "type"  # type: ignore[union-attr]
    assert in_parts(None) is None
