"""Provide a short story in Chinese and English, sentence by sentence: the training text of the learner's first tokenizer."""

from functools import cache

from .files import data_file


@cache
def story_pairs() -> tuple[tuple[str, str], ...]:
    """Return the 90 sentences in order, each in Chinese and in English.

    Examples
    --------
    >>> story_pairs()[0]
    ('我有一只小狗。', 'I have a little dog.')
    """
    lines = data_file("dog_and_machine.tsv").read_text(encoding="utf-8").splitlines()
    chinese, english = zip(*(line.split("\t") for line in lines), strict=True)
    return tuple(zip(chinese, english, strict=True))


def story(language: str = "both", start: int = 0, stop: int | None = None) -> str:
    r"""Return some sentences of the story as one text, one sentence in each line.

    Parameters
    ----------
    language : str, optional
        "chinese", "english", or "both": each Chinese sentence, then its English one.
    start : int, optional
        Index of the first sentence.
    stop : int or None, optional
        Index of the first sentence that is left out; None for the end of the story.

    Examples
    --------
    >>> story("english", 0, 2)
    'I have a little dog.\nThe name of the little dog is Doudou.'
    """
    chosen = {"chinese": (0,), "english": (1,), "both": (0, 1)}[language]
    return "\n".join(pair[which] for pair in story_pairs()[start:stop] for which in chosen)
