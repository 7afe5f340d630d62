"""Functions of elements as vector code of our own, each with the largest error it may have.

Every function is right for all floats: it passes on what is no number, knows the infinities, and keeps the sign of
zero where torch does. ``BOUNDS`` says by how much a result may differ from the true one, in ulp of the result where
that is a normal number; results below 1.2e-38 may be lost to 0. The coefficients were fitted for this file: Remez'
algorithm on the reduced argument, weighted for relative error (Muller, "Elementary Functions", chapters 3 and 11),
the two quotients of polynomials by reweighted least squares on Chebyshev nodes. The oracle is float64 (tests, dense
samples).

The fast ones replace a division by an approximation and one Newton step, and take a shorter polynomial; all of them
stay below a relative error of 1e-6.
"""

from __future__ import annotations

from typing import Final

from gpu_skills.graph import Fn

BOUNDS: Final[dict[Fn, tuple[float, float]]] = {
    Fn.EXP: (1.5, 3.0),
    Fn.EXPM1: (2.5, 2.5),
    Fn.LOG: (2.0, 2.0),
    Fn.LOG1P: (3.0, 3.0),
    Fn.TANH: (4.0, 6.0),
    Fn.SIGMOID: (3.0, 5.0),
    Fn.ERF: (3.0, 7.0),
    Fn.SIN: (2.0, 2.0),
    Fn.COS: (2.0, 2.0),
    Fn.POW: (1.0, 1.0),
    Fn.RSQRT: (1.5, 1.5),
}
"""The largest error in ulp: of the precise form, and of the fast one."""

CALLS: Final[dict[Fn, str]] = {
    Fn.EXP: "exp_", Fn.EXPM1: "expm1_", Fn.LOG: "log_", Fn.LOG1P: "log1p_", Fn.TANH: "tanh_", Fn.SIGMOID: "sigmoid_",
    Fn.ERF: "erf_", Fn.SIN: "sin_", Fn.COS: "cos_", Fn.POW: "pow_", Fn.SQRT: "root", Fn.RSQRT: "rsqrt_",
    Fn.ABS: "abs_", Fn.SIGN: "sign_", Fn.FLOOR: "floor_", Fn.CEIL: "ceil_", Fn.ROUND: "round_even",
    Fn.MAXIMUM: "maximum", Fn.MINIMUM: "minimum",
}  # fmt: skip
"""What a function of elements is called in the C++; the others are operators."""

COSTLY: Final = frozenset(BOUNDS) - {Fn.RSQRT} | {Fn.DIV, Fn.SQRT, Fn.RSQRT}
"""Functions that take ten instructions or more: their results are worth keeping from pass to pass."""

