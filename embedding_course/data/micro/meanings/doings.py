"""List what is done, was not done, is often done, is wished for. Verbs choose their objects here."""

# ruff: noqa: I001
from collections.abc import Callable, Iterator
from itertools import product

from ..constructions import ASK, CAN, LIKE, NO, WANT, YES, Event, Wish
from ..phrases import DOCTOR, STUDENTS, Phrase, a, any_of, general, some, that, this, two
from ..words import (
    ANIMALS, BIG, BLACK, BUY, CUTE, DELICIOUS, DRAW, DRINK, DRINKS, EAT, EVERY_DAY, EVERY_MORNING, FILM, FOODS, GO, INTERESTING,
    LAST_NIGHT, LAST_WEEK, NEVER, NEW, NEXT_WEEK, OFTEN, OLD, PRETTY, READ, READINGS, RED, SEE, SMALL, SOMETIMES, TOMORROW,
    USUALLY, WATCH, WHITE, WRITE, YESTERDAY, Adjective, Noun, Verb,
)
from .cast import (
    APPLE, ASKED, BALL_BAT, BICYCLE, BIRD, BOOK, CAKE, CAR, CAT, CHAIR, CUP, DOG, EGG, FISH, FLOWER, FLYING_BAT, GAMES, GOALS,
    GOODS, HAND_WATCH, HAT, HORSE, LETTER, MILK, MOVES, NEWSPAPER, ORANGE, RABBIT, SOMEONE, UMBRELLA, Doing,
)

LOOKS: dict[Noun, tuple[Adjective, ...]] = {
    BOOK: (NEW, OLD, INTERESTING),
    NEWSPAPER: (OLD,),
    APPLE: (BIG, RED, DELICIOUS),
    ORANGE: (BIG, DELICIOUS),
    UMBRELLA: (RED, BLACK, OLD, NEW, PRETTY),
    HAT: (RED, BLACK, WHITE, NEW, PRETTY),
    HAND_WATCH: (NEW, OLD, PRETTY),
    FLOWER: (RED, WHITE, PRETTY),
    BALL_BAT: (NEW, OLD),
    CAR: (RED, BLACK, WHITE, NEW, OLD, SMALL),
    BICYCLE: (RED, BLACK, NEW, OLD),
    CHAIR: (WHITE, OLD, NEW, SMALL),
    CUP: (WHITE, RED, BIG, SMALL, PRETTY),
}
COATS: dict[Noun, tuple[Adjective, ...]] = {
    CAT: (BIG, SMALL, BLACK, WHITE, CUTE),
    DOG: (BIG, SMALL, BLACK, WHITE, CUTE),
    HORSE: (BLACK, WHITE, PRETTY),
    RABBIT: (BIG, SMALL, WHITE, CUTE),
    BIRD: (SMALL, BLACK, WHITE, PRETTY),
    FISH: (BIG, RED, PRETTY),
    FLYING_BAT: (BIG, SMALL, BLACK),
}


def _with(verb: Verb, *objects: Phrase) -> list[Doing]:
    return [(verb, phrase) for phrase in objects]


def _consumed(how: Callable[[Noun], Phrase]) -> list[Doing]:
    """Return eating, drinking, reading, watching and writing, each with objects phrased by `how`."""
    return [
        *_with(EAT, *map(how, FOODS.values())),
        *_with(DRINK, *map(how, DRINKS.values())),
        *_with(READ, *map(how, READINGS.values())),
        (WATCH, how(FILM)),
        (WRITE, how(LETTER)),
    ]


