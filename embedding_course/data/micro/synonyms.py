"""Expand words written with a bar, 电影|影片 and film|movie: each choice gives one sentence."""

from collections.abc import Iterator

from .words import FILM, HAPPY, KIN, OFTEN, PEOPLE, PRETTY, THINGS

#: From a barred Chinese word to its barred English forms.
SYNONYMS: dict[str, tuple[str, ...]] = {
    **{noun.zh: (noun.en,) for noun in (PEOPLE["child"], *KIN.values(), THINGS["bicycle"])},
    **{word.zh: (word.en,) for word in (PRETTY, HAPPY, OFTEN)},
    FILM.zh: (FILM.en, FILM.plural),
}


def spell_out(chinese: str, english: str) -> Iterator[tuple[str, str]]:
    """Yield all choices of synonyms, the same ones in both languages, the first synonym of each word first.

    Examples
    --------
    >>> list(spell_out("看 电影|影片", "watch films|movies"))
    [('看 电影', 'watch films'), ('看 影片', 'watch movies')]
    """
    if "|" not in chinese:
        yield chinese, english
        return
    barred = next(word for word in chinese.split() if "|" in word)
    for choice, word in enumerate(barred.split("|")):
        spelt = english
        for form in SYNONYMS[barred]:
            spelt = spelt.replace(form, form.split("|")[choice])
        yield from spell_out(chinese.replace(barred, word), spelt)
