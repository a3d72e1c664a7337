"""Exceptions that end a command with one sentence and exit code 2."""


class UserError(Exception):
    """Something that the user can mend: the message says what is wrong and what to do."""

    @property
    def sentence(self) -> str:
        """Return the message as a sentence of its own."""
        return str(self)


class PhraseError(UserError):
    """A UserError whose message is a part of a sentence, because others quote it: no capital, no full stop."""

    @property
    def sentence(self) -> str:
        """Return the message with a capital and a full stop.

        >>> PhraseError("somebody grades here").sentence
        'Somebody grades here.'
        """
        return f"{str(self)[:1].upper()}{str(self)[1:]}."