def things_done() -> Iterator[Event]:
    """Yield actions: 老师 昨天 买 了 两 本 书, the teacher bought two books yesterday."""
    doings = [*_consumed(a), *_with(READ, two(BOOK), two(LETTER)), (WATCH, two(FILM)), (WRITE, two(LETTER))]
    doings += _with(EAT, two(APPLE), two(EGG), two(ORANGE))
    doings += [(DRAW, how(noun)) for noun in (CAT, DOG, BIRD, HORSE, RABBIT, FISH, FLOWER) for how in (a, two)]
    for subject, (verb, thing), time in product(SOMEONE, doings, (YESTERDAY, LAST_NIGHT, TOMORROW)):
        yield Event(subject, verb, time, thing)
    bought = [*map(a, (BOOK, NEWSPAPER, *GOODS, APPLE, ORANGE)), *map(two, (BOOK, FLOWER, APPLE, EGG))]
    for subject, thing, time in product(SOMEONE, bought, (YESTERDAY, LAST_WEEK, TOMORROW, NEXT_WEEK)):
        yield Event(subject, BUY, time, thing)
    for animal, how, subject, time in product(ANIMALS.values(), (a, two), SOMEONE, (YESTERDAY, LAST_NIGHT)):
        yield Event(subject, SEE, time, how(animal))


def choices_made() -> Iterator[Event]:
    """Yield actions with a described object: 她 上周 买 了 一 顶 红色 的 帽子, she bought a red hat last week."""
    for noun, adjectives in LOOKS.items():
        for adjective, subject, time in product(adjectives, SOMEONE, (YESTERDAY, LAST_WEEK)):
            yield Event(subject, BUY, time, a(noun, adjective))
    for noun, adjectives in COATS.items():
        for adjective, subject in product(adjectives, SOMEONE):
            yield Event(subject, SEE, YESTERDAY, a(noun, adjective))


def not_done_and_asked() -> Iterator[Event]:
    """Yield negations (她 昨天 没 喝 茶, she did not drink any tea yesterday) and questions (你 明天 会 买 那 把 伞 吗)."""
    doings = [*_consumed(any_of), *_with(BUY, *map(any_of, (BOOK, FLOWER, APPLE, EGG)))]
    doings += [*_with(READ, this(BOOK), *map(that, READINGS.values())), *_with(WATCH, this(FILM), that(FILM))]
    doings += [*_with(BUY, *map(that, GOODS)), (EAT, that(CAKE)), (EAT, that(ORANGE)), (DRINK, that(MILK))]
    for (verb, thing), time in product(doings, (YESTERDAY, TOMORROW)):
        for subject in SOMEONE:
            yield Event(subject, verb, time, thing, polarity=NO)
        for subject in ASKED:
            yield Event(subject, verb, time, thing, polarity=ASK)


def habits() -> Iterator[Event]:
    """Yield habits: 我 妈妈 每天 早上 喝 咖啡, my mum drinks coffee every morning; 他 从不 看 报纸, he never reads them."""
    doings = [*_consumed(general), *GAMES, *MOVES]
    subjects = (*SOMEONE, DOCTOR, STUDENTS)
    times = (EVERY_DAY, EVERY_MORNING, SOMETIMES, OFTEN, NEVER)
    for subject, (verb, thing), time in product(subjects, doings, times):
        yield Event(subject, verb, time, thing)
    for subject, (verb, thing) in product(ASKED, doings):
        yield Event(subject, verb, EVERY_DAY, thing, polarity=ASK)
    for verb, stuffs in ((EAT, FOODS), (DRINK, DRINKS)):
        for thing in map(general, stuffs.values()):
            for subject, polarity in [*product(subjects, [NO]), *product(ASKED, [ASK])]:
                yield Event(subject, verb, USUALLY, thing, polarity=polarity)


def wishes() -> Iterator[Wish]:
    """Yield wishes and abilities: 她 不 想 看 电影, she does not want to watch a film."""
    wanted = [*_consumed(some), *GAMES, *MOVES, *_with(GO, *GOALS)]
    liked = [*_consumed(general), *GAMES, *MOVES]
    skills = [*GAMES, *MOVES, *_with(DRAW, *map(general, (BIRD, HORSE, FLOWER)))]
    statements = [*product((*SOMEONE, DOCTOR, STUDENTS), (YES, NO))]
    for modal, doings in ((WANT, wanted), (LIKE, liked), (CAN, skills)):
        for verb, thing in doings:
            for subject, polarity in [*statements, *product(ASKED, [ASK])]:
                yield Wish(subject, modal, verb, thing, polarity)
