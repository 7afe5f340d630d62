"""What one thread of this machine can do at most: measured, with small programs built on the spot.

Copy counts bytes read and written; with stores that go past the cache nothing is read before it is written. Buffers are
more than four times the last cache. The multiply-add peak is of float32 vectors in registers.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gpu_skills.building import compiled, this_machine
from gpu_skills.errors import BuildFailed, CompilerMissing, JudgeUnavailable
from gpu_skills.judge.rotation import last_cache_bytes

_ROUNDS = 9
_PATIENCE_S = 120.0
_SOURCE = r"""
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#ifdef __SSE2__
#include <immintrin.h>
#endif
typedef float lanes __attribute__((vector_size(LANES * 4)));
static double now() { timespec t; clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
static volatile float sink;
static void copy(const float *from, float *to, int64_t n) {
  for (int64_t i = 0; i < n; i++) to[i] = from[i] + 1.0f;
}
static void past(const float *from, float *to, int64_t n) {
#if defined(__AVX512F__)
  for (int64_t i = 0; i < n; i += 16) _mm512_stream_ps(to + i, _mm512_load_ps(from + i));
  _mm_sfence();
#elif defined(__SSE2__)
  for (int64_t i = 0; i < n; i += 4) _mm_stream_ps(to + i, _mm_load_ps(from + i));
  _mm_sfence();
#else
  copy(from, to, n);
#endif
}
static void read(const float *from, float *, int64_t n) {
  lanes sums[8] = {};
  for (int64_t i = 0; i < n; i += 8 * LANES)
    for (int j = 0; j < 8; j++) sums[j] += *(const lanes *)(from + i + j * LANES);
  float sum = 0;
  for (int j = 0; j < 8; j++) for (int k = 0; k < LANES; k++) sum += sums[j][k];
  sink = sum;
}
static void multiply_add(const float *from, float *, int64_t n) {
  lanes held[12], by = lanes{} + from[0] + 0.999f, plus = lanes{} + 1e-3f;
  for (int j = 0; j < 12; j++) held[j] = lanes{} + float(j);
  for (int64_t i = 0; i < n; i++)
    for (int j = 0; j < 12; j++) held[j] = held[j] * by + plus;
  float sum = 0;
  for (int j = 0; j < 12; j++) sum += held[j][0];
  sink = sum;
}
static double best(void (*work)(const float *, float *, int64_t), const float *from, float *to, int64_t n, int rounds) {
  double least = 1e30;
  for (int i = 0; i < rounds; i++) { double began = now(); work(from, to, n); double took = now() - began;
    if (took < least) least = took; }
  return least;
}
int main(int, char **said) {
  const int64_t bytes = atoll(said[1]) / 4096 * 4096, n = bytes / 4, turns = 4000000;
  const int rounds = atoi(said[2]);
  float *from = (float *)aligned_alloc(4096, bytes), *to = (float *)aligned_alloc(4096, bytes);
  if (!from || !to) return 3;
  memset(from, 0, bytes); memset(to, 0, bytes);
  printf("{\"copy\": %g, \"copy_past_cache\": %g, \"read\": %g, \"multiply_add\": %g}\n",
         2e-9 * bytes / best(copy, from, to, n, rounds), 2e-9 * bytes / best(past, from, to, n, rounds),
         1e-9 * bytes / best(read, from, to, n, rounds),
         2e-9 * 12 * LANES * turns / best(multiply_add, from, to, turns, rounds));
}
"""


@dataclass(frozen=True, slots=True)
class Ceilings:
    """Of one thread: GB/s (1e9 bytes) copied plainly and past the cache, and read; float32 GFLOP/s."""

    copy_gb_s: float
    copy_past_cache_gb_s: float
    read_gb_s: float
    multiply_add_gflop_s: float


def ceilings(rounds: int = _ROUNDS) -> Ceilings:
    """Measure this machine: the best of ``rounds``, by the processor time of the thread. Takes a second or two.

    Raises JudgeUnavailable without g++, or where the probes cannot be built or run.
    """
    with tempfile.TemporaryDirectory(prefix="steward-peaks-") as folder:
        source, program = Path(folder) / "peaks.cpp", Path(folder) / "peaks"
        source.write_text(_SOURCE, encoding="utf-8")
        able = this_machine().instructions
        lanes = 16 if "avx512f" in able else 8 if "avx" in able else 4
        try:
            compiled(source, program, ("-O3", "-march=native", f"-DLANES={lanes}"), _PATIENCE_S)
        except (CompilerMissing, BuildFailed) as error:
            raise _unavailable(error.message) from error
        said = _done([str(program), str(4 * last_cache_bytes() + (1 << 20)), str(rounds)])
    found = json.loads(said)
    return Ceilings(found["copy"], found["copy_past_cache"], found["read"], found["multiply_add"])


def _done(command: list[str]) -> str:
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_PATIENCE_S,
                              check=True)  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        raise _unavailable(getattr(error, "stderr", "") or str(error)) from error
    return done.stdout


def _unavailable(told: str) -> JudgeUnavailable:
    return JudgeUnavailable("judge.peaks", f"The machine's peaks could not be measured: {told[-300:]}",
                            hint="Try g++ -march=native by hand; is there enough memory?")  # fmt: skip
