"""Give the pronunciation of the course's Chinese words: those of the micro-language, and the few that other texts add."""

from .micro import pinyin as micro_language

_FURTHER = """
爱 ài 机器 jīqì 学习 xuéxí 讨厌 tǎoyàn 玩具 wánjù 挨打 áidǎ 词 cí 向量 xiàngliàng
零 líng 二 èr 三 sān 四 sì 五 wǔ 六 liù 七 qī 八 bā 九 jiǔ 数字 shùzì 图 tú 着 zhe 一个 yígè 手写 shǒuxiě 有人 yǒurén 纸 zhǐ
"""
_ENTRIES = _FURTHER.split()

#: Word -> pinyin with tone marks.
PINYIN: dict[str, str] = micro_language.PINYIN | dict(zip(_ENTRIES[::2], _ENTRIES[1::2], strict=True))
