"""Define the words of the micro-language, each with its translation and its grammatical properties.

A word with a synonym in both languages is written with a bar: 电影|影片 is film|movie. The first Chinese word always
goes with the first English one, the second with the second.
"""

from typing import NamedTuple


class Noun(NamedTuple):
    """Describe a countable thing (一 本 书, two books), or a substance that needs a container (一 杯 茶, a cup of tea)."""

    zh: str
    en: str
    measure: str = ""
    plural: str = ""  # It is given where it is used; uncountable nouns have none.
    vessel: str = ""  # Only uncountable nouns have a vessel.


class Verb(NamedTuple):
    """Describe an action. An English verb has up to five forms, a Chinese one has one."""

    zh: str
    base: str
    third: str = ""
    past: str = ""
    ing: str = ""
    done: str = ""  # The participle is given where the passive is used.


class Adjective(NamedTuple):
    """Describe a quality. `link` stands between the Chinese adjective and its noun; a short adjective needs none."""

    zh: str
    en: str
    link: str = " 的"
    comparative: str = ""


class Time(NamedTuple):
    """Describe a time. The tense decides the form of the English verb, and whether Chinese has 了, 会 or 在.

    A medial adverb (often) stands before the English verb; any other time stands at the end or at the front.
    """

    zh: str
    en: str
    tense: str  # past, future, now or habit
    medial: bool = False
    front: bool = True  # True if it may open a sentence.


def _nouns(*nouns: Noun) -> dict[str, Noun]:
    return {noun.en.split("|")[0]: noun for noun in nouns}


PEOPLE = _nouns(
    Noun("老师", "teacher"),
    Noun("医生", "doctor"),
    Noun("学生", "student", plural="students"),
    Noun("男孩", "boy"),
    Noun("女孩", "girl"),
    Noun("孩子|小孩", "child|kid", plural="children"),
    Noun("朋友", "friend", "个"),
)
KIN = _nouns(Noun("妈妈|母亲", "mum|mother"), Noun("爸爸|父亲", "dad|father"))
ANIMALS = _nouns(
    Noun("猫", "cat", "只", "cats"),
    Noun("狗", "dog", "只", "dogs"),
    Noun("鸟", "bird", "只", "birds"),
    Noun("马", "horse", "匹", "horses"),
    Noun("兔子", "rabbit", "只", "rabbits"),
    Noun("鱼", "fish", "条", "fish"),
    Noun("蝙蝠", "bat", "只", "bats"),
)
FOODS = _nouns(
    Noun("苹果", "apple", "个", "apples"),
    Noun("鸡蛋", "egg", "个", "eggs"),
    Noun("橙子", "orange", "个", "oranges"),
    Noun("蛋糕", "cake", "块", vessel="piece"),
    Noun("面包", "bread", "块", vessel="piece"),
)
DRINKS = _nouns(
    Noun("茶", "tea", "杯", vessel="cup"),
    Noun("咖啡", "coffee", "杯", vessel="cup"),
    Noun("牛奶", "milk", "杯", vessel="glass"),
    Noun("水", "water", "杯", vessel="glass"),
)
READINGS = _nouns(
    Noun("书", "book", "本", "books"),
    Noun("报纸", "newspaper", "份", "newspapers"),
    Noun("信", "letter", "封", "letters"),
)
FILM = Noun("电影|影片", "film|movie", "部", "films|movies")
THINGS = _nouns(
    Noun("伞", "umbrella", "把"),
    Noun("椅子", "chair", "把"),
    Noun("钥匙", "key", "把"),
    Noun("桌子", "table", "张"),
    Noun("床", "bed", "张"),
    Noun("箱子", "box", "个"),
    Noun("杯子", "cup", "个"),
    Noun("帽子", "hat", "顶"),
    Noun("手表", "watch", "块"),
    Noun("花", "flower", "朵", "flowers"),
    Noun("球棒", "bat", "根"),
    Noun("车", "car", "辆"),
    Noun("自行车|单车", "bicycle|bike", "辆"),
)

