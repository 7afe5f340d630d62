"""What a library wants from outside and does when it is loaded, read from its ELF file; nothing of it is run.

What this stops: a candidate that calls a library of kernels, opens files, starts processes or reads the clock by a
name, and one that computes when it is loaded. What it does not: system calls written as instructions (the wall does).
Source: ``elf(5)``, System V ABI, AMD64 and AArch64 supplements.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gpu_skills.judge.model import Gate, GateName

_MATH = r"(a?(sin|cos|tan)h?|exp(2|m1|10)?|log(2|10|1p|b)?|pow|sqrt|cbrt|hypot|erfc?|[lt]gamma|floor|ceil|trunc|l*r?int"
_MORE_MATH = r"|l*round|nearbyint|fabs|fm(ax|in|od|a)|fdim|copysign|ldexp|frexp|modf|remainder|sincos|scalbl?n)[fl]?"
_ALLOWED = re.compile(
    rf"{_MATH}{_MORE_MATH}|__{_MATH}{_MORE_MATH}_finite|_ZGV\w+"
    r"|mem(cpy|move|set|cmp|chr)|__mem(cpy|move|set)_chk|malloc|calloc|realloc|free|aligned_alloc|posix_memalign"
    r"|_Zn[wa][jm]\w*|_Zd[la]Pv\w*|_ZSt\d+__throw_\w+|_ZSt9terminatev|__cxa_\w+|__gxx_personality_v0|_Unwind_\w+"
    r"|__stack_chk_fail|__gmon_start__|_ITM_\w+|__tls_get_addr|abort|__assert_fail|__cpu_model|__cpu_indicator_init"
    r"|(GOMP|omp)_\w+|__\w+[hsdtx]f[0-9]?|__dso_handle|_GLOBAL_OFFSET_TABLE_|__(ext|trunc)\w+|__init_cpu_features\w*"
    r"|_ZTVN10__cxxabiv1\w+|strlen|__getauxval|__aarch64_\w+"
)
_LIBRARIES = re.compile(r"(libc|libm|libmvec|libgomp|libstdc\+\+|libgcc_s|libpthread)\.so\.\d+|ld-linux-.*\.so\.\d+")
_HARMLESS = {"frame_dummy", "__cpu_indicator_init", "init_cpu_features", "init_have_lse_atomics", "__init_cpu_features"}
_DYNAMIC, _SYMBOLS, _RELOCATIONS, _NEEDED = 6, (2, 11), 4, 1
_FUNCTION, _MOST_INIT_CODE = 2, 48


@dataclass(frozen=True, slots=True)
class _Section:
    name: str
    kind: int
    address: int
    content: bytes
    link: int


@dataclass(frozen=True, slots=True)
class Wants:
    """What stands in a library: names and libraries it wants, names it offers, functions run when it is loaded."""

    undefined: frozenset[str]
    libraries: frozenset[str]
    defined: frozenset[str]
    at_load: tuple[str, ...]


def gate(library: Path, entry: str = "steward_kernel") -> Gate:
    """Hold a library against what a kernel may want. A file that is no ELF library does not pass."""
    try:
        found = wants(library)
    except (OSError, ValueError, struct.error, IndexError) as error:
        return Gate(GateName.SYMBOLS, False, f"{library.name} is no library that can be read: {error}")
    wrong = [f"wants {one}" for one in sorted(found.undefined) if not _ALLOWED.fullmatch(one)]
    wrong += [f"wants the library {one}" for one in sorted(found.libraries) if not _LIBRARIES.fullmatch(one)]
    wrong += [f"runs {one} when it is loaded" for one in found.at_load if one not in _HARMLESS]
    wrong += [] if entry in found.defined else [f"has no {entry}"]
    said = f"it {', '.join(wrong[:5])}" if wrong else f"{len(found.undefined)} names wanted, all of them allowed"
    return Gate(GateName.SYMBOLS, not wrong, said, {"undefined": len(found.undefined), "refused": len(wrong)})


def wants(library: Path) -> Wants:
    """Read a library. Raises ValueError, struct.error or IndexError where it is none of 64 bits, little-endian."""
    data = library.read_bytes()
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("no 64-bit little-endian ELF file")
    sections = _sections(data)
    undefined: set[str] = set()
    defined: set[str] = set()
    places: dict[int, str] = {}
    for section in (one for one in sections if one.kind in _SYMBOLS):
        for name, kind, where, address in _symbols(section, sections):
            if section.kind == _SYMBOLS[1]:
                (defined if where else undefined).add(name)
            if kind == _FUNCTION and where:
                places[address] = name
    needed = frozenset(_text(sections[one.link].content, value) for one in sections if one.kind == _DYNAMIC
                       for tag, value in struct.iter_unpack("<QQ", one.content) if tag == _NEEDED)  # fmt: skip
    return Wants(frozenset(undefined - {""}), needed, frozenset(defined), tuple(_at_load(sections, places)))


def _sections(data: bytes) -> list[_Section]:
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    heads = [struct.unpack_from("<IIQQQQII", data, table + size * one) for one in range(count)]
    texts = data[heads[names][4] :]
    return [_Section(_text(texts, name), kind, address, data[offset : offset + length] if kind != 8 else b"", link)
            for name, kind, _, address, offset, length, link, _ in heads]  # fmt: skip


def _text(texts: bytes, at: int) -> str:
    return texts[at : texts.index(b"\0", at)].decode(errors="replace")


def _symbols(section: _Section, sections: list[_Section]) -> Iterator[tuple[str, int, int, int]]:
    texts = sections[section.link].content
    for name, info, _, where, address, _ in struct.iter_unpack("<IBBHQQ", section.content):
        yield _text(texts, name), info & 15, where, address


def _at_load(sections: list[_Section], places: dict[int, str]) -> Iterator[str]:
    moved = {offset: added for one in sections if one.kind == _RELOCATIONS
             for offset, _, added in struct.iter_unpack("<QQq", one.content)}  # fmt: skip
    for section in sections:
        if section.name in (".init_array", ".preinit_array", ".ctors"):
            for index, (held,) in enumerate(struct.iter_unpack("<Q", section.content)):
                address = moved.get(section.address + 8 * index, held)
                yield places.get(address, f"a function at {address:#x}" if index else "frame_dummy")
        elif section.name == ".init" and len(section.content) > _MOST_INIT_CODE:
            yield "code of its own in .init"
