"""My search engine: found are the texts that share the most words with the query. It can be beaten."""

import re


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]+", text.lower()))


class Engine:
    def __init__(self, documents: list[str], further: list[str]) -> None:
        """`documents` are searched. `further` are texts of the same form that answer no query: learn from them if you like.

        A text has three lines: a name, its first sentence, its details.
        Published models may be used as well; README.md says how.
        """
        self.documents = [words(document) for document in documents]

    def search(self, query: str, k: int) -> list[int]:
        """Places of the k best documents, best first, none twice; fewer if nothing else fits."""
        asked = words(query)
        shared = [len(asked & said) for said in self.documents]
        return sorted(range(len(shared)), key=lambda place: -shared[place])[:k]
