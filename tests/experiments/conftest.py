"""Published models as fixtures."""

from tests.support.published import bert, token_table, word_vectors  # noqa: F401
