"""Any sentence-transformers model as the encoder: in its own process, from a folder, never downloaded."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory import encoder_model, open_encoder
from memory.encoder_model import ModelEncoder
from memory.errors import EncoderMissing

pytestmark = pytest.mark.filterwarnings("ignore")  # the library's own: deprecations of and in torch and transformers
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the dog cat sat on mat invoice of plumber hund".split()


@pytest.fixture(scope="module")
def library() -> Any:
    return pytest.importorskip(
        "sentence_transformers", reason="the library is not installed: ./steward setup embed", exc_type=ImportError
    )


@pytest.fixture(scope="module")
def model(library: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT with random weights and 16 numbers a vector, as the library saves it."""
    import torch
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    raw = tmp_path_factory.mktemp("raw")
    (raw / "vocab.txt").write_text("\n".join(WORDS))
    torch.manual_seed(1)
    shape = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32
    )
    BertModel(shape).save_pretrained(raw)
    BertTokenizerFast(vocab_file=str(raw / "vocab.txt")).save_pretrained(raw)
    words = Transformer(str(raw))
    folder = tmp_path_factory.mktemp("model")
    library.SentenceTransformer(modules=[words, Pooling(16)], device="cpu").save(str(folder))
    return folder


@pytest.fixture
def encoder(model: Path, tmp_path: Path) -> Any:
    encoder = open_encoder(tmp_path, model)
    yield encoder
    encoder.rest()


@pytest.mark.embed
def test_vectors_are_those_of_the_library(library: Any, model: Path, encoder: ModelEncoder) -> None:
    texts = ["the dog sat on the mat", "invoice of the plumber", "", "\udc80", *["the cat"] * 600]
    expected = library.SentenceTransformer(str(model), device="cpu").encode(
        [text.encode("utf-8", "replace").decode() for text in texts], normalize_embeddings=True
    )
    vectors = encoder.encode(texts)
    assert vectors.dtype == np.float32
    assert np.abs(vectors - expected).max() < 1e-5
    assert (encoder.dimensions, encoder.encode([]).shape) == (16, (0, 16))
    assert encoder.backend in {"torch", "onnx"}


@pytest.mark.embed
def test_the_worker_begins_on_use_and_ends_when_idle(model: Path) -> None:
    encoder = ModelEncoder(model, "digest", 0, idle_s=0.3)
    assert encoder._worker is None
    first = encoder.encode(["the dog"])
    worker = encoder._worker
    assert worker is not None
    deadline = time.monotonic() + 20
    while worker.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    assert worker.poll() is not None
    assert (encoder.encode(["the dog"]) == first).all()
    encoder.rest()
    assert encoder._worker is None


@pytest.mark.embed
def test_a_worker_that_dies_is_named_and_begun_again(model: Path, encoder: ModelEncoder) -> None:
    encoder.encode(["the dog"])
    assert encoder._worker is not None
    os.kill(encoder._worker.pid, 9)
    encoder._worker.wait()
    assert encoder.encode(["the dog"]).shape == (1, 16)


@pytest.mark.embed
def test_a_broken_model_is_named(model: Path, tmp_path: Path, library: Any) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "modules.json").write_text("no json")
    with pytest.raises(EncoderMissing) as caught:
        open_encoder(None, broken).encode(["x"])
    assert caught.value.code == "encoder.failed"


@pytest.mark.embed
def test_the_digest_names_every_file(model: Path, tmp_path: Path, library: Any) -> None:
    first = open_encoder(tmp_path, model).digest
    assert open_encoder(tmp_path, model).digest == first
    assert open_encoder(None, model).digest == first
    (model / "README.md").write_text("changed")
    assert open_encoder(tmp_path, model).digest != first


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(EncoderMissing) as caught:
        open_encoder(None, tmp_path)
    assert caught.value.code == "encoder.no_model"
    assert ".save(" in caught.value.hint


def test_without_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "modules.json").write_text("[]")
    monkeypatch.setattr(encoder_model, "find_spec", lambda _: None)
    with pytest.raises(EncoderMissing) as caught:
        open_encoder(None, tmp_path)
    assert "./steward setup embed" in caught.value.hint


def test_a_worker_that_cannot_load_says_so(tmp_path: Path) -> None:
    """Without the library the worker's own words come through."""
    encoder = ModelEncoder(tmp_path / "nothing", "digest", 0)
    with pytest.raises(EncoderMissing) as caught:
        encoder.encode(["x"])
    assert caught.value.code == "encoder.failed"
    assert "config" in caught.value.hint
