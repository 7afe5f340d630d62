"""The C++ that every kernel begins with: vectors of floats, loads and stores of every dtype, folds across lanes.

No header but ``stdint.h``, ``stdlib.h`` and ``string.h`` (immintrin.h alone takes half a second to compile): vectors
are those of the compiler, and what it would not make of them by itself (masked loads, streaming stores, roundings,
scaling by a power of two) is one instruction in ``asm``. ``LANES`` is 16 (AVX-512), 8 (AVX2) or 4 (any machine).
"""

from __future__ import annotations

from typing import Final

from gpu_skills.cpp.functions import FUNCTIONS
from gpu_skills.graph import DType

REQUIRED: Final = {16: ("avx512f", "avx512bw", "avx512dq", "avx512vl"), 8: ("avx2", "fma", "f16c"), 4: ()}
"""What the processor must have for so many lanes, as ``__builtin_cpu_supports`` and /proc/cpuinfo spell it."""

C_TYPES: Final = {
    DType.F32: "float",
    DType.F16: "half_t",
    DType.BF16: "bfloat_t",
    DType.I64: "int64_t",
    DType.I32: "int32_t",
    DType.I8: "int8_t",
    DType.BOOL: "truth_t",
}


def prelude(lanes: int, *, precise: bool) -> str:
    """Return the beginning of a source for ``lanes`` lanes, with precise or fast functions of elements."""
    target = ",".join((*REQUIRED[lanes], "fma" if lanes == 16 else "")).strip(",")
    if lanes == 16:
        target += ",avx2,f16c,prefer-vector-width=512"
    pragma = f'#pragma GCC push_options\n#pragma GCC target("{target}")\n' if target else "#pragma GCC push_options\n"
    head = f"#define LANES {lanes}\n#define PRECISE {int(precise)}\n#include <stdint.h>\n#include <stdlib.h>\n"
    return head + "#include <string.h>\n" + pragma + _VECTORS + _LOADS + _STORES + FUNCTIONS


