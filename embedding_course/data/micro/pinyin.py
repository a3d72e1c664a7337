"""Give the pronunciation of the micro-language's Chinese words: labels for figures where no font has the characters."""

_LINES = """
昨天 zuótiān 了 le 的 de 她 tā 我 wǒ 一 yī 在 zài 把 bǎ 他 tā 会 huì 里 lǐ 明天 míngtiān 那 nà 没 méi 去 qù 买 mǎi
妈妈 māma 母亲 mǔqīn 放 fàng 不 bù 现在 xiànzài 给 gěi 送 sòng 吃 chī 吗 ma 看 kàn 只 zhī 个 gè 上 shàng 昨晚 zuówǎn
书 shū 男孩 nánhái 老师 lǎoshī 父亲 fùqīn 爸爸 bàba 孩子 háizi 每天 měitiān 块 kuài 你 nǐ 小孩 xiǎohái 车 chē 两 liǎng
他们 tāmen 伞 sǎn 女孩 nǚhái 帽子 màozi 上周 shàngzhōu 椅子 yǐzi 手表 shǒubiǎo 喝 hē 公园 gōngyuán 学校 xuéxiào
本 běn 正在 zhèngzài 花 huā 狗 gǒu 画 huà 信 xìn 一起 yìqǐ 和 hé 被 bèi 图书馆 túshūguǎn 苹果 píngguǒ 朵 duǒ 猫 māo
商店 shāngdiàn 骑 qí 医院 yīyuàn 医生 yīshēng 比 bǐ 我们 wǒmen 蛋糕 dàngāo 杯子 bēizi 辆 liàng 顶 dǐng 单车 dānchē
自行车 zìxíngchē 学生 xuésheng 报纸 bàozhǐ 这 zhè 们 men 看见 kànjiàn 桌子 zhuōzi 床 chuáng 箱子 xiāngzi 鸡蛋 jīdàn
鸟 niǎo 家 jiā 喂 wèi 兔子 tùzi 橙子 chéngzi 弄丢 nòngdiū 朋友 péngyou 球棒 qiúbàng 部 bù 唱歌 chànggē 厨房 chúfáng
弄坏 nònghuài 鱼 yú 马 mǎ 花园 huāyuán 封 fēng 想 xiǎng 钥匙 yàoshi 写 xiě 影片 yǐngpiàn 电影 diànyǐng
公共汽车 gōnggòngqìchē 坐 zuò 走路 zǒulù 杯 bēi 根 gēn 很 hěn 是 shì 追 zhuī 茶 chá 喜欢 xǐhuan 打 dǎ 篮球 lánqiú
足球 zúqiú 踢 tī 大 dà 小 xiǎo 份 fèn 匹 pǐ 便宜 piányi 贵 guì 开 kāi 旧 jiù 游泳 yóuyǒng 跑步 pǎobù 新 xīn 弹 tán
钢琴 gāngqín 牛奶 niúnǎi 早上 zǎoshang 有时 yǒushí 什么 shénme 红色 hóngsè 条 tiáo 面包 miànbāo 黑色 hēisè 白色 báisè
睡觉 shuìjiào 好看 hǎokàn 漂亮 piàoliang 哪里 nǎlǐ 蝙蝠 biānfú 咖啡 kāfēi 水 shuǐ 下周 xiàzhōu 安静地 ānjìngde
慢慢地 mànmànde 工作 gōngzuò 打破 dǎpò 今天 jīntiān 有 yǒu 从不 cóngbù 常常 chángcháng 经常 jīngcháng 饿 è 开心 kāixīn
忙 máng 累 lèi 高兴 gāoxìng 谁 shéi 河 hé 好吃 hǎochī 可爱 kě'ài 请 qǐng 有意思 yǒuyìsi 没有 méiyǒu 张 zhāng 好喝 hǎohē
"""
_ENTRIES = _LINES.split()

#: Word -> pinyin with tone marks.
PINYIN: dict[str, str] = dict(zip(_ENTRIES[::2], _ENTRIES[1::2], strict=True))
