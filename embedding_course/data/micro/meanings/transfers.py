"""List what is given, put somewhere, eaten up, broken and lost."""

# ruff: noqa: I001
from collections.abc import Iterator
from itertools import product

from ..constructions import ASK, NO, YES, Event, Gift, Handover, Mishap, Request
from ..phrases import (
    BOY, CHILD, DOCTOR, FRIEND, GIRL, HE, HER, HER_TOO, HIM, HIS, I, ME, MY, SHE, TEACHER, THEY, YOUR, Phrase, a, that, the,
    this,
)
from ..words import BREAK, EAT, LAST_NIGHT, LOSE, PUT, SMASH, TOMORROW, YESTERDAY
from .cast import (
    APPLE, ASKED, BALL_BAT, BOOK, CAKE, CAT, CHAIR, CUP, DAD, DOG, EGG, FISH, FLOWER, HAND_WATCH, HAT, KEY, MUM, ORANGE,
    SMALL_THINGS, UMBRELLA,
)

SPOTS = [
    Phrase(zh, en)
    for zh, en in (
        ("桌子 上", "on the table"),
        ("床 上", "on the bed"),
        ("椅子 上", "on the chair"),
        ("箱子 里", "in the box"),
        ("车 里", "in the car"),
    )
]


def gifts() -> Iterator[Gift | Handover]:
    """Yield gifts: 她 昨天 送 给 了 老师 一 本 书, she gave the teacher a book yesterday."""
    givers = (I, HE, SHE, TEACHER, BOY, MY.kin(DAD), HER.kin(MUM))
    receivers = (ME, HIM, HER_TOO, DOCTOR, FRIEND, HIS.kin(MUM))
    things = [a(noun) for noun in (BOOK, CAKE, DOG, UMBRELLA, HAT, HAND_WATCH, FLOWER)]
    certain = [this(BOOK), *(that(noun) for noun in (BOOK, CAKE, UMBRELLA, HAT, HAND_WATCH, FLOWER, BALL_BAT))]
    for giver, receiver, time in product(givers, receivers, (YESTERDAY, TOMORROW)):
        if giver.zh.split()[0] == receiver.zh.split()[0]:
            continue  # Nobody gives to themselves, and "she gave her dad" is ambiguous.
        for thing in things:
            yield Gift(giver, receiver, thing, time)
        for thing, polarity in product(certain, (YES, NO)):
            yield Handover(giver, receiver, thing, time, polarity)


def things_put() -> Iterator[Event | Request]:
    """Yield things put somewhere: 她 昨天 把 那 本 书 放 在 了 桌子 上, she put that book on the table yesterday."""
    movers = (I, HE, SHE, THEY, TEACHER, BOY, CHILD, MY.kin(MUM))
    things = [how(noun) for how in (that, MY.thing, HER.thing) for noun in SMALL_THINGS[:-1]]
    things += [that(FLOWER), that(BALL_BAT), that(APPLE), that(CAKE)]
    for spot, thing in product(SPOTS, things):
        yield Request(thing, spot)
        for mover, polarity in [*product(movers, [YES, NO]), *product(ASKED[:6], [ASK])]:
            yield Event(mover, PUT, YESTERDAY, spot, moved=thing, polarity=polarity)


def mishaps() -> Iterator[Mishap]:
    """Yield mishaps: 猫 昨天 把 我 的 鱼 吃 了, the cat ate my fish yesterday."""
    pets = (the(CAT), the(DOG))
    agents = (*pets, CHILD, BOY, GIRL, TEACHER, MY.kin(MUM), HER.kin(DAD))
    whose = (that, MY.thing, YOUR.thing, HIS.thing, HER.thing)
    befalls = (
        (EAT, (APPLE, EGG, ORANGE, FISH)),
        (BREAK, (CHAIR, HAND_WATCH, UMBRELLA)),
        (SMASH, (CUP,)),
        (LOSE, (BOOK, KEY, HAT, BALL_BAT)),
    )
    for agent, time in product(agents, (YESTERDAY, LAST_NIGHT)):
        yield Mishap(agent, EAT, that(CAKE), time)
        for verb, nouns in befalls:
            if verb is not LOSE or agent not in pets:
                for how, noun in product(whose, nouns):
                    yield Mishap(agent, verb, how(noun), time)
