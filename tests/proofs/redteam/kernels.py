"""Right kernels, written by hand in C++ for the programs of ``tests.gpu_skills.programs``: what mutants are made of."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gpu_skills.building import build
from gpu_skills.model import Built, Candidate, Language, Problem
from tests.gpu_skills import programs as of

HEAD = """#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
extern "C" __attribute__((visibility("default"))) int steward_kernel(void *const *t, const int64_t *n, const double *p, int threads) {
  (void)p; (void)threads;
"""
FLAGS = ("-O3", "-march=native")
THREADED = (*FLAGS, "-fopenmp")
_BUILT: dict[tuple[str, Path], Built] = {}


@dataclass(frozen=True)
class Right:
    """A problem, and a kernel that is right for it. ``threads``: how many it is judged with."""

    name: str
    problem: Problem
    body: str
    threads: int = 1

    @property
    def source(self) -> str:
        return f"{HEAD}{self.body}  return 0;\n}}\n"


def built(name: str, source: str, folder: Path, flags: Sequence[str] = FLAGS) -> Built:
    """Build a library; one that was built before is taken as it is."""
    digest = hashlib.sha256(repr((source, flags)).encode()).hexdigest()[:16]
    held = _BUILT.get((digest, folder))
    if held is None or not held.library.exists():
        held = build(Candidate(digest, "", Language.CPP, source), folder, flags=flags)
        _BUILT[digest, folder] = held
    return replace(held, candidate=replace(held.candidate, id=name))


def _with(problem: Problem, *others: Problem) -> Problem:
    return replace(problem, held_out=tuple(one.program for one in others))


_ROWS = """  const int64_t R = n[0], C = n[1];
"""
_X_OUT = """  const float *x = (const float *)t[0]; float *out = (float *)t[1];
"""
RMSNORM = (
    _ROWS
    + """  const float *x = (const float *)t[0], *w = (const float *)t[1]; float *out = (float *)t[2];
  const float eps = (float)p[0];
  for (int64_t r = 0; r < R; r++) {
    const float *a = x + r * C; float *b = out + r * C; float sum = 0;
    for (int64_t i = 0; i < C; i++) sum += a[i] * a[i];
    const float scale = 1.0f / std::sqrt(sum / (float)C + eps);
    for (int64_t i = 0; i < C; i++) b[i] = a[i] * scale * w[i];
  }
"""
)
LAYERNORM = (
    _ROWS
    + """  const float *x = (const float *)t[0], *w = (const float *)t[1], *bias = (const float *)t[2];
  float *out = (float *)t[3]; const float eps = (float)p[0];
  for (int64_t r = 0; r < R; r++) {
    const float *a = x + r * C; float *b = out + r * C; float sum = 0, squares = 0;
    for (int64_t i = 0; i < C; i++) sum += a[i];
    const float mean = sum / (float)C;
    for (int64_t i = 0; i < C; i++) squares += (a[i] - mean) * (a[i] - mean);
    const float scale = 1.0f / std::sqrt(squares / (float)C + eps);
    for (int64_t i = 0; i < C; i++) b[i] = (a[i] - mean) * scale * w[i] + bias[i];
  }
"""
)
SOFTMAX = (
    _ROWS
    + _X_OUT
    + """  for (int64_t r = 0; r < R; r++) {
    const float *a = x + r * C; float *b = out + r * C; float top = a[0], sum = 0;
    for (int64_t i = 0; i < C; i++) if (!(a[i] <= top)) top = a[i];
    for (int64_t i = 0; i < C; i++) { b[i] = std::exp(a[i] - top); sum += b[i]; }
    for (int64_t i = 0; i < C; i++) b[i] /= sum;
  }
"""
)
ONLINE = (
    _ROWS
    + _X_OUT
    + """  for (int64_t r = 0; r < R; r++) {
    const float *a = x + r * C; float *b = out + r * C; float top = -3.4e38f, sum = 0;
    for (int64_t i = 0; i < C; i++) {
      if (a[i] > top) { sum *= std::exp(top - a[i]); top = a[i]; }
      sum += std::exp(a[i] - top);
    }
    for (int64_t i = 0; i < C; i++) b[i] = std::exp(a[i] - top) / sum;
  }
"""
)
SILU = (
    _ROWS
    + """  const float *g = (const float *)t[0], *u = (const float *)t[1]; float *out = (float *)t[2];
  for (int64_t i = 0; i < R * C; i++) out[i] = g[i] / (1.0f + std::exp(-g[i])) * u[i];
"""
)
BIAS_GELU = (
    _ROWS
    + """  const float *x = (const float *)t[0], *bias = (const float *)t[1]; float *out = (float *)t[2];
  for (int64_t r = 0; r < R; r++) for (int64_t i = 0; i < C; i++) {
    const float v = x[r * C + i] + bias[i];
    out[r * C + i] = 0.5f * v * (1.0f + std::tanh(0.7978845608028654f * (v + 0.044715f * v * v * v)));
  }
"""
)
ADD_RMSNORM = (
    _ROWS
    + """  const float *x = (const float *)t[0], *y = (const float *)t[1], *w = (const float *)t[2];
  float *added = (float *)t[3], *out = (float *)t[4]; const float eps = (float)p[0];
  for (int64_t r = 0; r < R; r++) {
    float *h = added + r * C; float sum = 0;
    for (int64_t i = 0; i < C; i++) { h[i] = x[r * C + i] + y[r * C + i]; sum += h[i] * h[i]; }
    const float scale = 1.0f / std::sqrt(sum / (float)C + eps);
    for (int64_t i = 0; i < C; i++) out[r * C + i] = h[i] * scale * w[i];
  }
"""
)
SUM = (
    _ROWS
    + _X_OUT
    + """  for (int64_t r = 0; r < R; r++) {
    float sums[8] = {};
    int64_t i = 0;
    for (; i + 8 <= C; i += 8) for (int j = 0; j < 8; j++) sums[j] += x[r * C + i + j];
    float sum = 0;
    for (; i < C; i++) sum += x[r * C + i];
    for (int j = 0; j < 8; j++) sum += sums[j];
    out[r] = sum;
  }
"""
)
CROSS = (
    _ROWS
    + """  const float *x = (const float *)t[0]; const int64_t *target = (const int64_t *)t[1]; float *out = (float *)t[2];
  for (int64_t r = 0; r < R; r++) {
    const float *a = x + r * C; float top = a[0], sum = 0;
    for (int64_t i = 0; i < C; i++) if (!(a[i] <= top)) top = a[i];
    for (int64_t i = 0; i < C; i++) sum += std::exp(a[i] - top);
    out[r] = std::log(sum) + top - a[target[r]];
  }
"""
)
TRANSPOSE = """  const int64_t C = n[0], R = n[1];
  const float *x = (const float *)t[0]; float *out = (float *)t[1];
  for (int64_t c = 0; c < C; c += 8) for (int64_t r = 0; r < R; r++)
    for (int64_t k = c; k < C && k < c + 8; k++) out[k * R + r] = x[r * C + k];
"""
MATMUL = """  const int64_t M = n[0], N = n[1], K = n[2];
  const float *a = (const float *)t[0], *b = (const float *)t[1], *bias = (const float *)t[2]; float *out = (float *)t[3];
  for (int64_t i = 0; i < M; i++) {
    float *o = out + i * N;
    for (int64_t j = 0; j < N; j++) o[j] = 0;
    for (int64_t k = 0; k < K; k++) for (int64_t j = 0; j < N; j++) o[j] += a[i * K + k] * b[k * N + j];
    for (int64_t j = 0; j < N; j++) { const float v = o[j] + bias[j]; o[j] = v < 0.0f ? 0.0f : v; }
  }
"""
ROTARY = """  const int64_t H = n[0], L = n[1], half = n[2], W = 2 * half;
  const float *x = (const float *)t[0], *c = (const float *)t[1], *s = (const float *)t[2]; float *out = (float *)t[3];
  for (int64_t h = 0; h < H; h++) for (int64_t l = 0; l < L; l++) {
    const float *a = x + (h * L + l) * W; float *o = out + (h * L + l) * W;
    for (int64_t i = 0; i < half; i++) {
      o[i] = a[i] * c[l * W + i] - a[i + half] * s[l * W + i];
      o[i + half] = a[i + half] * c[l * W + i + half] + a[i] * s[l * W + i + half];
    }
  }
"""
THREADS = """  #pragma omp parallel for num_threads(threads) schedule(static)
  for (int64_t r"""

RIGHT = (
    Right("rmsnorm", _with(of.rmsnorm(48, 512), of.rmsnorm(7, 1003, 1e-5), of.rmsnorm(33, 65)), RMSNORM),
    Right("layernorm", _with(of.layernorm(48, 512), of.layernorm(7, 1003, 1e-3), of.layernorm(33, 65)), LAYERNORM),
    Right("softmax", _with(of.softmax(48, 512), of.softmax(7, 1003), of.softmax(33, 65)), SOFTMAX),
    Right("softmax online", _with(of.softmax(48, 512), of.softmax(7, 1003), of.softmax(33, 65)), ONLINE),
    Right("silu", _with(of.silu_mul(48, 512), of.silu_mul(7, 1003), of.silu_mul(33, 65)), SILU),
    Right("bias gelu", _with(of.bias_gelu(48, 512), of.bias_gelu(7, 1003), of.bias_gelu(33, 65)), BIAS_GELU),
    Right("add rmsnorm", _with(of.add_rmsnorm(48, 512), of.add_rmsnorm(7, 1003, 1e-5), of.add_rmsnorm(33, 65)), ADD_RMSNORM),
    Right("sum", _with(of.reduce_sum(48, 512), of.reduce_sum(7, 1003), of.reduce_sum(33, 65)), SUM),
    Right("cross entropy", _with(of.cross_entropy(48, 512), of.cross_entropy(7, 1003), of.cross_entropy(33, 65)), CROSS),
    Right("transpose", _with(of.transpose(48, 512), of.transpose(7, 1003), of.transpose(33, 65)), TRANSPOSE),
    Right("matmul", _with(of.matmul_bias_relu(32, 48, 256), of.matmul_bias_relu(7, 13, 1003), of.matmul_bias_relu(17, 33, 65)), MATMUL),
    Right("rotary", _with(of.rotary(4, 16, 64), of.rotary(3, 7, 26), of.rotary(2, 33, 128)), ROTARY),
    Right("softmax threads", _with(of.softmax(48, 512), of.softmax(7, 1003), of.softmax(33, 65)),
          SOFTMAX.replace("  for (int64_t r", THREADS, 1), threads=2),
    Right("rmsnorm threads", _with(of.rmsnorm(48, 512), of.rmsnorm(7, 1003, 1e-5), of.rmsnorm(33, 65)),
          RMSNORM.replace("  for (int64_t r", THREADS, 1), threads=2),
)  # fmt: skip
BY_NAME = {one.name: one for one in RIGHT}
