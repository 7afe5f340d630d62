"""Verdicts on whole candidates: right ones pass, and whatever a wrong one does to its racer is a verdict."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpu_skills.judge import Exam, Verdict, judge
from gpu_skills.judge.model import GateName
from gpu_skills.model import Built, Language
from tests.gpu_skills import programs as of
from tests.proofs.redteam.kernels import BY_NAME, HEAD, built

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++: apt install g++")
SOFTMAX = BY_NAME["softmax"]
PROBLEM = replace(of.softmax(9, 130), held_out=(of.softmax(5, 67).program,))


@pytest.fixture(scope="module")
def exam() -> Exam:
    return Exam(PROBLEM, seed=1)


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    """Whatever happens, no process and no descriptor is left."""
    before = len(os.listdir("/proc/self/fd"))
    yield
    assert len(os.listdir("/proc/self/fd")) == before
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def verdict(source: str, folder: Path, exam: Exam, patience_s: float = 20.0, threads: int = 1) -> Verdict:
    made = built("it", source, folder)
    return judge(made, PROBLEM, seed=1, budget_s=0.1, exam=exam, threads=threads, patience_s=patience_s)


def with_body(body: str, before: str = "") -> str:
    opening, _, kernel = HEAD.rpartition('extern "C"')
    return f'{opening}{before}extern "C"{kernel}{body}  return 0;\n}}\n'


@pytest.mark.slow
def test_a_right_kernel_passes_every_gate_and_is_timed(tmp_path: Path, exam: Exam) -> None:
    found = verdict(SOFTMAX.source, tmp_path, exam)
    assert found.passed, found.failed
    assert [one.name for one in found.gates] == list(GateName)
    assert found.timing
    assert 0 < found.timing.cpu_ns < 1e8
    assert found.timing.verified > 0


SYSCALL = """
static long call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}
"""
on_x86 = pytest.mark.skipif(os.uname().machine != "x86_64", reason="its system calls are those of x86_64")
FALLS = {
    "crashes": ("  *(volatile int *)0 = 1;\n", "SIGSEGV"),
    "crashes after many calls": ("  static int calls = 0; if (threads > 1 && ++calls > 260) *(volatile int *)0 = 1;\n"
                                 + SOFTMAX.body, "again and again, it ended with SIGSEGV"),
    "aborts": ("  abort();\n", "SIG"),
    "exits": ("  call(231, 7, 0, 0);\n", "status 7"),
    "hangs": ("  for (;;) __asm__ volatile(\"\");\n", "did not answer within 2 s"),
    "eats memory": ("  for (;;) { volatile char *q = (volatile char *)malloc(1 << 26); q[0] = 1; }\n", "SIGSEGV"),
    "talks nonsense": ('  for (int fd = 3; fd < 40; fd++) call(1, fd, (long)"of another length", 17);\n', "nonsense"),
    "answers early": ("  char said[8] = {'d','o','n','e'};\n"
                      "  for (int fd = 3; fd < 40; fd++) call(1, fd, (long)said, 8);\n"
                      + SOFTMAX.body, "spoke without being asked"),
    "floods": ("  for (;;) call(1, 2, (long)t[0], 4096);\n", "did not answer within 2 s"),
    "closes its socket": ("  for (int fd = 3; fd < 40; fd++) call(3, fd, 0, 0);\n", "it ended with"),
}  # fmt: skip


@pytest.mark.slow
@on_x86
@pytest.mark.parametrize("name", FALLS)
def test_however_a_racer_falls_it_is_a_verdict(tmp_path: Path, exam: Exam, name: str) -> None:
    body, said = FALLS[name]
    threads = 2 if name == "crashes after many calls" else 1
    found = verdict(with_body(body, SYSCALL), tmp_path, exam, patience_s=2.0, threads=threads)
    assert not found.passed
    assert found.failed
    assert found.failed.name is GateName.RUNS
    assert said in found.failed.said


@pytest.mark.slow
@on_x86
@pytest.mark.parametrize(
    "what", ["57, 0, 0, 0", "41, 1, 1, 0", "62, call(110, 0, 0, 0), 9, 0", '2, (long)"/etc/passwd", 0, 0']
)
def test_a_system_call_that_is_no_computing_is_refused_inside(tmp_path: Path, exam: Exam, what: str) -> None:
    """A kernel that writes a wrong number when the call works, and a right one when it is refused."""
    body = SOFTMAX.body + f"  if (call({what}) >= 0) ((float *)t[1])[0] = 7;\n"
    assert verdict(with_body(body, SYSCALL), tmp_path, exam).passed


GATES = {
    GateName.SYMBOLS: ("  system(\"true\");\n" + SOFTMAX.body, ""),
    GateName.POISON: (SOFTMAX.body.replace("r < R; r++", "r < R - 1; r++"), ""),
    GateName.GUARDS: (SOFTMAX.body + "  ((float *)t[1])[n[0] * n[1]] = 1;\n", ""),
    GateName.INPUTS: (SOFTMAX.body + "  ((float *)t[0])[0] = 1;\n", ""),
    GateName.ERRORS: (SOFTMAX.body.replace("/= sum", "/= sum * 1.0001f"), ""),
    GateName.HELD_OUT: ("  if (n[1] == 67) { memset(t[1], 0, n[0] * n[1] * 4); return 0; }\n" + SOFTMAX.body, ""),
    GateName.FAMILIES: (SOFTMAX.body.replace("a[i] - top", "a[i]"), ""),
    GateName.DETERMINISM: (
        SOFTMAX.body + "  if (__builtin_ia32_rdtsc() >> 7 & 1) ((float *)t[1])[0] *= 1.0000001f;\n", ""),
    GateName.SANITIZER: (SOFTMAX.body + "  static float spill[4]; volatile float *q = spill; q[n[1] - 62] = 1;\n", ""),
}  # fmt: skip


@pytest.mark.slow
@on_x86
@pytest.mark.parametrize("gate", GATES, ids=str)
def test_each_gate_refuses_what_it_is_for(tmp_path: Path, exam: Exam, gate: GateName) -> None:
    body, before = GATES[gate]
    found = verdict(with_body(body, before), tmp_path, exam)
    assert found.failed
    wanted = (gate, GateName.POISON) if gate is GateName.DETERMINISM else (gate,)  # a coin may fall that way, too
    assert found.failed.name in wanted, found.failed


@pytest.mark.slow
def test_who_reads_beside_an_input_and_asks_the_compiler_whether_it_is_watched_is_refused(
    tmp_path: Path, exam: Exam
) -> None:
    beside = SOFTMAX.body + "  volatile float seen = ((const float *)t[0])[n[0] * n[1]]; (void)seen;\n"
    body = f"#ifdef __SANITIZE_ADDRESS__\n{SOFTMAX.body}#else\n{beside}#endif\n"
    found = verdict(with_body(body), tmp_path, exam)
    assert found.failed
    assert found.failed.name is GateName.SANITIZER


@pytest.mark.slow
def test_a_kernel_made_for_some_numbers_may_decline_others_but_not_write(tmp_path: Path, exam: Exam) -> None:
    honest = "  if (n[1] != 130) return 1;\n" + SOFTMAX.body
    found = verdict(with_body(honest), tmp_path, exam)
    assert found.passed, found.failed
    assert next(one for one in found.gates if one.name is GateName.HELD_OUT).said == "1 declined"
    writes = "  if (n[1] != 130) { ((float *)t[1])[0] = 1; return 1; }\n" + SOFTMAX.body
    assert getattr(verdict(with_body(writes), tmp_path, exam).failed, "name", None) is GateName.POISON
    never = verdict(with_body("  return 1;\n"), tmp_path, exam)
    assert "not made for the numbers of its own problem" in getattr(never.failed, "said", "")


@pytest.mark.slow
def test_what_is_remembered_by_pointer_is_wrong_with_new_values(tmp_path: Path, exam: Exam) -> None:
    body = ("  static const void *seen = 0;\n"
            "  if (seen == t[0] && n[1] == 67) { memset(t[1], 0, n[0] * n[1] * 4); return 0; }\n"
            "  static int calls = 0; if (n[1] == 67 && ++calls > 4) seen = t[0];\n")  # fmt: skip
    found = verdict(with_body(body + SOFTMAX.body), tmp_path, exam)
    assert found.failed
    assert found.failed.name in (GateName.FAMILIES, GateName.DETERMINISM)


def test_a_candidate_of_another_language_is_no_matter_for_this_judge(tmp_path: Path) -> None:
    made = built("it", SOFTMAX.source, tmp_path)
    other = Built(replace(made.candidate, language=Language.TRITON), made.library, "", (), 0.0)
    with pytest.raises(ValueError, match="no C\\+\\+ candidate"):
        judge(other, PROBLEM, seed=1)


def test_what_is_no_library_is_a_verdict(tmp_path: Path, exam: Exam) -> None:
    made = built("it", SOFTMAX.source, tmp_path)
    made.library.write_bytes(made.library.read_bytes()[:300])
    found = judge(made, PROBLEM, seed=1, exam=exam)
    assert found.failed
    assert found.failed.name is GateName.SYMBOLS