EAT = Verb("吃", "eat", "eats", "ate", "eating", "eaten")
DRINK = Verb("喝", "drink", "drinks", "drank", "drinking")
READ = Verb("看", "read", "reads", "read", "reading")
WATCH = Verb("看", "watch", "watches", "watched", "watching")
WRITE = Verb("写", "write", "writes", "wrote", "writing")
DRAW = Verb("画", "draw", "draws", "drew", "drawing")
BUY = Verb("买", "buy", "buys", "bought", "buying")
SEE = Verb("看见", "see", past="saw")
FEED = Verb("喂", "feed", "feeds", "fed", "feeding")
CHASE = Verb("追", "chase", past="chased", ing="chasing")
BREAK = Verb("弄坏", "break", past="broke", done="broken")  # The thing no longer works.
SMASH = Verb("打破", "break", past="broke", done="broken")  # The thing is in pieces.
LOSE = Verb("弄丢", "lose", past="lost", done="lost")
PUT = Verb("放 在", "put", past="put")
GIVE = Verb("送", "give", past="gave")
GIVE_TO = Verb("送 给", "give", past="gave")
GO = Verb("去", "go", "goes", "went", "going")
SLEEP = Verb("睡觉", "sleep", "sleeps", "slept", "sleeping")
WORK = Verb("工作", "work", "works", "worked", "working")
SING = Verb("唱歌", "sing", "sings", "sang", "singing")
RUN = Verb("跑步", "run", "runs", "ran", "running")
SWIM = Verb("游泳", "swim", "swims", "swam", "swimming")
PLAY_BY_HAND, PLAY_BY_FOOT, PLAY_BY_FINGER = (Verb(zh, "play", "plays", "played", "playing") for zh in ("打", "踢", "弹"))

BIG = Adjective("大", "big", "", "bigger")
SMALL = Adjective("小", "small", "", "smaller")
NEW = Adjective("新", "new", "")
OLD = Adjective("旧", "old", "")
CHEAP = Adjective("便宜", "cheap", comparative="cheaper")
EXPENSIVE = Adjective("贵", "expensive", comparative="more expensive")
RED, BLACK, WHITE = Adjective("红色", "red"), Adjective("黑色", "black"), Adjective("白色", "white")
PRETTY = Adjective("漂亮|好看", "beautiful|pretty")
INTERESTING = Adjective("有意思", "interesting")
DELICIOUS = Adjective("好吃", "tasty")  # of food
TASTY = Adjective("好喝", "tasty")  # of drinks
CUTE = Adjective("可爱", "cute")
HAPPY = Adjective("高兴|开心", "happy|cheerful")
TIRED, BUSY, HUNGRY = Adjective("累", "tired"), Adjective("忙", "busy"), Adjective("饿", "hungry")
COLOURS = (RED, BLACK, WHITE)
#: Said with 是 ... 的 and without degree: 那 把 伞 是 红色 的.
KINDS = (*COLOURS, NEW, OLD)

YESTERDAY = Time("昨天", "yesterday", "past")
LAST_NIGHT = Time("昨晚", "last night", "past")
LAST_WEEK = Time("上周", "last week", "past")
TOMORROW = Time("明天", "tomorrow", "future")
NEXT_WEEK = Time("下周", "next week", "future")
NOW = Time("现在", "now", "now")
TODAY = Time("今天", "today", "now")
EVERY_DAY = Time("每天", "every day", "habit")
EVERY_MORNING = Time("每天 早上", "every morning", "habit")
SOMETIMES = Time("有时", "sometimes", "habit", medial=True)
OFTEN = Time("常常|经常", "often|frequently", "habit", medial=True, front=False)
NEVER = Time("从不", "never", "habit", medial=True, front=False)
USUALLY = Time("", "", "habit", front=False)  # There is no word for it: the plain present is used.
