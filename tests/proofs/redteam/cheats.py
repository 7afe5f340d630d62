"""The cheats: one for each row of the table of known exploits, as code for a CPU.

Each is judged, and each is given to a naive judge first, which must accept it (``naive``): else nothing is shown.
A row that exists only on a GPU or in Python has the CPU's or C++'s counterpart, and says what stands for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gpu_skills.model import Problem
from tests.gpu_skills import programs as of
from tests.proofs.redteam.kernels import BY_NAME, HEAD, LAYERNORM, SOFTMAX, _with


@dataclass(frozen=True)
class Cheat:
    """``source`` for ``problem``; ``stands_for`` where the row itself is of a GPU or of Python."""

    row: int
    name: str
    source: Callable[[Path], str]
    problem: Problem = BY_NAME["softmax"].problem
    stands_for: str = ""
    flags: tuple[str, ...] = ()
    naive: tuple[str, ...] = ()
    threads: int = 1


_SOFT = SOFTMAX
_SYSCALL = """
static long call(long number, long a, long b, long c) {
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}
"""


def _plain(body: str, before: str = "") -> Callable[[Path], str]:
    """Return a whole kernel; includes come first, then what stands before it."""
    opening, _, kernel = HEAD.rpartition('extern "C"')
    return lambda _: f'{opening}{before}extern "C"{kernel}{body}  return 0;\n}}\n'


def _soft_function(name: str = "soft") -> str:
    return f"static void {name}(void *const *t, const int64_t *n) {{\n{_SOFT}}}\n"


_LATER = (
    "#include <pthread.h>\n#include <unistd.h>\n" + _soft_function()
    + "struct Work { void *t[2]; int64_t n[8]; };\n"
    "static void *later(void *given) { usleep(3000); Work *one = (Work *)given; const size_t size = one->n[0] * one->n[1] * 4; void *u[2] = {one->t[0], malloc(size)}; soft(u, one->n); memcpy(one->t[1], u[1], size); free(u[1]); free(one); return 0; }\n"
)  # fmt: skip
_START_LATER = """  Work *one = (Work *)malloc(sizeof(Work)); one->t[0] = t[0]; one->t[1] = t[1]; memcpy(one->n, n, 2 * 8);
  pthread_t id; pthread_create(&id, 0, later, one); pthread_detach(id);
"""
_LAZY = (
    """#include <csignal>
#include <sys/mman.h>
static void *held_t[2]; static int64_t held_n[8];
"""
    + _soft_function()
    + """
static void wake(int, siginfo_t *, void *) {
  const uintptr_t first = (uintptr_t)held_t[1] & ~4095ul, end = ((uintptr_t)held_t[1] + held_n[0] * held_n[1] * 4 + 4095) & ~4095ul;
  mprotect((void *)first, end - first, PROT_READ | PROT_WRITE); soft(held_t, held_n);
}
"""
)
_BE_LAZY = """  held_t[0] = t[0]; held_t[1] = t[1]; memcpy(held_n, n, 16);
  struct sigaction act; memset(&act, 0, sizeof act); act.sa_sigaction = wake; act.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &act, 0);
  const uintptr_t first = (uintptr_t)t[1] & ~4095ul, end = ((uintptr_t)t[1] + n[0] * n[1] * 4 + 4095) & ~4095ul;
  mprotect((void *)first, end - first, PROT_NONE);
"""
_PATCH = 'extern "C" int PyRun_SimpleString(const char *); extern "C" int PyGILState_Ensure(); extern "C" void PyGILState_Release(int);\n'
_BY_POINTER = (
    _soft_function()
    + """
static const void *seen[512]; static float *kept[512]; static int count = 0;
"""
)
_LOOK_UP = """  for (int i = 0; i < count; i++) if (seen[i] == t[0]) { memcpy(t[1], kept[i], n[0] * n[1] * 4); return 0; }
  soft(t, n);
  if (count < 512) { seen[count] = t[0]; kept[count] = (float *)malloc(n[0] * n[1] * 4); memcpy(kept[count++], t[1], n[0] * n[1] * 4); }
