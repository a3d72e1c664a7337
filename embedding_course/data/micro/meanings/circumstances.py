"""List where, how and with whom something is done, and what animals do."""

# ruff: noqa: I001
from collections.abc import Callable, Iterator
from itertools import product

from ..constructions import ASK, NO, YES, Event
from ..phrases import (
    BOY, CHILDREN, DOCTOR, FRIEND, GIRL, HE, HER, HIS, I, MY, SHE, STUDENTS, TEACHER, THEY, Phrase, a, any_of, general, some,
    that, the, those_two, two,
)
from ..words import (
    BUY, CHASE, DRAW, DRINK, EAT, EVERY_DAY, FEED, FILM, GO, LAST_NIGHT, LAST_WEEK, NOW, READ, RUN, SING, SLEEP, SWIM, TOMORROW,
    WATCH, WORK, WRITE, YESTERDAY, Noun, Verb,
)
from .cast import (
    APPLE, ASKED, BIRD, BOOK, BREAD, CAKE, CAT, COFFEE, DAD, DOG, EGG, FISH, FLOWER, FLYING_BAT, GAMES, GOALS, HORSE, LETTER,
    MILK, MINORS, MOVES, MUM, NEWSPAPER, PLACES, RABBIT, SOMEONE, TEA, WATER, Doing,
)

BY_CAR = Phrase("开 车", "by car")
WAYS = (
    None,
    Phrase("坐 公共汽车", "by bus"),
    BY_CAR,
    Phrase("骑 自行车|单车", "by bicycle|bike"),
    Phrase("走路", "on foot"),
)


def doings_at(how: Callable[[Noun], Phrase]) -> Iterator[tuple[Phrase, Verb, Phrase | None]]:
    """Yield places, and what is done at each: (place, verb, object or None)."""
    there: dict[str, list[Doing]] = {
        "library": [(READ, how(BOOK)), (READ, how(NEWSPAPER)), (WRITE, how(LETTER)), (WORK, None)],
        "park": [(RUN, None), (SING, None), *GAMES[:2], (READ, how(BOOK)), (DRAW, how(FLOWER)), (DRAW, how(BIRD))],
        "kitchen": [(EAT, how(APPLE)), (EAT, how(CAKE)), (DRINK, how(TEA)), (DRINK, how(MILK)), (SING, None)],
        "garden": [(SING, None), (READ, how(BOOK)), (DRINK, how(TEA)), (DRAW, how(FLOWER)), (SLEEP, None)],
        "river": [(SWIM, None)],
        "school": [(WORK, None), *GAMES, (SING, None), (EAT, how(BREAD)), (DRAW, how(HORSE))],
        "home": [
            *((WATCH, how(FILM)), (SLEEP, None), (READ, how(NEWSPAPER))),
            *((WRITE, how(LETTER)), (EAT, how(EGG)), GAMES[2]),
        ],
        "hospital": [(WORK, None), (SLEEP, None), (READ, how(BOOK))],
        "shop": [(WORK, None), (BUY, how(APPLE)), (BUY, how(FLOWER))],
    }
    for place, doings in there.items():
        for verb, thing in doings:
            yield PLACES[place], verb, thing


def events_at_places() -> Iterator[Event]:
    """Yield events at a place: 他们 现在 正在 公园 里 踢 足球, they are playing football in the park now."""
    subjects = (*SOMEONE, DOCTOR, STUDENTS, CHILDREN)
    for (place, verb, thing), subject, time in product(doings_at(a), subjects, (YESTERDAY, TOMORROW, NOW)):
        if verb in (WORK, SLEEP) and time is YESTERDAY:
            continue  # 了 does not fit these two verbs.
        if verb is not WORK or subject not in MINORS:
            yield Event(subject, verb, time, thing, adjunct=place)
    for place, verb, thing in doings_at(some):
        for subject, polarity in [*product(SOMEONE, [NO]), *product(ASKED, [ASK])]:
            if verb is not WORK or subject not in MINORS:
                yield Event(subject, verb, NOW, thing, adjunct=place, polarity=polarity)
    for (place, verb, thing), subject in product(doings_at(any_of), SOMEONE):
        if verb is not WORK or subject not in MINORS:
            yield Event(subject, verb, YESTERDAY, thing, adjunct=place, polarity=NO)


