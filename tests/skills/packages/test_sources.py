"""What a person types as the place of a package."""

from __future__ import annotations

from pathlib import Path

import pytest

from skills.packages.model import Refused
from skills.packages.sources import Source, SourceKind, parse_source

K = SourceKind


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("moon", Source(K.FOLDER, "/work/moon")),
        ("./moon/", Source(K.FOLDER, "/work/moon")),
        ("~/Downloads/moon.zip", Source(K.ARCHIVE, "/home/me/Downloads/moon.zip")),
        ("~/all.tgz#skills/moon", Source(K.ARCHIVE, "/home/me/all.tgz", part="skills/moon")),
        ("https://example.org/moon.tar.gz", Source(K.ARCHIVE, "https://example.org/moon.tar.gz")),
        ("https://example.org/me/moon.git", Source(K.GIT, "https://example.org/me/moon.git")),
        ("https://example.org/me/moon.git@v1.2#a/b", Source(K.GIT, "https://example.org/me/moon.git", "v1.2", "a/b")),
        ("git:https://example.org/moon@main", Source(K.GIT, "https://example.org/moon", "main")),
        ("git:~/src/moon", Source(K.GIT, "/home/me/src/moon")),
        ("git:/home/me@work/moon", Source(K.GIT, "/home/me@work/moon")),
        ("git+https://example.org/me/moon@v1#a", Source(K.GIT, "https://example.org/me/moon", "v1", "a")),
        ("git+https://example.org/moon@fix/a", Source(K.GIT, "https://example.org/moon", "fix/a")),
        ("git+https://example.org/@me/moon", Source(K.GIT, "https://example.org/@me/moon")),
        ("git+https://example.org/@me/moon@v1", Source(K.GIT, "https://example.org/@me/moon", "v1")),
        ("agents:moon", Source(K.AGENTS, "/work", part="moon")),
        ("index:https://example.org/i.json#moon", Source(K.INDEX, "https://example.org/i.json", part="moon")),
        ("index:i.json#moon", Source(K.INDEX, "/work/i.json", part="moon")),
    ],
)
def test_places(text: str, source: Source) -> None:
    found = parse_source(text, Path("/work"), Path("/home/me"))
    assert found == source
    assert parse_source(str(found), Path("/work"), Path("/home/me")) == found


@pytest.mark.parametrize(
    "text",
    ["", "  ", "http://example.org/moon.zip", "file:///etc", "ssh://me@host/moon.git", "ext::sh -c id", "a\0b",
     "index:i.json", "https://u:secret@host/x.zip", "https://host:99999/x.zip", "https://[::1/x.zip", "https://h/x.zip?k=1",
      "moon.git@--upload-pack=id", "moon\u202egpj", "git+ssh://host/moon", "git+http://host/moon", "git+https://u:p@host/x@v1",
      "git+https://host/x@--upload-pack=id", "agents:", "agents:../x", "agents:a/b", "~/all.tgz#../x",
      "moon.git#/../x"],
)  # fmt: skip
def test_no_places(text: str) -> None:
    with pytest.raises(Refused) as error:
        parse_source(text, Path("/work"), Path("/home/me"))
    assert error.value.hint or "no place" in str(error.value)
