"""The lower anchor: BM25 as notebook 09 runs it, over the whole texts."""

import bm25s


class Engine:
    def __init__(self, documents: list[str], further: list[str]) -> None:
        self.bm25 = bm25s.BM25(method="lucene")
        self.bm25.index(bm25s.tokenize(documents, stopwords="en", show_progress=False), show_progress=False)

    def search(self, query: str, k: int) -> list[int]:
        (said,) = bm25s.tokenize([query], stopwords="en", return_ids=False, show_progress=False)
        if not said:
            return []
        return (-self.bm25.get_scores(list(map(str, said)))).argsort(kind="stable")[:k].tolist()
