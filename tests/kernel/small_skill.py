"""A small skill of somebody's, laid where a person's skills lie: for a kernel that is opened with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kernel import Folders
from tests.skills.packages.wares import laid


def lay_skill(folders: Folders, name: str, manifest: str, code: str, about: str) -> None:
    """Lay a skill; ``manifest`` is what stands below the version and the title, ``about`` what the skill is for."""
    folders.make()
    head = f'version = "1.0.0"\ntitle = "{name.title()}"\n'
    files = {"SKILL.md": f"---\nname: {name}\ndescription: {about}\n---\n", "steward.toml": head + manifest}
    laid(folders.data / "skills" / name, files | {"skill.py": code})


def with_skill(name: str, manifest: str, code: str, about: str) -> Callable[[Folders], None]:
    """Return what lays a skill before a kernel is opened: ``opened(root, with_skill(...))``."""
    return partial(lay_skill, name=name, manifest=manifest, code=code, about=about)