def journeys() -> Iterator[Event]:
    """Yield journeys: 她 每天 坐 公共汽车 去 学校, she goes to school by bus every day."""
    for goal, way, time in product(GOALS, WAYS, (YESTERDAY, TOMORROW, EVERY_DAY)):
        polarities = (YES,) if time is EVERY_DAY else (YES, NO)
        travellers = (*SOMEONE, DOCTOR, STUDENTS, CHILDREN)
        for subject, polarity in [*product(travellers, polarities), *product(ASKED, [ASK])]:
            if way is not BY_CAR or subject not in MINORS:
                yield Event(subject, GO, time, goal, adjunct=way, polarity=polarity)


def company() -> Iterator[Event]:
    """Yield events with company: 我 昨天 和 一 个 朋友 一起 去 了 公园, I went to the park with a friend yesterday."""
    doings: list[Doing] = [*((GO, goal) for goal in GOALS), *MOVES, *GAMES[:2], (WATCH, a(FILM))]
    walks: list[Doing] = [*((GO, goal) for goal in GOALS if "park" in goal.en), (RUN, None), (SWIM, None)]
    for subject, own in ((I, MY), (HE, HIS), (SHE, HER), (BOY, HIS), (GIRL, HER)):
        friends = (FRIEND, TEACHER, STUDENTS, own.kin(MUM), own.kin(DAD))
        together = [*product(friends, doings), *product([own.thing(DOG)], walks)]
        for (friend, (verb, thing)), time in product(together, (YESTERDAY, LAST_WEEK, TOMORROW)):
            yield Event(subject, verb, time, thing, adjunct=Phrase(f"和 {friend.zh} 一起", f"with {friend.en}"))


def manners() -> Iterator[Event]:
    """Yield events with a manner: 她 现在 正在 安静地 看 一 本 书, she is reading a book quietly now."""
    doings: list[Doing] = [(READ, a(noun)) for noun in (BOOK, LETTER)]
    doings += [(DRINK, a(TEA)), (DRINK, a(COFFEE)), (EAT, a(APPLE)), (EAT, a(CAKE))]
    doings += [(WRITE, a(LETTER)), (DRAW, a(FLOWER)), (DRAW, a(HORSE))]
    for subject, (verb, thing), time in product(SOMEONE, doings, (YESTERDAY, NOW)):
        for manner in (Phrase("慢慢地", "slowly"), Phrase("安静地", "quietly")):
            yield Event(subject, verb, time, thing, adjunct=manner)


def animals() -> Iterator[Event]:
    """Yield what animals do: 那 只 狗 昨天 追 了 我 的 猫, that dog chased my cat yesterday."""
    hunters = [how(pet) for how in (the, that, those_two, MY.thing, HER.thing) for pet in (CAT, DOG)]
    hunted = [that(BIRD), that(RABBIT), a(RABBIT), a(BIRD), two(BIRD), HIS.thing(RABBIT), *hunters[2:]]
    hunted += [how(FLYING_BAT) for how in (a, two, that, those_two)]
    for hunter, prey, time in product(hunters, hunted, (YESTERDAY, LAST_NIGHT, NOW)):
        if hunter != prey:
            yield Event(hunter, CHASE, time, prey)
    ways = (that, those_two, MY.thing, HER.thing)
    pets = [how(animal) for how in ways for animal in (CAT, DOG, BIRD, HORSE, RABBIT)]
    fed = [*pets, *(how(FISH) for how in ways), that(FLYING_BAT), those_two(FLYING_BAT)]
    for subject, pet, time in product((I, HE, SHE, THEY, GIRL, MY.kin(MUM)), fed, (YESTERDAY, NOW, EVERY_DAY, TOMORROW)):
        yield Event(subject, FEED, time, pet)
    resting = [*pets, the(CAT), the(DOG), the(FLYING_BAT), *fed[-2:]]
    doings: list[tuple[Phrase, Doing]] = [*product(resting, [(SLEEP, None), (DRINK, general(WATER))])]
    doings += [(how(animal), (EAT, some(APPLE))) for how in (that, MY.thing, HER.thing) for animal in (HORSE, RABBIT)]
    for (pet, (verb, thing)), polarity in product(doings, (YES, NO, ASK)):
        yield Event(pet, verb, NOW, thing, polarity=polarity)
