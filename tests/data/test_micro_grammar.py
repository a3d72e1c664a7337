"""The micro-language's sentences are ones that people say: rules of both languages, checked on every sentence."""

import re

import pytest

from embedding_course.data.micro import micro_language, words
from embedding_course.data.micro.words import ANIMALS, DRINKS, FILM, FOODS, READINGS, THINGS

PAIRS = micro_language().everything
NOUNS = [*ANIMALS.values(), *FOODS.values(), *DRINKS.values(), *READINGS.values(), FILM, *THINGS.values()]
MEASURES = {zh: noun.measure for noun in NOUNS for zh in noun.zh.split("|")}
PAST = {"yesterday", "last"}
PROGRESSIVE = r"(?:am|is|are)(?: not)? \w+ing"
WH = {"什么", "哪里", "谁"}


def breaking(pattern: str, language: str = "english") -> list[str]:
    """The sentences in which the pattern is found."""
    compiled = re.compile(pattern)
    return [sentence for pair in PAIRS if compiled.search(sentence := getattr(pair, language))]


@pytest.mark.parametrize(
    "wrong",
    [
        r"\ba [aeiou]",
        r"\ban [^aeiou]",
        r"\b(did|does|do|will|can|cannot|to) (not )?(\w+ )?(ate|drank|went|bought|gave|wrote|drew|saw|eats|goes|drinks)\b",
        r"\b(two|any|no) (cat|dog|bird|horse|rabbit|apple|egg|orange|book|newspaper|letter|flower|film|movie)\b",
        r"\b(a|an|this|that) (\w+ )?(cats|dogs|birds|horses|rabbits|apples|eggs|books|newspapers|letters|flowers|films)\b",
        r"\b(a|an|two|this|that|any) (my|your|his|her|the|a|an)\b",
        r"\b(\w+) \1\b",
        r"[|.?,]|  |^ | $",
    ],
)
def test_no_sentence_breaks_a_rule_of_english(wrong: str) -> None:
    assert not breaking(wrong)


@pytest.mark.parametrize(
    "wrong",
    [
        r"\b没\b.*\b了\b",  # a negated past has no 了
        r"\b会\b.*\b了\b",
        r"一 (?:只|条|个)? ?(?:茶|咖啡|牛奶|水)",
        r"\b(正在|没 在|现在 在) (?:在|正在)\b",
        r"吗 .",
        r"二",
        r"[|。？，]|  |^ | $",
    ],
)
def test_no_sentence_breaks_a_rule_of_chinese(wrong: str) -> None:
    assert not breaking(wrong, "chinese")


_VERBS = [value for value in vars(words).values() if isinstance(value, words.Verb)]
_THIRD = {verb.third for verb in _VERBS} | {"is", "was", "does", "likes", "wants"}
_MANY = {verb.base for verb in _VERBS if verb.base not in ("read", "put")} | {"are", "were", "do", "like", "want"}
_AFTER = {"I": (_MANY | {"am", "was"}) - {"are", "were"}, "one": _THIRD, "many": _MANY}
_ADVERBS = r"(?:often |frequently |sometimes |never )?"
_TIMES = r"(?:yesterday |last night |last week |now |today |every day |every morning |sometimes )?"
_PEOPLE = r"teacher|doctor|student|boy|girl|child|kid|mum|mother|dad|father|cat|dog|bird|horse|rabbit|fish|bat"
_SUBJECTS = {
    "I": r"I",
    "one": rf"(?:he|she|(?:the|my|your|his|her|this|that) (?:{_PEOPLE}))",
    "many": r"(?:you|we|they|the students|the children|(?:those )?two \w+)",
}


@pytest.mark.parametrize("number", _SUBJECTS)
def test_verbs_agree_with_their_subjects(number: str) -> None:
    """In statements the verb follows, in questions the auxiliary goes before."""
    statement = re.compile(rf"^{_TIMES}{_SUBJECTS[number]} {_ADVERBS}(\w+)")
    question = re.compile(rf"^(?:what |where )?(is|are|am|was|were|do|does) {_SUBJECTS[number]} ")
    seen = 0
    for pair in PAIRS:
        match = statement.search(pair.english) or question.search(pair.english)
        if match and match[1] in _THIRD | _MANY | {"am"}:
            seen += 1
            assert match[1] in _AFTER[number], pair.english
    assert seen > 500


def test_every_noun_is_counted_with_its_own_measure_word() -> None:
    counted = 0
    for pair in PAIRS:
        for measure, noun in re.findall(r"(?:一|两|这|那) (\S+)(?: \S+ 的| 大| 小| 新| 旧)? (\S+)", pair.chinese):
            if noun in MEASURES and measure != "两":
                counted += 1
                assert MEASURES[noun] == measure, pair.chinese
    assert counted > 20_000


def test_the_time_word_decides_the_tense() -> None:
    for pair in PAIRS:
        words = pair.english.split()
        if PAST & set(words):
            assert not {"will", "am", "is", "are", "do", "does"} & set(words), pair.english
        elif {"tomorrow", "next"} & set(words):
            assert "will" in words and "会" in pair.chinese.split(), pair.english
        elif "now" in words:
            assert re.search(PROGRESSIVE, pair.english) or {"am", "is", "are"} & set(words), pair.english


def test_questions_have_吗_or_a_question_word_and_never_both() -> None:
    openers = {"did", "will", "does", "do", "is", "are", "am", "was", "were", "can", "what", "where", "who"}
    for pair in PAIRS:
        words = pair.chinese.split()
        particle, question_word = words[-1] == "吗", bool(WH & set(words))
        assert not (particle and question_word), pair.chinese
        assert (particle or question_word) == (pair.english.split()[0] in openers), pair


def test_nobody_asks_about_himself_or_gives_to_himself() -> None:
    assert not breaking(r"^(did|will|do|am|was|can) I\b")
    assert not breaking(r"\bI .*\bgave me\b|\bI .* to me\b|\bI will give me\b")


def test_every_sentence_is_short_and_begins_and_ends_with_a_word() -> None:
    for pair in PAIRS:
        assert 3 <= len(pair.english.split()) <= 13 and 3 <= len(pair.chinese.split()) <= 14
        assert pair.raw == "".join(pair.chinese.split())