_VECTORS: Final = r"""
#define INL static inline __attribute__((always_inline, unused))
typedef float vf __attribute__((vector_size(LANES * 4), may_alias));
typedef int32_t vi __attribute__((vector_size(LANES * 4), may_alias));
typedef uint32_t vu __attribute__((vector_size(LANES * 4), may_alias));
typedef int64_t vl __attribute__((vector_size(LANES * 8), may_alias));
typedef double vd __attribute__((vector_size(LANES * 8), may_alias));
typedef uint16_t vh __attribute__((vector_size(LANES * 2), may_alias));
typedef int8_t vb __attribute__((vector_size(LANES), may_alias));
struct half_t { uint16_t bits; };
struct bfloat_t { uint16_t bits; };
struct truth_t { uint8_t is; };
typedef uint16_t mask_t;
#define INF __builtin_inff()
#define NOT_A_NUMBER __builtin_nanf("")
INL vf splat(float x) { return x - (vf){}; }
INL vi whole(int32_t x) { return x - (vi){}; }
INL vf as_f(vi x) { return (vf)x; }
INL vi as_i(vf x) { return (vi)x; }
INL vf pick(vi mask, vf a, vf b) { return mask ? a : b; }
INL vf one_if(vi mask) { return as_f(mask & as_i(splat(1.0f))); }
#if LANES == 16
#define LANE_NUMBERS {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
#elif LANES == 8
#define LANE_NUMBERS {0, 1, 2, 3, 4, 5, 6, 7}
#else
#define LANE_NUMBERS {0, 1, 2, 3}
#endif
INL vf lane_numbers() { return (vf) LANE_NUMBERS; }
INL vi first(int64_t n) { return (vi) LANE_NUMBERS < whole((int32_t)n); }
INL vf keep(int64_t n, vf x, float other) { return pick(first(n), x, splat(other)); }
#if LANES == 16
#define VECTOR_ASM 1
INL vf round_even(vf x) { vf r; asm("vrndscaleps $8, %1, %0" : "=v"(r) : "v"(x)); return r; }
INL vf floor_(vf x) { vf r; asm("vrndscaleps $9, %1, %0" : "=v"(r) : "v"(x)); return r; }
INL vf ceil_(vf x) { vf r; asm("vrndscaleps $10, %1, %0" : "=v"(r) : "v"(x)); return r; }
INL vf scaled(vf x, vf n) { vf r; asm("vscalefps %2, %1, %0" : "=v"(r) : "v"(x), "v"(n)); return r; }
INL vf about_1_over(vf x) { vf r; asm("vrcp14ps %1, %0" : "=v"(r) : "v"(x)); return r; }
#elif LANES == 8
#define VECTOR_ASM 1
INL vf round_even(vf x) { vf r; asm("vroundps $8, %1, %0" : "=x"(r) : "x"(x)); return r; }
INL vf floor_(vf x) { vf r; asm("vroundps $9, %1, %0" : "=x"(r) : "x"(x)); return r; }
INL vf ceil_(vf x) { vf r; asm("vroundps $10, %1, %0" : "=x"(r) : "x"(x)); return r; }
#else
#define VECTOR_ASM 0
#define EACH(x, f) vf r; for (int l = 0; l < LANES; l++) r[l] = f(x[l]); return r
INL vf round_even(vf x) { EACH(x, __builtin_rintf); }
INL vf floor_(vf x) { EACH(x, __builtin_floorf); }
INL vf ceil_(vf x) { EACH(x, __builtin_ceilf); }
#endif
#if LANES != 16
INL vf two_to(vi n) { return as_f((n + 127) << 23); }
INL vf scaled(vf x, vf n) {
  vi whole_n = __builtin_convertvector(n, vi), half = whole_n >> 1;
  return x * two_to(half) * two_to(whole_n - half);
}
#endif
#if VECTOR_ASM
/* Of two operands one of which is no number these instructions give the last: in AT&T's order, the first written. */
INL vf least(vf c, vf x) { vf r; asm("vminps %1, %2, %0" : "=v"(r) : "v"(x), "v"(c)); return r; }
INL vf most(vf c, vf x) { vf r; asm("vmaxps %1, %2, %0" : "=v"(r) : "v"(x), "v"(c)); return r; }
INL vf root(vf x) { vf r; asm("vsqrtps %1, %0" : "=v"(r) : "v"(x)); return r; }
#else
INL vf least(vf c, vf x) { return pick(x > c, c, x); }
INL vf most(vf c, vf x) { return pick(x < c, c, x); }
INL vf root(vf x) { EACH(x, __builtin_sqrtf); }
#endif
/* maximum and minimum as torch has them: what is no number stays none, on either side. */
INL vf maximum(vf a, vf b) { return pick(a != a, a, most(a, b)); }
INL vf minimum(vf a, vf b) { return pick(a != a, a, least(a, b)); }
/* What all lanes come to, in every lane: each is joined with the one half a vector away, then a quarter, ... */
INL vf beside(vf x, const int by) { return __builtin_shuffle(x, (vi) LANE_NUMBERS ^ by); }
INL vf plus(vf a, vf b) { return a + b; }
#if LANES == 16
#define WIDEST(join, x) x = join(x, beside(x, 8)); x = join(x, beside(x, 4));
#elif LANES == 8
#define WIDEST(join, x) x = join(x, beside(x, 4));
#else
#define WIDEST(join, x)
#endif
#define ACROSS(name, join) \
  INL vf name(vf x) { WIDEST(join, x) x = join(x, beside(x, 2)); return join(x, beside(x, 1)); }
ACROSS(sum_across, plus)
ACROSS(max_across, maximum)
ACROSS(min_across, minimum)
"""