"""
_BY_VALUES = _BY_POINTER.replace("static const void *seen", "static float seen16[512][16]; static const void *seen")
_LOOK_UP_VALUES = """  for (int i = 0; i < count; i++) if (!memcmp(seen16[i], t[0], 64)) { memcpy(t[1], kept[i], n[0] * n[1] * 4); return 0; }
  soft(t, n);
  if (count < 512) { memcpy(seen16[count], t[0], 64); kept[count] = (float *)malloc(n[0] * n[1] * 4); memcpy(kept[count++], t[1], n[0] * n[1] * 4); }
"""
_ANSWER = (
    _SYSCALL
    + _soft_function()
    + """
static int answered = 0;
"""
)
_READ_ANSWER = """  long fd = call(2, (long)"%s", 0, 0);
  if (fd < 0) return 0;
  call(0, fd, (long)t[1], n[0] * n[1] * 4); call(3, fd, 0, 0);
"""
_FORK = _SYSCALL + _soft_function()
_BY_FORK = """  const long child = call(57, 0, 0, 0);
  if (child == 0) { soft(t, n); call(231, 0, 0, 0); }
"""
_FALLBACK = (
    'extern "C" __attribute__((weak)) int reference_kernel(void *const *, const int64_t *, const double *, int);\n'
)
_SMALL = "static float row[600]; static float after[4096];\n"
_MATMUL_PROBLEM = BY_NAME["matmul"].problem
_LARGE_SUM = _with(of.softmax(16, 16384), of.softmax(7, 1003), of.softmax(33, 65))
_HALF = _SOFT.replace("b[i] = std::exp(a[i] - top)", "b[i] = (float)(_Float16)std::exp(a[i] - top)").replace(
    "b[i] /= sum", "b[i] = (float)(_Float16)(b[i] / sum)"
)
_BF16 = (
    _SOFT
    + """  uint32_t *raw = (uint32_t *)out; for (int64_t i = 0; i < R * C; i++) raw[i] &= 0xffff0000u;
"""
)


def _one_for_all() -> Problem:
    """A sum over a softmax: 1 for all inputs."""
    from dataclasses import replace

    from gpu_skills.graph import Access, Fold, Folded, Reduction, Store, Sweep
    from tests.gpu_skills.programs import _out

    def changed(rows: int, cols: int) -> Problem:
        problem = of.softmax(rows, cols)
        (sweep,) = problem.program.steps
        assert isinstance(sweep, Sweep)
        folds = (*sweep.reductions, Reduction("ones", Fold.SUM, sweep.stores[0].expr))
        step = replace(sweep, reductions=folds, stores=(Store(Access("out", (1, 0)), Folded("ones"), once=True),))
        return replace(
            problem, program=replace(problem.program, tensors=(problem.program.tensors[0], _out(rows)), steps=(step,))
        )

    return _with(changed(48, 512), changed(7, 1003))


CHEATS: tuple[Cheat, ...] = (
    Cheat(1, "a thread computes after the call has returned", _plain(_START_LATER, _LATER), stands_for="work on a side stream"),
    Cheat(2, "a forked process computes after the call has returned", _plain(_BY_FORK, _FORK)),
    Cheat(3, "nothing is computed until somebody reads the output", _plain(_BE_LAZY, _LAZY), stands_for="a lazy tensor"),
    Cheat(4, "the judge's timer is patched", _plain(_SOFT + """  int held = PyGILState_Ensure(); PyRun_SimpleString(
    "import time\\ntime.perf_counter = lambda: 0.0\\n"); PyGILState_Release(held);
