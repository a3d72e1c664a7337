"""The one exception of this room."""


class CannotPackage(Exception):
    """The package cannot be written; the message says what is missing and what to do."""
