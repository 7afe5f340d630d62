"""A whole source: the prelude, each sweep of a program as a function, and the door ``steward_kernel``."""

from __future__ import annotations

from gpu_skills.cpp.laying import Way, lying_of
from gpu_skills.cpp.lowering import lower
from gpu_skills.cpp.naming import Names, names_of
from gpu_skills.cpp.prelude import prelude
from gpu_skills.cpp.products import Blocks, product
from gpu_skills.cpp.rows import Written, rows
from gpu_skills.cpp.sweeping import Choices
from gpu_skills.cpp.turning import turn_function, turned
from gpu_skills.graph import Position, Program, Sweep


def source(program: Program, choices: Choices, blocks: Blocks, *, precise: bool, split: bool) -> str:
    """Return the C++ of a program of sweeps."""
    parts = [prelude(choices.lanes, precise=precise), turn_function(choices.lanes)]
    for at in range(len(program.steps)):
        names = names_of(program, at)
        parts.append(_function(at, names, _written(names, choices, blocks)))
    parts.append("#pragma GCC pop_options\n")
    count = len(program.steps)
    parts.append(_ABLE[choices.lanes])
    parts.append(_SPLIT if split else _ALONE)
    parts.append(_door(count, choices.lanes))
    return "\n".join(parts)


def _written(names: Names, choices: Choices, blocks: Blocks) -> Written:
    lying = lying_of(names.sweep)
    if lying.way is Way.PRODUCT:
        return product(names, lying, choices, blocks)
    if lying.way is Way.TURNED:
        return turned(names, lying, choices)
    return rows(names, lying, choices)


def _function(at: int, names: Names, written: Written) -> str:
    sizes = [line for line in names.declared if line.startswith("const int64_t n")]
    lines = [f"static int fits_{at}(const int64_t *N) {{", *sizes, "int64_t all = 1;",
             *_checks(names.sweep), "return 1;", "}",
             f"static int64_t units_{at}(const int64_t *N) {{", *sizes, f"return {written.units};", "}",
             f"static int64_t space_{at}(const int64_t *N) {{", *sizes, f"return {written.space};", "}",
             f"static void sweep_{at}(void *const *T, const int64_t *N, const double *P, int64_t from, int64_t to,",
             "                     float *kept) {", *names.declared,
             "for (int64_t unit = from; unit < to; unit++) {", *written.before, *written.body, "}",
             "(void)P; (void)kept; streamed();", "}"]  # fmt: skip
    return "\n".join(lines) + "\n"


def _checks(sweep: Sweep) -> list[str]:
    """Return the lines that refuse numbers this kernel was not made for: sizes below 1, beyond counting, inexact."""
    lines = [
        f"if (n{axis} < 1 || __builtin_mul_overflow(all, n{axis}, &all)) return 0;" for axis in range(len(sweep.axes))
    ]
    positions = {one.axis for one in lower(sweep).values if one.kind is Position}
    lines += [f"if (n{axis} > 16777216) return 0;" for axis in sorted(positions)]
    return [*lines, "if (all > INT64_MAX / 64) return 0;"]


_ASK = r"""
#include <cpuid.h>
static int state_kept(unsigned wanted) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return 0;
  asm volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  return (a & wanted) == wanted;
}
"""
# Asked of the processor itself: __builtin_cpu_supports brings a function into the library that runs on loading.
_ABLE = {
    16: _ASK
    + r"""
static int machine_has_16() {
  unsigned a, b, c, d, wanted = bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL | bit_AVX2;
  return state_kept(0xe6) && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & wanted) == wanted;
}
""",
    8: _ASK
    + r"""
static int machine_has_8() {
  unsigned a, b, c, d;
  if (!state_kept(6) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2)) return 0;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_FMA) && (c & bit_F16C);
}
""",
    4: "static int machine_has_4() { return 1; }\n",
}

_ALONE = r"""
typedef void sweep_t(void *const *, const int64_t *, const double *, int64_t, int64_t, float *);
static void run(sweep_t *sweep, int64_t units, void *const *T, const int64_t *N, const double *P, float *kept,
                int64_t space, int threads) {
  (void)space; (void)threads; sweep(T, N, P, 0, units, kept);
}
static int used(int threads) { (void)threads; return 1; }
"""

_SPLIT = r"""
#include <pthread.h>
typedef void sweep_t(void *const *, const int64_t *, const double *, int64_t, int64_t, float *);
struct share_t { sweep_t *sweep; void *const *T; const int64_t *N; const double *P; int64_t from, to; float *kept; };
static void *work(void *given) {
  share_t *s = (share_t *)given; s->sweep(s->T, s->N, s->P, s->from, s->to, s->kept); return 0;
}
static void run(sweep_t *sweep, int64_t units, void *const *T, const int64_t *N, const double *P, float *kept,
                int64_t space, int threads) {
  share_t shares[64]; pthread_t ids[64]; char began[64];
  if (threads > units) threads = (int)units;
  for (int t = 0; t < threads; t++)
    shares[t] = {sweep, T, N, P, units * t / threads, units * (t + 1) / threads, kept + space * t};
  for (int t = 1; t < threads; t++) began[t] = pthread_create(&ids[t], 0, work, &shares[t]) == 0;
  work(&shares[0]);
  for (int t = 1; t < threads; t++) { if (began[t]) pthread_join(ids[t], 0); else work(&shares[t]); }
}
static int used(int threads) { return threads < 1 ? 1 : threads > 64 ? 64 : threads; }
"""


def _door(count: int, lanes: int) -> str:
    able = f"machine_has_{lanes}()"
    steps = range(count)
    lines = ['extern "C" __attribute__((visibility("default")))',
             "int steward_kernel(void *const *T, const int64_t *N, const double *P, int threads) {",
             f"  if (!({able})) return 1;",
             *[f"  if (!fits_{at}(N)) return 1;" for at in steps],
             "  threads = used(threads);", "  int64_t space = 0, one;",
             *[f"  one = space_{at}(N); if (one > space) space = one;" for at in steps],
             "  space = (space + 31) / 16 * 16;", "  float *kept = 0;",
             "  if (space > 16) { if (space > INT64_MAX / 256 / threads) return 1;",
             "    kept = (float *)aligned_alloc(64, (size_t)space * threads * 4); if (!kept) return 1; }",
             *[f"  run(sweep_{at}, units_{at}(N), T, N, P, kept, space, threads);" for at in steps],
             "  free(kept);", "  return 0;", "}"]  # fmt: skip
    return "\n".join(lines) + "\n"
