"""Define who and what the meanings are about: the people who act, the places, the nouns by name."""

from ..phrases import BOY, CHILD, CHILDREN, GIRL, HE, HER, HIS, MY, SHE, STUDENT, TEACHER, THEY, WE, YOU, YOUR, I, Phrase
from ..words import ANIMALS, DRINKS, FOODS, PLAY_BY_FINGER, PLAY_BY_FOOT, PLAY_BY_HAND, READINGS, RUN, SING, SWIM, THINGS, Verb

MUM, DAD = "mum", "dad"
SOMEONE = (I, HE, SHE, WE, THEY, TEACHER, BOY, GIRL, CHILD, MY.kin(MUM), HIS.kin(DAD), HER.kin(MUM))
MINORS = (BOY, GIRL, CHILD, CHILDREN)  # Children do not go to work.
ASKED = (YOU, HE, SHE, THEY, STUDENT, CHILD, YOUR.kin(DAD), HER.kin(MUM))  # A question "did I" would be unusual.

PLACES = {
    name: Phrase(f"在 {zh} 里", en)
    for name, zh, en in (
        ("school", "学校", "at school"),
        ("park", "公园", "in the park"),
        ("library", "图书馆", "in the library"),
        ("hospital", "医院", "in the hospital"),
        ("shop", "商店", "in the shop"),
        ("garden", "花园", "in the garden"),
        ("kitchen", "厨房", "in the kitchen"),
        ("river", "河", "in the river"),
        ("home", "家", "at home"),
    )
}
GOALS = [
    Phrase(zh, en)
    for zh, en in (
        ("学校", "to school"),
        ("公园", "to the park"),
        ("图书馆", "to the library"),
        ("医院", "to the hospital"),
        ("商店", "to the shop"),
    )
]

CAT, DOG, BIRD, HORSE, RABBIT, FISH, FLYING_BAT = ANIMALS.values()
APPLE, EGG, ORANGE, CAKE, BREAD = FOODS.values()
TEA, COFFEE, MILK, WATER = DRINKS.values()
BOOK, NEWSPAPER, LETTER = READINGS.values()
UMBRELLA, CHAIR, KEY, TABLE, BED, BOX, CUP, HAT, HAND_WATCH, FLOWER, BALL_BAT, CAR, BICYCLE = THINGS.values()
GOODS = [UMBRELLA, HAT, HAND_WATCH, FLOWER, BALL_BAT, CAR, BICYCLE, CHAIR, CUP]
SMALL_THINGS = [BOOK, NEWSPAPER, LETTER, UMBRELLA, KEY, CUP, HAT, HAND_WATCH, FLOWER]

Doing = tuple[Verb, Phrase | None]
GAMES: list[Doing] = [
    (PLAY_BY_HAND, Phrase("篮球", "basketball")),
    (PLAY_BY_FOOT, Phrase("足球", "football")),
    (PLAY_BY_FINGER, Phrase("钢琴", "the piano")),
]
MOVES: list[Doing] = [(SING, None), (RUN, None), (SWIM, None)]
