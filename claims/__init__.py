"""The ledger of claims: what the five tutorials say that this course grew out of, put to the test by computation."""

from __future__ import annotations