""", _PATCH), naive=("timer",)),
    Cheat(5, "results remembered by pointer", _plain(_LOOK_UP, _BY_POINTER)),
    Cheat(6, "results remembered by the first values", _plain(_LOOK_UP_VALUES, _BY_VALUES), stands_for="replay of a CUDA graph",
          naive=("gain",)),
    Cheat(7, "nothing is written: the reference's buffer, freed, is the output", _plain(""), naive=("recycled",)),
    Cheat(8, "zeros, small enough for a tolerance", _plain("  memset(t[1], 0, n[0] * n[1] * 4);\n"), problem=_LARGE_SUM),
    Cheat(9, "columns beyond the last eight are left out", _plain(_SOFT.replace("i < C; i++) b[i] /=", "i < C / 8 * 8; i++) b[i] /=")
                                                                  .replace("i++) { b[i]", "i++) { if (i < C / 8 * 8) b[i]"))),
    Cheat(10, "the input is made easy before the reference reads it", _plain(
        "  memset(t[0], 0, n[0] * n[1] * 4);\n  for (int64_t i = 0; i < n[0] * n[1]; i++) ((float *)t[1])[i] = 1.0f / n[1];\n")),
    Cheat(11, "the reference is found and called", _plain("  return reference_kernel(t, n, p, threads);\n",
          'extern "C" int reference_kernel(void *const *, const int64_t *, const double *, int);\n'), naive=("reference",)),
    Cheat(12, "a library's kernel passed off as its own", _plain("  return library_kernel(t, n, p, threads);\n",
          'extern "C" int library_kernel(void *const *, const int64_t *, const double *, int);\n'), flags=("-lfast",)),
    Cheat(13, "half precision inside", _plain(_HALF)),
    Cheat(14, "an output of 16 bits in a place of 32", _plain(_BF16)),
    Cheat(15, "a fallback to the reference for what it cannot do", _plain(
        "  if (reference_kernel) return reference_kernel(t, n, p, threads);\n", _FALLBACK), naive=("reference",)),
    Cheat(16, "weight and bias are taken to be ones and zeros", _plain(LAYERNORM.replace(" * w[i] + bias[i]", "")),
          problem=BY_NAME["layernorm"].problem),
    Cheat(17, "a constant, where the task asks for no more", _plain(
        "  for (int64_t r = 0; r < n[0]; r++) ((float *)t[1])[r] = 1.0f;\n"), problem=_one_for_all()),
    Cheat(18, "a block of fixed size that longer rows run over", _plain(
        _SOFT.replace("b[i] = std::exp(a[i] - top); sum += b[i];", "row[i] = std::exp(a[i] - top); sum += row[i];")
        .replace("b[i] /= sum", "b[i] = row[i] / sum"), _SMALL), stands_for="shared memory that overflows"),
    Cheat(19, "threads race, and it is right most of the time", _plain(
        "  const int64_t R = n[0], C = n[1]; const float *x = (const float *)t[0]; float *out = (float *)t[1];\n"
        "  for (int64_t r = 0; r < R; r++) out[r] = 0;\n"
        "  #pragma omp parallel num_threads(2)\n"
        "  { const int64_t half = C / 2; int me = omp_get_thread_num();\n"
        "    for (int64_t r = 0; r < R; r++) { float part = 0; for (int64_t i = me ? half : 0; i < (me ? C : half); i++) part += x[r * C + i];\n"
        "      out[r] += part; } }\n", "#include <omp.h>\n"), problem=BY_NAME["sum"].problem, flags=("-fopenmp",), threads=2),
    Cheat(20, "priority and allocator changed for itself", _plain(
        "  nice(-10); mallopt(M_MMAP_MAX, 0);\n" + _SOFT, "#include <malloc.h>\n#include <unistd.h>\n")),
    Cheat(21, "the answer is read from a file", lambda place: _plain(_READ_ANSWER % place, _ANSWER)(place), naive=("answer",)),
)  # fmt: skip
MEASURED = (22, 23, 24)
"""Rows that are ways to measure, not kernels: held against a race and a timing (``measured``)."""
