"""Words of the micro-language that have more than one meaning."""

#: By language, word and sense: the words that translate it.
AMBIGUOUS: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {
    "english": {
        "bat": {"animal": ("蝙蝠",), "thing": ("球棒",)},
        "watch": {"verb": ("看",), "thing": ("手表",)},
        "play": {"打": ("打",), "踢": ("踢",), "弹": ("弹",)},
    },
    "chinese": {
        "看": {"read": ("read", "reads", "reading"), "watch": ("watch", "watches", "watched", "watching")},
        "会": {"will": ("will",), "can": ("can", "cannot")},
    },
}