_LOADS: Final = r"""
INL vf from_half(vh h) {
#if LANES == 16
  vf r; asm("vcvtph2ps %1, %0" : "=v"(r) : "v"(h)); return r;
#elif LANES == 8
  vf r; asm("vcvtph2ps %1, %0" : "=x"(r) : "x"(h)); return r;
#else
  vi w = __builtin_convertvector(h, vi);
  vf small = as_f((w & 0x7fff) << 13) * splat(0x1p112f);
  vi special = as_i(small) | 0x7f800000;
  return as_f(as_i(pick((w & 0x7c00) == 0x7c00, as_f(special), small)) | ((w & 0x8000) << 16));
#endif
}
INL vf from_bfloat(vh h) { return (vf)(__builtin_convertvector(h, vu) << 16); }
template <class V, class T> INL V raw(const T *p) { V v; memcpy(&v, p, sizeof v); return v; }
template <class V, class T> INL V raw(const T *p, int64_t n) {
  union { V v; T a[LANES]; } u; memset(&u, 0, sizeof u);
  for (int64_t l = 0; l < n; l++) u.a[l] = p[l];
  return u.v;
}
INL vf load(const float *p) { return raw<vf>(p); }
INL vf load(const half_t *p) { return from_half(raw<vh>(p)); }
INL vf load(const bfloat_t *p) { return from_bfloat(raw<vh>(p)); }
INL vf load(const int64_t *p) { return __builtin_convertvector(raw<vl>(p), vf); }
INL vf load(const int32_t *p) { return __builtin_convertvector(raw<vi>(p), vf); }
INL vf load(const int8_t *p) { return __builtin_convertvector(raw<vb>(p), vf); }
INL vf load(const truth_t *p) { return one_if(__builtin_convertvector(raw<vb>(p), vi) != 0); }
#if LANES == 16 && !defined(SANITIZED)
INL vf load(const float *p, int64_t n) {
  vf r; mask_t m = (mask_t)((1u << n) - 1);
  asm("vmovups %1, %0%{%2%}%{z%}" : "=v"(r) : "m"(*(const vf *)p), "Yk"(m)); return r;
}
#elif LANES == 8 && !defined(SANITIZED)
INL vf load(const float *p, int64_t n) {
  vf r; vi m = first(n);
  asm("vmaskmovps %1, %2, %0" : "=x"(r) : "m"(*(const vf *)p), "x"(m)); return r;
}
#else
INL vf load(const float *p, int64_t n) { return raw<vf>(p, n); }
#endif
INL vf load(const half_t *p, int64_t n) { return from_half(raw<vh>(p, n)); }
INL vf load(const bfloat_t *p, int64_t n) { return from_bfloat(raw<vh>(p, n)); }
INL vf load(const int64_t *p, int64_t n) { return __builtin_convertvector(raw<vl>(p, n), vf); }
INL vf load(const int32_t *p, int64_t n) { return __builtin_convertvector(raw<vi>(p, n), vf); }
INL vf load(const int8_t *p, int64_t n) { return __builtin_convertvector(raw<vb>(p, n), vf); }
INL vf load(const truth_t *p, int64_t n) { return one_if(__builtin_convertvector(raw<vb>(p, n), vi) != 0); }
INL float one(float x) { return x; }
INL float one(int64_t x) { return (float)x; }
INL float one(int32_t x) { return (float)x; }
INL float one(int8_t x) { return x; }
INL float one(truth_t x) { return x.is != 0; }
INL float one(bfloat_t x) { uint32_t b = (uint32_t)x.bits << 16; float r; memcpy(&r, &b, 4); return r; }
INL float one(half_t x) { vh h = {}; h[0] = x.bits; return from_half(h)[0]; }
INL double exact(int64_t x) { return (double)x; }
template <class T> INL double exact(T x) { return one(x); }
template <class T> INL vf load_apart(const T *p, int64_t stride, int64_t n) {
  vf r = {}; for (int64_t l = 0; l < n; l++) r[l] = one(p[l * stride]); return r;
}
/* Where an index is outside of what it chooses from there is nothing to read, and the result is no number. */
template <class T> INL float chosen(const T *p, double at, int64_t stride, int64_t size) {
  if (!(at >= 0 && at < (double)size)) return NOT_A_NUMBER;
  return one(p[(int64_t)at * stride]);
}
template <class T> INL double chosen_exact(const T *p, double at, int64_t stride, int64_t size) {
  if (!(at >= 0 && at < (double)size)) return NOT_A_NUMBER;
  return exact(p[(int64_t)at * stride]);
}
"""

