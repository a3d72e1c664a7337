"""Texts to train on and tables to encode with, for the cases on byte pairs.

The words and counts were searched for by a program: with a space before each word, no step of the first eight (with
`PIECES`, six) merges has a tie for the highest count, so that there is one right answer, and leaving the counts out
changes it. The tables are what training on these texts gives. Renaming the letters a to f changes nothing of that,
which is how fresh inputs are made of them.
"""

#: A second pattern: at most three letters at a time, whatever else together.
PIECES = r"[a-z]{1,3}|[^a-z]+"

#: Words with their counts; those of RUNS hold runs of one letter.
WORDS = (
    {"efbec": 5, "efc": 6, "db": 6, "fcf": 4, "ccffac": 5, "fcebe": 4, "cefb": 3, "ecfdbb": 6, "fefa": 2},
    {"fdb": 6, "ba": 2, "abc": 5, "abccee": 3, "bccbab": 2, "fe": 5, "adaae": 4, "cdadbe": 3},
    {"fee": 3, "aeef": 1, "ae": 5, "db": 2, "aeece": 4, "aee": 6, "fce": 6, "df": 5, "add": 3},
)
RUNS = (
    {"fffffdd": 2, "cccdd": 5, "edbece": 3, "ccccbc": 6, "ffffab": 6, "aaaaba": 5, "fffba": 5},
    {"cbe": 4, "eeeeecf": 5, "ccccfe": 4, "bbbbbeb": 6, "dddddbc": 2, "dd": 5, "cccda": 5, "dc": 2, "aaabc": 6},
    {"ff": 4, "ab": 3, "bfeeee": 1, "fffffee": 6, "baa": 3, "ebfebd": 6, "dddddfa": 5, "fffffdb": 6, "ba": 5},
)
#: The same for the pattern PIECES.
PIECES_WORDS = (
    {"de": 6, "acaabc": 1, "faaa": 2, "fabb": 3, "bbf": 5, "faacf": 5, "bfdf": 4, "bcfbaf": 3},
    {"ca": 5, "ba": 1, "fd": 6, "dcbdea": 1, "fa": 2, "ee": 4, "ceecb": 3, "fca": 5},
    {"ddaa": 1, "ebab": 2, "efc": 1, "ebebc": 6, "ebeed": 1, "de": 5, "db": 6, "ecdc": 4, "ddedb": 5},
)
#: For each of WORDS and RUNS, the pairs in the order of merging; ids 97 to 102 are the letters a to f.
MERGES = (
    [(32, 101), (99, 102), (100, 98), (256, 102), (32, 102), (98, 101), (32, 99), (102, 97)],
    [(32, 97), (32, 102), (98, 99), (100, 98), (256, 258), (100, 97), (257, 259), (257, 101)],
    [(32, 97), (256, 101), (257, 101), (99, 101), (32, 102), (32, 100), (260, 259), (261, 102)],
    [(102, 102), (99, 99), (97, 97), (32, 256), (32, 257), (98, 97), (259, 256), (100, 100)],
    [(98, 98), (99, 99), (101, 101), (100, 100), (97, 97), (98, 101), (32, 257), (98, 99)],
    [(102, 102), (100, 100), (32, 256), (102, 101), (258, 256), (32, 98), (261, 97), (259, 101)],
)
PIECES_MERGES = (
    [(102, 97), (98, 102), (99, 102), (256, 97), (100, 101), (98, 257)],
    [(99, 97), (101, 101), (102, 100), (102, 256), (99, 98), (99, 257)],
    [(100, 98), (100, 101), (101, 98), (258, 101), (98, 99), (100, 257)],
)
#: Words in three scripts with their counts, the letters as they stand: no tie in the first eleven merges, among which
#: are a whole Chinese character, a whole emoji and a capital letter. 爱, 爸 and 爷 share their first two bytes: without
#: a shared byte, the two pairs of a character would always tie.
SCRIPTS = (
    {"Love": 4, "🐱🙂🙂": 3, "爷爸": 6, "🙂🙂": 2, "爸": 7, "🙃": 2, "LOVE": 3, "爷": 2, "爱爱": 9, "爱": 6},
    {"Love": 4, "🐱🙂🙂": 3, "爱爱": 8, "LOVE": 2, "🐶🙂": 2, "🙃": 1, "爸": 8, "爱": 7, "爱爸": 9, "🙂🙂": 7},
    {"🐱🙂🙂": 2, "LOVE": 2, "🙂🙂": 3, "爸": 7, "爷爸": 8, "Love": 2, "lo": 2, "🙃": 2, "爷": 8, "爱": 7},
)
#: Pieces of a text with their counts, in this order; no tie in the first five merges. Cut otherwise than by SPLIT (marks
#: apart from their letters, numbers whole, no space before a bracket), it gives other merges.
CUTS = {
    ".\n": 6, " (": 2, " (x": 9, " pa\u0301": 3, " 1111": 4, " 111111": 9, " e\u0301": 4, " cafe\u0301": 3,
}
#: Three tables that training gives, each with a word in which another order of merging than that of learning shows.
RIVALS = (
    ([(97, 97), (98, 256), (100, 98)], "dbaabcd"),  # the pair (98, 256) is there only after the first merge
    ([(99, 98), (256, 99), (98, 97)], "cbaba"),  # the last merge stands twice, and has the smallest ids
    ([(97, 98), (98, 100), (256, 98)], "abbd"),  # the last merge makes the longest token
)
#: A text with ties, in Chinese, English and emoji, and one of its right tables.
CHINESE = "我爱机器学习，机器也爱学习。狗很可爱，我爱狗，狗也爱我 🙂🙂 学习 学习 机器 I love dogs, dogs love me 🙂 love love"
CHINESE_MERGES = (
    (228, 185),
    (231, 136),
    (257, 177),
    (229, 173),
    (259, 166),
    (260, 256),
    (261, 160),
    (32, 108),
    (263, 111),
    (264, 118),
    (265, 101),
    (230, 136),
    (267, 145),
    (230, 156),
    (269, 186),
    (270, 229),
    (271, 153),
    (272, 168),
    (239, 188),
    (274, 140),
    (231, 139),
    (276, 151),
    (240, 159),
    (278, 153),
    (279, 130),
    (268, 258),
    (256, 159),
    (282, 258),
    (32, 280),
    (32, 100),
    (285, 111),
    (286, 103),
    (287, 115),
    (281, 273),
    (289, 262),
    (273, 283),
    (291, 262),
    (227, 128),
    (293, 130),
    (277, 229),
)
