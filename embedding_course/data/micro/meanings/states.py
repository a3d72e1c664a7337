"""List where things are, what there is, what things are like, and comparisons."""

# ruff: noqa: I001
from collections.abc import Iterator
from itertools import product

from ..constructions import ASK, NO, YES, Compared, Described, Exists, Located
from ..phrases import DOCTOR, HER, MY, OWNERS, STUDENTS, Phrase, a, any_of, general, some, that, the, this, two
from ..words import (
    BIG, BLACK, BUSY, CHEAP, CUTE, DELICIOUS, DRINKS, EXPENSIVE, FILM, HAPPY, HUNGRY, INTERESTING, NEW, NOW, OLD, PRETTY, RED,
    SMALL, TASTY, TIRED, TODAY, WHITE, YESTERDAY, Adjective, Noun,
)
from .cast import (
    APPLE, ASKED, BALL_BAT, BED, BICYCLE, BIRD, BOOK, BOX, BREAD, CAKE, CAR, CAT, CHAIR, CUP, DOG, EGG, FISH, FLOWER,
    FLYING_BAT, HAND_WATCH, HAT, HORSE, LETTER, NEWSPAPER, ORANGE, PLACES, RABBIT, SMALL_THINGS, SOMEONE, TABLE, UMBRELLA,
)
from .transfers import SPOTS

SURFACES = [*SPOTS[:4], Phrase("厨房 里", "in the kitchen"), Phrase("花园 里", "in the garden")]
POLARITIES = (YES, NO, ASK)
OWNED = tuple(owner.thing for owner in OWNERS)


def locations() -> Iterator[Located]:
    """Yield where things are: 那 本 书 在 桌子 上, that book is on the table; 医生 昨天 不 在 医院 里."""
    things = [how(noun) for how in (that, *OWNED) for noun in SMALL_THINGS]
    pets = [how(animal) for how in (the, that, MY.thing, HER.thing) for animal in (CAT, DOG, BIRD, RABBIT)]
    for spots, nouns in ((SPOTS, things), (SURFACES, pets)):
        for thing, spot, polarity in product(nouns, spots, POLARITIES):
            yield Located(thing, spot, polarity)
    for name, place in PLACES.items():
        if name != "river":
            spot = Phrase(place.zh.removeprefix("在 "), place.en)
            for time in (NOW, YESTERDAY):
                for person, polarity in product((*SOMEONE, DOCTOR, STUDENTS), (YES, NO)):
                    yield Located(person, spot, polarity, time)
                for person in ASKED:
                    yield Located(person, spot, ASK, time)


def there_is() -> Iterator[Exists]:
    """Yield what there is: 桌子 上 有 两 本 书, there are two books on the table; 椅子 上 有 猫 吗."""
    for noun, spot in product((*SMALL_THINGS, APPLE, EGG, ORANGE, CAT, RABBIT, BIRD, BOX), SURFACES):
        if noun is BOX and spot.en == "in the box":
            continue
        yield Exists(a(noun), spot)
        if noun.plural:
            yield Exists(two(noun), spot)
        yield Exists(general(noun), spot, NO)
        yield Exists(any_of(noun) if noun.plural else some(noun), spot, ASK)
    for drink in DRINKS.values():
        yield Exists(a(drink), SPOTS[0])


GOODS = (NEW, OLD, CHEAP, EXPENSIVE, PRETTY, RED, BLACK, WHITE)
LOOKS: dict[Noun, tuple[Adjective, ...]] = {
    BOOK: (NEW, OLD, INTERESTING, CHEAP, EXPENSIVE),
    NEWSPAPER: (OLD, INTERESTING),
    LETTER: (INTERESTING,),
    UMBRELLA: GOODS,
    HAT: GOODS,
    HAND_WATCH: GOODS[:5],
    BALL_BAT: GOODS[:4],
    CHAIR: GOODS,
    BICYCLE: GOODS,
    CAR: (BIG, SMALL, *GOODS),
    CUP: (BIG, SMALL, *GOODS),
    TABLE: (BIG, SMALL, *GOODS),
    BED: (BIG, SMALL, NEW, OLD),
    BOX: (BIG, SMALL, OLD),
    APPLE: (BIG, SMALL, RED, DELICIOUS),
    EGG: (BIG, SMALL, DELICIOUS),
    ORANGE: (BIG, SMALL, DELICIOUS),
    CAT: (BIG, SMALL, BLACK, WHITE, CUTE, HUNGRY),
    DOG: (BIG, SMALL, BLACK, CUTE, HUNGRY),
    BIRD: (BIG, SMALL, BLACK, PRETTY),
    HORSE: (BIG, BLACK, WHITE, PRETTY, HUNGRY),
    RABBIT: (SMALL, WHITE, CUTE, HUNGRY),
    FISH: (BIG, SMALL, RED, PRETTY),
}
#: These nouns are used with "this" and "that", rarely with "my" and "your".
POINTED_AT: dict[Noun, tuple[Adjective, ...]] = {
    FILM: (NEW, OLD, INTERESTING),
    FLOWER: (RED, WHITE, PRETTY),
    FLYING_BAT: (CUTE, HUNGRY),
    CAKE: (BIG, SMALL, DELICIOUS),
    BREAD: (BIG, SMALL, DELICIOUS),
    **dict.fromkeys(DRINKS.values(), (TASTY,)),
}


def qualities() -> Iterator[Described]:
    """Yield qualities: 那 朵 花 是 红色 的, that flower is red; 你 今天 忙 吗, are you busy today."""
    for looks, ways in ((LOOKS, (this, that, *OWNED)), (POINTED_AT, (this, that))):
        for noun, adjectives in looks.items():
            for how, adjective, polarity in product(ways, adjectives, POLARITIES):
                if polarity != ASK or how != MY.thing:
                    yield Described(how(noun), adjective, polarity)
    for adjective, time in product((HAPPY, TIRED, BUSY, HUNGRY), (TODAY, YESTERDAY, NOW)):
        for person, polarity in [*product((*SOMEONE, DOCTOR, STUDENTS), [YES, NO]), *product(ASKED, [ASK])]:
            yield Described(person, adjective, polarity, time)


def comparisons() -> Iterator[Compared]:
    """Yield comparisons: 我 的 狗 比 你 的 猫 大, my dog is bigger than your cat."""
    ways = (this, that, *OWNED)
    kinds = [(*nouns, BIG, SMALL) for nouns in ([(BIRD,)], [(HORSE,)], [(FISH,)], [(CAT, DOG, RABBIT)])]
    kinds += [(nouns, EXPENSIVE, CHEAP) for nouns in ((CAR, BICYCLE), (UMBRELLA, HAT, HAND_WATCH, CHAIR))]
    for nouns, adjective, opposite in kinds:
        for (how, noun), (other_how, other) in product(product(ways, nouns), repeat=2):
            if how != other_how:
                yield Compared(how(noun), other_how(other), adjective, opposite)
