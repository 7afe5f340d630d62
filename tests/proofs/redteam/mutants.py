"""Wrong kernels: each a right one with one thing changed, as people and generators get them wrong."""

from __future__ import annotations

from dataclasses import dataclass

from tests.proofs.redteam.kernels import BY_NAME, Right


@dataclass(frozen=True)
class Mutant:
    """``right`` with ``old`` replaced by ``new``, everywhere."""

    right: Right
    name: str
    old: str
    new: str

    @property
    def source(self) -> str:
        assert self.old in self.right.source, (self.right.name, self.name)
        return self.right.source.replace(self.old, self.new)


def _of(name: str, *changes: tuple[str, str, str]) -> list[Mutant]:
    return [Mutant(BY_NAME[name], *one) for one in changes]


_STALE = ("static float kept[1 << 16]; static int known = 0; "
          "if (!known) { for (int64_t i = 0; i < C && i < (1 << 16); i++) kept[i] = w[i]; known = 1; } w = kept;")  # fmt: skip
_HALF_SUM = "_Float16 sum = 0;"
MUTANTS: tuple[Mutant, ...] = (
    *_of("rmsnorm",
         ("wrong epsilon", "(float)p[0]", "1e-5f"), ("epsilon left out", " + eps", ""), ("weight ignored", " * w[i]", ""),
         ("last column left out of the sum", "i < C; i++) sum", "i < C - 1; i++) sum"),
         ("last column not written", "i < C; i++) b[i]", "i < C - 1; i++) b[i]"),
         ("last row skipped", "r < R; r++", "r < R - 1; r++"), ("divided by one less", "(float)C +", "(float)(C - 1) +"),
         ("columns only in eights", "i < C; i++) b[i]", "i < C / 8 * 8; i++) b[i]"),
         ("epsilon outside of the root", "std::sqrt(sum / (float)C + eps)", "(std::sqrt(sum / (float)C) + eps)"),
         ("sum in half precision", "float sum = 0;", _HALF_SUM), ("sum not reset", "float sum = 0;", "static float sum = 0;"),
         ("sum not begun", "float sum = 0;", "float sum;"), ("stale weight", "const float eps", _STALE + " const float eps"),
         ("weight of the row", "w[i]", "w[r % C]"), ("mean of absolutes", "a[i] * a[i]", "std::fabs(a[i])")),
    *_of("layernorm",
         ("bias ignored", " + bias[i]", ""), ("weight ignored", " * w[i]", ""), ("wrong epsilon", "(float)p[0]", "1e-6f"),
         ("one pass", "squares += (a[i] - mean) * (a[i] - mean)", "squares += a[i] * a[i] - mean * mean"),
         ("unbiased variance", "squares / (float)C", "squares / (float)(C - 1)"),
         ("mean not taken off", "b[i] = (a[i] - mean)", "b[i] = a[i]"),
         ("weight and bias exchanged", "* w[i] + bias[i]", "* bias[i] + w[i]"),
         ("mean in bfloat16", "const float mean = sum / (float)C;",
          "float mean = sum / (float)C; { uint32_t u; memcpy(&u, &mean, 4); u &= 0xffff0000u; memcpy(&mean, &u, 4); }")),
    *_of("softmax",
         ("maximum not taken off", "a[i] - top", "a[i]"), ("maximum of the first eight", "i++) if (!(", "i++) if (i < 8 && !("),
         ("last column left out of the sum", "i++) { b[i]", "i++) { if (i == C - 1) { b[i] = std::exp(a[i] - top); break; } b[i]"),
         ("sum in half precision", "top = a[0], sum = 0", "top = a[0]; _Float16 sum = 0"),
         ("nan goes unseen", "std::exp(a[i] - top)", "(a[i] == a[i] ? std::exp(a[i] - top) : 0.0f)"),
         ("last row skipped", "r < R; r++", "r < R - 1; r++"), ("not divided", "b[i] /= sum", "b[i] *= 1.0f"),
         ("one row too many", "r < R; r++", "r <= R; r++"),
         ("a series instead of exp", "std::exp(a[i] - top)", "(float)std::pow(1.0f + (a[i] - top) / 1024.0f, 1024.0f)"),
         ("wrong axis", "for (int64_t i = 0; i < C; i++) b[i] /= sum;",
          "if (r == R - 1) for (int64_t k = 0; k < R; k++) for (int64_t i = 0; i < C; i++) out[k * C + i] /= sum;"),
         ("output scaled a little", "b[i] /= sum", "b[i] *= 1.00005f / sum")),
    *_of("softmax online",
         ("sum not rescaled", "sum *= std::exp(top - a[i]);", ""), ("rescaled the wrong way", "std::exp(top - a[i]); top", "std::exp(a[i] - top); top"),
         ("maximum begins at zero", "top = -3.4e38f", "top = 0")),
    *_of("silu",
         ("gate left out", " * u[i]", ""), ("sign of exp", "std::exp(-g[i])", "std::exp(g[i])"),
         ("last element skipped", "i < R * C", "i < R * C - 1"), ("32-bit count of rows only", "R * C", "R * (C & 511)"),
         ("half precision", "g[i] / (1.0f + std::exp(-g[i]))", "(float)(_Float16)(g[i] / (1.0f + std::exp(-g[i])))"),
         ("clamped", "std::exp(-g[i])", "std::exp(-(g[i] > 4.0f ? 4.0f : g[i]))"), ("one element beyond", "i < R * C", "i < R * C + 1")),
    *_of("bias gelu",
         ("bias ignored", " + bias[i]", ""), ("another gelu", "0.044715f", "0.04f"), ("sigmoid gelu",
          "0.5f * v * (1.0f + std::tanh(0.7978845608028654f * (v + 0.044715f * v * v * v)))", "v / (1.0f + std::exp(-1.702f * v))"),
         ("cube is a square", "v * v * v", "v * v"), ("bias of the row", "bias[i]", "bias[r % C]"), ("half is missing", "0.5f * v", "v")),
    *_of("add rmsnorm",
         ("sum not stored", "h[i] = x[r * C + i] + y[r * C + i]; sum += h[i] * h[i];",
          "float v = x[r * C + i] + y[r * C + i]; sum += v * v; if (r) h[i] = v;"),
         ("residual left out of the norm", "sum += h[i] * h[i]", "sum += x[r * C + i] * x[r * C + i]"),
         ("accumulates into what was there", "h[i] = x", "h[i] += x"), ("wrong epsilon", "(float)p[0]", "1e-6f")),
    *_of("sum",
         ("tail left out", "for (; i < C; i++) sum += x[r * C + i];", ""), ("only half of the lanes", "j < 8; j++) sum +=", "j < 4; j++) sum +="),
         ("lanes not begun", "float sums[8] = {};", "float sums[8];"), ("sum in half precision", "float sum = 0;", _HALF_SUM),
         ("tail counted twice", "sum += x[r * C + i];", "sum += 2 * x[r * C + i];")),
    *_of("cross entropy",
         ("maximum not put back", " + top - a", " - a"), ("target off by one", "a[target[r]]", "a[(target[r] + 1) % C]"),
         ("target as 32 bits", "a[target[r]]", "a[((const int32_t *)target)[r]]"), ("first class skipped", "int64_t i = 0; i < C; i++) sum", "int64_t i = 1; i < C; i++) sum"),
         ("maximum not taken off", "std::exp(a[i] - top)", "std::exp(a[i])"), ("logarithm to base two", "std::log(", "std::log2(")),
    *_of("transpose",
         ("not transposed", "out[k * R + r] = x[r * C + k]", "out[r * C + k] = x[r * C + k]"), ("tail skipped", "c < C; c += 8", "c + 8 <= C; c += 8"),
         ("writes beside", "k < C && k < c + 8", "k < c + 8")),
    *_of("matmul",
         ("bias ignored", " + bias[j]", ""), ("relu left out", "v < 0.0f ? 0.0f : v", "v"), ("last k skipped", "k < K; k++", "k < K - 1; k++"),
         ("accumulates into what was there", "o[j] = 0;", "o[j] *= 1;"), ("half precision", "a[i * K + k] * b[k * N + j]", "(float)((_Float16)a[i * K + k] * (_Float16)b[k * N + j])"),
         ("nan becomes zero", "v < 0.0f ? 0.0f : v", "v > 0.0f ? v : 0.0f"), ("k only in fours", "k < K; k++", "k < K / 4 * 4; k++")),
    *_of("rotary",
         ("sign of the sine", "- a[i + half]", "+ a[i + half]"), ("sine of the first half", "s[l * W + i + half]", "s[l * W + i] "),
         ("position of the head", "c[l * W", "c[(h % L) * W"), ("second half left as it is", "o[i + half] = a[i + half] * c[l * W + i + half] + a[i] * s[l * W + i + half]", "o[i + half] = a[i + half]")),
    *_of("softmax threads",
         ("a race for the maximum", "float top = a[0], sum = 0;", "static volatile float top, sum; top = a[0]; sum = 0;"),),
    *_of("rmsnorm threads",
         ("a race for the sum", "float sum = 0;", "static volatile float sum; sum = 0;"),
         ("threads leave the last rows", "r < R; r++", "r < R / threads * threads; r++")),
)  # fmt: skip
