from __future__ import annotations

import subprocess
import sys

import pytest

import skills
import skills.sdk


@pytest.mark.parametrize("door", [skills, skills.sdk])
def test_all_names_exist_once(door: object) -> None:
    names = door.__all__
    assert all(hasattr(door, name) for name in names)
    assert len(set(names)) == len(names)


def test_the_door_opens_without_skill_libraries() -> None:
    code = (
        "import sys, skills, skills.contents\n"
        "skills.Registry([skills.contents.BUILTIN]).skills()\n"
        "heavy = {'duckdb', 'matplotlib', 'pypdf', 'docx', 'pint', 'PIL', 'openpyxl', 'bs4', 'numpy', 'torch'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
