"""List the class of each word: the truth with which clusters of word vectors can be compared.

A word may be in two classes: bat is an animal and a thing, watch a verb and a thing, 把 a measure and a particle.
"""

from collections.abc import Iterable

from . import words
from .words import Adjective, Noun, Time, Verb


def _spelt(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in text.replace("|", " ").split()}


def _chinese(nouns: Iterable[Noun]) -> set[str]:
    return _spelt(noun.zh for noun in nouns)


def _english(nouns: Iterable[Noun]) -> set[str]:
    return _spelt(text for noun in nouns for text in (noun.en, noun.plural))


def _words_of_kind(kind: type) -> list:
    """Return all words of a kind that the lexicon defines."""
    return [value for value in vars(words).values() if isinstance(value, kind)]


_PEOPLE = [*words.PEOPLE.values(), *words.KIN.values()]
_RIDES = [words.THINGS["car"], words.THINGS["bicycle"]]
_THINGS = [thing for thing in (*words.READINGS.values(), words.FILM, *words.THINGS.values()) if thing not in _RIDES]
_COUNTED = [*words.PEOPLE.values(), *words.ANIMALS.values(), *words.FOODS.values(), *words.DRINKS.values(), *_THINGS, *_RIDES]

_CHINESE = {
    "person": _chinese(_PEOPLE),
    "animal": _chinese(words.ANIMALS.values()),
    "food": _chinese(words.FOODS.values()),
    "drink": _chinese(words.DRINKS.values()),
    "thing": _chinese(_THINGS),
    "transport": _chinese(_RIDES) | _spelt(["公共汽车 走路"]),
    "place": _spelt(["学校 公园 图书馆 医院 商店 花园 厨房 河 家"]),
    "game": _spelt(["篮球 足球 钢琴"]),
    "verb": (_spelt(verb.zh for verb in _words_of_kind(Verb)) | _spelt(["坐 开 骑 想 喜欢 有 是"])) - {"给", "在"},
    "quality": _spelt(adjective.zh for adjective in _words_of_kind(Adjective)),
    "time": _spelt(time.zh for time in _words_of_kind(Time)),
    "manner": _spelt(["慢慢地 安静地"]),
    "measure": _spelt(noun.measure for noun in _COUNTED),
    "pronoun": _spelt(["我 你 他 她 我们 他们"]),
    "determiner": _spelt(["一 两 这 那"]),
    "question": _spelt(["什么 哪里 谁"]),
    "particle": _spelt(["了 吗 的 们 不 没 没有 很 会 正在 在 把 被 比 给 和 一起 里 上 请"]),
}
_ENGLISH = {
    "person": _english(_PEOPLE),
    "animal": _english(words.ANIMALS.values()),
    "food": _english(words.FOODS.values()),
    "drink": _english(words.DRINKS.values()),
    "thing": _english(_THINGS),
    "transport": _english(_RIDES) | _spelt(["bus foot"]),
    "place": _spelt(["school park library hospital shop garden kitchen river home"]),
    "game": _spelt(["basketball football piano"]),
    "verb": _spelt(form for verb in _words_of_kind(Verb) for form in verb[1:]) | _spelt(["want wants like likes"]),
    "quality": _spelt(text for word in _words_of_kind(Adjective) for text in (word.en, word.comparative)) - {"more"},
    "time": _spelt(time.en for time in _words_of_kind(Time)),
    "manner": _spelt(["slowly quietly"]),
    "measure": _spelt(noun.vessel for noun in _COUNTED),
    "pronoun": _spelt(["I you he she we they me him her"]),
    "determiner": _spelt(["a an the this that those two any no my your his her"]),
    "question": _spelt(["what where who"]),
    "auxiliary": _spelt(["am is are was were do does did will can cannot"]),
    "particle": _spelt(["not on in at to with by of than more very there please"]),
}

#: Classes and their words, by language. Some of the English verb forms occur in no sentence.
CLASSES: dict[str, dict[str, set[str]]] = {"chinese": _CHINESE, "english": _ENGLISH}