FUNCTIONS: Final = r"""
/* Without vector instructions a function is long: it is called, not repeated wherever it is used. */
#if LANES == 4
#define OUT __attribute__((noinline, unused)) static
#else
#define OUT INL
#endif
INL vf abs_(vf x) { return as_f(as_i(x) & 0x7fffffff); }
INL vf with_sign(vf size, vf of) { return as_f(as_i(size) | (as_i(of) & (vi)((vu){} + 0x80000000u))); }
INL vf sign_(vf x) { return pick(x != x, x, one_if(x > 0.0f) - one_if(x < 0.0f)); }
INL vf rsqrt_(vf x) { return 1.0f / root(x); }
/* 1 / x for x in [1, 1e38] */
INL vf inverse(vf x) {
#if LANES == 16 && !PRECISE
  vf r = about_1_over(x); return r + r * (1.0f - x * r);
#else
  return 1.0f / x;
#endif
}
/* a / b for a b of the row whose inverse is known: exact division where the inverse is no normal number */
INL vf quotient(vf a, vf b, vf inverse_b, bool normal) {
  return __builtin_expect(normal, 1) ? a * inverse_b : a / b;
}
INL bool invertible(vf b) { float x = __builtin_fabsf(b[0]); return x > 0x1p-120f && x < 0x1p120f; }
/* e^x = 2^n e^r, |r| <= ln(2) / 2; the two halves of ln(2) from Cody and Waite, so that n times the first is exact */
INL vf exp_reduced(vf x, vf *r) {
  vf n = round_even(x * 1.44269504089f);
  vf one_half = x - n * 0.693359375f; *r = one_half + n * 2.12194440055e-4f;
  return n;
}
INL vf exp_inside(vf x) {
  vf r, n = exp_reduced(x, &r);
#if PRECISE
  vf q = 0.4999999343f + r * (0.166665204f + r * (0.04166839084f + r * (0.008368745031f + r * 0.001381453622f)));
#else
  vf q = 0.4999923032f + r * (0.1666711539f + r * (0.04189033116f + r * 0.008312501045f));
#endif
  return scaled(1.0f + (r + r * r * q), n);
}
OUT vf exp_(vf x) { return exp_inside(most(splat(-104.0f), least(splat(89.0f), x))); }
OUT vf expm1_(vf x) {
  vf r, z = most(splat(-18.0f), least(splat(89.0f), x)), n = exp_reduced(z, &r);
  vf q = 0.5000000044f + r * (0.1666666637f + r * (0.04166636043f
       + r * (0.00833338944f + r * (0.001394066819f + r * 0.0001984589216f))));
  vf half = scaled(splat(0.5f), n), grown = 2.0f * (half * (r + r * r * q) + (half - 0.5f));
  return pick(abs_(x) < 1e-5f, x + 0.5f * x * x, grown);
}
/* log(m 2^e) = e ln(2) + log(1 + f), sqrt(1/2) <= m < sqrt(2) */
INL vf log_of_positive(vf x, vf extra) {
  vi tiny = x < 0x1p-126f;
  vi bits = as_i(pick(tiny, x * 0x1p23f, x));
  vi e = (bits - 0x3f3504f3) >> 23;
  vf f = as_f(bits - (e << 23)) - 1.0f, n = __builtin_convertvector(e - (tiny & 23), vf);
  vf q = 0.3333331241f + f * (-0.2500000983f + f * (0.2000213435f + f * (-0.1666799633f + f * (0.1421919538f
       + f * (-0.1240530821f + f * (0.1189074575f + f * (-0.1167877508f + f * 0.06744504191f)))))));
  vf low = f * f * (f * q - 0.5f) + (extra - n * 2.12194440055e-4f);
  return (f + low) + n * 0.693359375f;
}
INL vf log_ends(vf x, vf r) {
  r = pick(x == 0.0f, splat(-INF), r);
  r = pick(x < 0.0f, splat(NOT_A_NUMBER), r);
  return pick((x == INF) | (x != x), x, r);
}
OUT vf log_(vf x) { return log_ends(x, log_of_positive(x, (vf){})); }
OUT vf log1p_(vf x) {
  vf u = 1.0f + x, lost = x - (u - 1.0f);
  vf r = log_ends(u, log_of_positive(u, pick(u == INF, (vf){}, lost / u)));
  return pick(abs_(x) < 1e-4f, x - x * x * (0.5f - x * 0.33333333f), r);
}
OUT vf sigmoid_(vf x) {
#if LANES == 16 && !PRECISE
  vf r = inverse(1.0f + exp_inside(most(splat(-87.3365f), least(splat(87.3365f), -x))));
  return pick(x < -87.3365f, (vf){}, r);
#else
  return 1.0f / (1.0f + exp_(-x));
#endif
}
OUT vf tanh_(vf x) {
#if PRECISE
  vf e = expm1_(2.0f * abs_(least(splat(20.0f), most(splat(-20.0f), x))));
  return with_sign(e / (e + 2.0f), x);
#else
  vf c = most(splat(-8.0f), least(splat(8.0f), x)), t = c * c;
  vf p = 0.999999993585525f + t * (0.13444518958846913f + t * (0.0035716228171861434f
       + t * (2.1895065613404554e-05f + t * 1.5230970056631448e-08f)));
  vf q = 1.0f + t * (0.4677784628989241f + t * (0.026164537569741103f
       + t * (0.00034113323689006364f + t * 8.522674108727813e-07f)));
  return c * p * inverse(q);
#endif
}
OUT vf erf_(vf x) {
#if PRECISE
  vf a = least(splat(4.0f), abs_(x)), t = a * a;
  vf near = a * (1.128379166f + t * (-0.3761262506f + t * (0.1128357533f + t * (-0.02685335224f
          + t * (0.005187363188f + t * (-0.0008000931347f + t * 7.820706459e-5f))))));
  vf g = 0.0001880345444f + a * (-1.129578399f + a * (-0.6332199397f + a * (-0.1084185301f + a * (0.02520822858f
       + a * (-0.004204551987f + a * (0.0004413344863f + a * -2.168669811e-5f))))));
  return with_sign(pick(a < 1.0f, near, 1.0f - exp_(g)), x);
#else
  vf c = most(splat(-3.9f), least(splat(3.9f), x)), t = c * c;
  vf p = 1.1283791476889702f + t * (0.18966622646787565f + t * (0.05266788825258011f + t * (0.0037382843242123954f
       + t * (0.0002850546944980265f + t * 2.06640043616775e-06f))));
  vf q = 1.0f + t * (0.5014200997247469f + t * (0.11381860455739787f + t * (0.014914164354298032f
       + t * (0.0011573494285352258f + t * 3.826886818315536e-05f))));
  return c * p * inverse(q);
#endif
}
/* sin and cos: the argument less a multiple of pi / 2 in float64; beyond 1e6 the C library, lane by lane */
__attribute__((noinline, unused)) static vf wave_beyond(vf x, int quarter) {
  vf r; for (int l = 0; l < LANES; l++) r[l] = quarter ? __builtin_cosf(x[l]) : __builtin_sinf(x[l]);
  return r;
}
INL bool any(vi mask) { int32_t r = 0; for (int l = 0; l < LANES; l++) r |= mask[l]; return r; }
OUT vf wave(vf x, int quarter) {
  if (__builtin_expect(any(!(abs_(x) < 1e6f)), 0)) return wave_beyond(x, quarter);
  vf n = round_even(x * 0.636619772f);
  vd wide = __builtin_convertvector(x, vd), times = __builtin_convertvector(n, vd);
  vf r = __builtin_convertvector((wide - times * 1.57079632673412561417) - times * 6.07710050650619224932e-11, vf);
  vi which = __builtin_convertvector(n, vi) + quarter;
  vf t = r * r;
  vf s = r + r * t * (-0.1666665487f + t * (0.008332173543f + t * -0.0001951665581f));
  vf c = (1.0f - 0.5f * t) + t * t * (0.04166664675f + t * (-0.001388736145f + t * 2.443773027e-5f));
  vf size = pick((which & 1) != 0, c, s);
  return as_f(as_i(size) ^ ((which & 2) << 30));
}
INL vf sin_(vf x) { return pick(x == 0.0f, x, wave(x, 0)); }
INL vf cos_(vf x) { return wave(x, 1); }
__attribute__((noinline, unused)) static vf pow_(vf x, vf y) {
  vf r; for (int l = 0; l < LANES; l++) r[l] = __builtin_powf(x[l], y[l]); return r;
}
"""
