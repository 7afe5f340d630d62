"""The dynamic part of a shared library, read as bytes (ELF-64, little-endian: System V ABI, chapters 4 and 5)."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gpu_skills.errors import NotLoadable

_SYMBOLS, _DYNAMIC_SYMBOLS, _DYNAMIC, _RELA = 2, 11, 6, 4
_NEEDED, _INIT, _FINI, _INIT_SIZE, _FINI_SIZE, _BEFORE_INIT_SIZE = 1, 12, 13, 27, 28, 33
_IRELATIVE: Final = frozenset((37, 1032))
"""Relocations that call a function on loading: x86-64 and AArch64."""
_IFUNC = 10
_HOOKS: Final = frozenset(
    ("__gmon_start__", "_ITM_registerTMCloneTable", "_ITM_deregisterTMCloneTable", "__cxa_finalize")
)
"""What the compiler's own beginning and end of a library call where somebody defines it: on loading, on unloading."""


@dataclass(frozen=True, slots=True)
class Elf:
    """What a library asks for, what it gives, and what loading it runs."""

    undefined: tuple[str, ...]
    defined: tuple[str, ...]
    needed: tuple[str, ...]
    initializers: int
    finalizers: int
    indirect_functions: int
    hooks: int
    """Functions of the library's own in places of names that its beginning and end call (``_HOOKS``)."""
    code_bytes: int
    """The longer of the sections ``.init`` and ``.fini``: the compiler's are some 20 bytes."""


@dataclass(frozen=True, slots=True)
class _Section:
    kind: int
    address: int
    offset: int
    size: int
    link: int


def read_elf(data: bytes) -> Elf:
    """Return the dynamic part of a library. Raises NotLoadable where the bytes are none."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise NotLoadable("build.not_loadable", "This is no shared library of 64 bits.", hint="Build it again.")
    try:
        return _read(data)
    except (struct.error, IndexError, ValueError) as error:
        raise NotLoadable("build.not_loadable", f"The library is damaged: {error}", hint="Build it again.") from error


def _read(data: bytes) -> Elf:
    sections = _sections(data)
    undefined: list[str] = []
    defined: list[str] = []
    ifuncs = 0
    for name, info, home in _symbols(data, sections, _DYNAMIC_SYMBOLS):
        (defined if home else undefined).append(name)
        ifuncs += info & 15 == _IFUNC
    hooks = {name for name, _, home in _symbols(data, sections, _SYMBOLS) if home}.union(defined) & _HOOKS
    tags = _tags(data, sections)
    needed = tuple(text for tag, text in tags if tag == _NEEDED and isinstance(text, str))
    words = {tag: value for tag, value in tags if isinstance(value, int)}
    before, begin, end = (words.get(one, 0) // 8 for one in (_BEFORE_INIT_SIZE, _INIT_SIZE, _FINI_SIZE))
    code = max((one.size for one in sections if one.address and one.address in (words.get(_INIT), words.get(_FINI))),
               default=0)  # fmt: skip
    return Elf(tuple(undefined), tuple(defined), needed, before + begin, end, ifuncs + _indirect(data, sections),
               len(hooks), code)  # fmt: skip


def _symbols(data: bytes, sections: list[_Section], kind: int) -> Iterator[tuple[str, int, int]]:
    """Give name, kind and home (0: wanted from elsewhere) of each symbol in the tables of a kind."""
    for table in (one for one in sections if one.kind == kind):
        for at in range(table.offset + 24, table.offset + table.size, 24):
            name, info, _, home = struct.unpack_from("<IBBH", data, at)
            yield _string(data, sections[table.link], name), info, home


def _sections(data: bytes) -> list[_Section]:
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    found = []
    for at in range(start, start + size * count, size):
        _, kind, _, address, offset, length, link = struct.unpack_from("<IIQQQQI", data, at)
        found.append(_Section(kind, address, offset, length, link))
    if not any(one.kind == _DYNAMIC for one in found):
        raise ValueError("it has no dynamic section")
    return found


def _string(data: bytes, table: _Section, at: int) -> str:
    start = table.offset + at
    return data[start : data.index(b"\0", start)].decode("ascii", "replace").split("@")[0]


def _tags(data: bytes, sections: list[_Section]) -> list[tuple[int, int | str]]:
    found: list[tuple[int, int | str]] = []
    for one in (each for each in sections if each.kind == _DYNAMIC):
        for at in range(one.offset, one.offset + one.size, 16):
            tag, value = struct.unpack_from("<qQ", data, at)
            found.append((tag, _string(data, sections[one.link], value) if tag == _NEEDED else value))
    return found


def _indirect(data: bytes, sections: list[_Section]) -> int:
    count = 0
    for one in (each for each in sections if each.kind == _RELA):
        for at in range(one.offset, one.offset + one.size, 24):
            (info,) = struct.unpack_from("<Q", data, at + 8)
            count += (info & 0xFFFFFFFF) in _IRELATIVE
    return count