_STORES: Final = r"""
INL vh to_bfloat(vf x) {
  vu b = (vu)x, rounded = (b + 0x7fff + ((b >> 16) & 1)) >> 16;
  vu r = (x != x) ? (vu)((b >> 16) | 0x40) : rounded;
  return __builtin_convertvector(r, vh);
}
INL vh to_half(vf x) {
#if LANES == 16
  vh r; asm("vcvtps2ph $0, %1, %0" : "=v"(r) : "v"(x)); return r;
#elif LANES == 8
  vh r; asm("vcvtps2ph $0, %1, %0" : "=x"(r) : "x"(x)); return r;
#else
  vu b = (vu)x, sign = (b >> 16) & 0x8000, a = b & 0x7fffffff;
  vu normal = (a - 0x38000000 + 0xfff + ((a >> 13) & 1)) >> 13;
  vu small = (vu)((vf)a + splat(0.5f)) - 0x3f000000;
  vu r = (a < 0x38800000) ? small : normal;
  r = (a >= 0x47800000 || r > 0x7c00) ? (vu){} + 0x7c00 : r;
  r = (a > 0x7f800000) ? (vu){} + 0x7e00 : r;
  return __builtin_convertvector(r | sign, vh);
#endif
}
INL vl to_long(vf x) { return __builtin_convertvector(x, vl); }
INL vb to_truth(vf x) { return __builtin_convertvector((x != 0.0f) & 1, vb); }
template <class V, class T> INL void put(T *p, V v, int64_t n) {
  union { V v; T a[LANES]; } u; u.v = v; for (int64_t l = 0; l < n; l++) p[l] = u.a[l];
}
INL void store(float *p, vf x) { memcpy(p, &x, sizeof x); }
INL void store(half_t *p, vf x) { vh h = to_half(x); memcpy(p, &h, sizeof h); }
INL void store(bfloat_t *p, vf x) { vh h = to_bfloat(x); memcpy(p, &h, sizeof h); }
INL void store(int64_t *p, vf x) { vl h = to_long(x); memcpy(p, &h, sizeof h); }
INL void store(int32_t *p, vf x) { vi h = __builtin_convertvector(x, vi); memcpy(p, &h, sizeof h); }
INL void store(int8_t *p, vf x) { vb h = __builtin_convertvector(x, vb); memcpy(p, &h, sizeof h); }
INL void store(truth_t *p, vf x) { vb h = to_truth(x); memcpy(p, &h, sizeof h); }
#if LANES == 16 && !defined(SANITIZED)
INL void store(float *p, vf x, int64_t n) {
  mask_t m = (mask_t)((1u << n) - 1);
  asm volatile("vmovups %1, %0%{%2%}" : "+m"(*(vf *)p) : "v"(x), "Yk"(m));
}
#elif LANES == 8 && !defined(SANITIZED)
INL void store(float *p, vf x, int64_t n) {
  vi m = first(n); asm volatile("vmaskmovps %1, %2, %0" : "+m"(*(vf *)p) : "x"(x), "x"(m));
}
#else
INL void store(float *p, vf x, int64_t n) { put(p, x, n); }
#endif
INL void store(half_t *p, vf x, int64_t n) { put(p, to_half(x), n); }
INL void store(bfloat_t *p, vf x, int64_t n) { put(p, to_bfloat(x), n); }
INL void store(int64_t *p, vf x, int64_t n) { put(p, to_long(x), n); }
INL void store(int32_t *p, vf x, int64_t n) { put(p, __builtin_convertvector(x, vi), n); }
INL void store(int8_t *p, vf x, int64_t n) { put(p, __builtin_convertvector(x, vb), n); }
INL void store(truth_t *p, vf x, int64_t n) { put(p, to_truth(x), n); }
template <class T> INL void store_apart(T *p, int64_t stride, vf x, int64_t n) {
  T a[LANES]; store(a, x); for (int64_t l = 0; l < n; l++) p[l * stride] = a[l];
}
template <class T> INL void store_first(T *p, vf x) { T a[LANES]; store(a, x); p[0] = a[0]; }
INL void store_first(float *p, vf x) { p[0] = x[0]; }
#if VECTOR_ASM && !defined(SANITIZED)
INL void stream(float *p, vf x) { asm volatile("vmovntps %1, %0" : "=m"(*(vf *)p) : "v"(x)); }
INL void streamed() { asm volatile("sfence" ::: "memory"); }
#else
INL void stream(float *p, vf x) { store(p, x); }
INL void streamed() {}
#endif
template <class T> INL void stream(T *p, vf x) { store(p, x); }
INL bool in_line(const void *p) { return ((uintptr_t)p & (LANES * 4 - 1)) == 0; }
"""
