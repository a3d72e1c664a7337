"""Define how text is split into chunks before byte pairs are counted.

Without a split, byte-pair encoding would soon learn tokens such as "of the" or "dog." and spend its vocabulary on
phrases. Tokenizers therefore split the text first, by a regular expression, and never merge across chunks. `SPLIT` is the
course's own, similar to the one that GPT-2 uses (Radford et al. 2019, section 2.2).
"""

#: For the module `regex`, which knows Unicode's scripts and categories; Python's `re` does not. The alternatives are
#: tried from left to right. Together they accept every character: "".join(regex.findall(SPLIT, text)) == text.
SPLIT = (
    r"\p{Han}+"  # a run of Chinese characters: no spaces stand between Chinese words
    r"| ?(?:(?!\p{Han})[\p{L}\p{M}])+"  # a word of any other script, with the space before it
    r"|\p{N}{1,3}"  # digits, at most three at a time
    r"| ?[^\s\p{L}\p{N}]+"  # punctuation and emoji with their joiners, with the space before
    r"|\s+(?!\S)|\s+"  # white space; the last one before a word belongs to the word
)
