"""What the page has of others is what the manifest says, whole, with its licences, and nothing else."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

STATIC = Path(__file__).parents[2] / "portal" / "static"
VENDOR = STATIC / "vendor"
ENTRIES = Path(__file__).parents[2] / "docs" / "vendoring"
MANIFEST = json.loads((VENDOR / "manifest.json").read_text())
PARSES = re.compile(
    r"dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
)


def test_every_file_is_in_the_manifest_with_its_sum() -> None:
    files = {file.name for file in VENDOR.iterdir()} - {"manifest.json", "LICENSES.md"}
    assert files == MANIFEST.keys()
    for name, told in MANIFEST.items():
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == told["sha256"], name


def test_every_package_has_a_version_a_licence_and_its_text() -> None:
    texts = (VENDOR / "LICENSES.md").read_text()
    for name, told in MANIFEST.items():
        assert (ENTRIES / f"{Path(name).stem}.entry.js").is_file()
        for package in told["made_of"]:
            assert re.fullmatch(r"\d+\.\d+\.\d+", package["version"]), package
            assert re.fullmatch(r"sha512-[A-Za-z0-9+/]{86}==", package["integrity"]), package
            assert package["licence"] in {"MIT", "Apache-2.0", "ISC", "BSD-3-Clause", "MPL-2.0"}, package
            assert f"== {package['name']}\n" in texts, package


def test_nothing_of_the_pages_own_parses_markup_or_code() -> None:
    """A control: the pattern finds what it looks for."""
    assert PARSES.search("node.innerHTML = words")
    for file in (STATIC / "js").rglob("*.js"):
        assert not PARSES.search(file.read_text()), file
