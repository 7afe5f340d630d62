"""A precedence parser over exact fractions: numbers, ``+ - * / // mod ^ ! %``, ``of``, brackets, roots and logarithms.

What this stops: an expression that hangs or fills the memory (length, depth, exponents and digits are bounded before
the work is done) and any evaluation of names or code; only the words in the tables below mean something.
What it does not: rounding in roots, logarithms and constants, which are computed to 40 digits and marked approximate.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from skills.sdk import ToolError

_MOST_CHARACTERS = 500
_MOST_DEPTH = 40
_MOST_BITS = 13_000  # about 3,900 digits; Python refuses to print integers past 4,300
_DIGITS = 40

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d[\d.,'\u00a0\u202f]*\d|\d|[.,]\d+)(?:e[+-]?\d+)?)|(?P<name>[a-z]+)|(?P<sign>\*\*|//|[-+*/^()!%]))"
)
_OPENING = ("number", "name")
_CONSTANTS = {"pi": Fraction(str(math.pi)), "e": Fraction(str(math.e))}


@dataclass(frozen=True, slots=True)
class Token:
    """A number, a name or a sign, and where it begins."""

    kind: str
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Value:
    """An exact number; ``percent`` while it is a bare percentage, which "80 + 15 %" takes of its left side."""

    number: Fraction
    percent: bool = False


def refuse(en: str, hint: str, de: str, de_hint: str) -> ToolError:
    """Return the error of an expression that cannot be worked out."""
    return ToolError(en, hint=hint, code="calc.expression", de=de, de_hint=de_hint)


def too_large() -> ToolError:
    """Return the error of a result that has too many digits."""
    return refuse(
        "The numbers in this calculation grow past 3,900 digits.",
        "Use smaller numbers or exponents.",
        "Die Zahlen in dieser Rechnung werden länger als 3.900 Stellen.",
        "Nimm kleinere Zahlen oder Exponenten.",
    )


def bounded(number: Fraction) -> Fraction:
    """Return ``number`` when it is short enough to go on with. Raises ToolError otherwise."""
    if max(abs(number.numerator).bit_length(), number.denominator.bit_length()) > _MOST_BITS:
        raise too_large()
    return number


def literal(text: str, language: str) -> Fraction:
    """Read a number as written: ``1,234.56``, ``1.234,56``, ``12,5``, ``1e6``.

    A mark that could be either is a thousands separator when three digits follow, in the way of ``language``.
    """
    plain, _, exponent = text.partition("e")
    plain = re.sub(r"['\u00a0\u202f]", "", plain)
    if abs(int(exponent or 0)) > 3_000 or len(plain) > 400:
        raise too_large()
    decimal_mark = "," if language == "de" else "."
    if "," in plain and "." in plain:
        decimal_mark = max(",.", key=plain.rindex)
    other = "." if decimal_mark == "," else ","
    if other in plain and not re.fullmatch(rf"\d{{1,3}}(?:\{other}\d{{3}})+(?:\{decimal_mark}\d*)?", plain):
        decimal_mark, other = other, decimal_mark
    plain = plain.replace(other, "").replace(decimal_mark, ".")
    if plain.count(".") > 1:
        raise refuse(
            f"{text} is not a number that I can read.",
            "Write it with one decimal mark.",
            f"{text} ist keine Zahl, die ich lesen kann.",
            "Schreib sie mit einem Dezimalzeichen.",
        )
    return Fraction(plain) * Fraction(10) ** int(exponent or 0)


class Parser:
    """Works out one expression; ``approximate`` tells afterwards whether a rounded function took part."""

    def __init__(self, text: str, language: str = "en", *, shown: str = "") -> None:
        if len(text) > _MOST_CHARACTERS:
            raise refuse(
                f"This calculation is {len(text)} characters long; {_MOST_CHARACTERS} is the most.",
                "Split it into parts.",
                f"Diese Rechnung ist {len(text)} Zeichen lang; höchstens {_MOST_CHARACTERS} gehen.",
                "Teile sie auf.",
            )
        self._shown = shown or text
        self._language = language
        self._tokens = self._split(text)
        self._at = 0
        self._depth = 0
        self.approximate = False

    def value(self) -> Fraction:
        """Return the value of the whole expression. Raises ToolError when it is not one."""
        result = self._sum()
        if self._at < len(self._tokens):
            raise self._stray()
        return result.number / 100 if result.percent else result.number

    # --- grammar, lowest precedence first -----------------------------------------------------------------------

    def _sum(self) -> Value:
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise refuse(
                "This calculation is nested too deeply.",
                "Split it into parts.",
                "Diese Rechnung ist zu tief verschachtelt.",
                "Teile sie auf.",
            )
        left = self._product()
        while (sign := self._take("+", "-")) is not None:
            right = self._product()
            change = right.number * _plain(left) / 100 if right.percent and not left.percent else right.number
            number = left.number + change if sign == "+" else left.number - change
            left = Value(bounded(number), left.percent and right.percent)
        self._depth -= 1
        return left

    def _product(self) -> Value:
        left = self._signed()
        while True:
            sign = self._take("*", "/", "//", "mod", "of", "%")
            if sign is None and not self._follows_directly():
                return left
            left = Value(bounded(self._combine(sign or "*", _plain(left), _plain(self._signed()))))

    def _signed(self) -> Value:
        sign = self._take("-", "+")
        if sign is None:
            return self._power()
        value = self._nested(self._signed)
        return Value(-value.number, value.percent) if sign == "-" else value

    def _nested(self, parse: Callable[[], Value]) -> Value:
        """Run ``parse`` one level deeper, so that a row of signs or names is bounded like a row of brackets."""
        self._depth += 1
        if self._depth > _MOST_DEPTH:
            raise too_large()
        value = parse()
        self._depth -= 1
        return value

    def _power(self) -> Value:
        base = self._postfix()
        if self._take("^", "**") is None:
            return base
        return Value(self._raise(_plain(base), _plain(self._nested(self._signed))))

    def _postfix(self) -> Value:
        value = self._atom()
        while True:
            if self._take("!") is not None:
                value = Value(self._factorial(_plain(value)))
            elif self._is("%") and not self._opens(self._at + 1):
                self._at += 1
                value = Value(value.number, percent=True)
            else:
                return value

    def _atom(self) -> Value:
        token = self._peek()
        if token is None:
            raise refuse(
                "The calculation ends too early.",
                "Add the number that is missing at the end.",
                "Die Rechnung hört zu früh auf.",
                "Ergänze die Zahl, die am Ende fehlt.",
            )
        self._at += 1
        if token.kind == "number":
            return Value(bounded(literal(token.text, self._language)))
        if token.text == "(":
            value = self._sum()
            if self._take(")") is None:
                raise refuse(
                    "A bracket is opened and never closed.",
                    "Add the closing bracket.",
                    "Eine Klammer wird geöffnet und nie geschlossen.",
                    "Ergänze die schließende Klammer.",
                )
            return value
        if token.text in _CONSTANTS:
            self.approximate = True
            return Value(_CONSTANTS[token.text])
        if token.text in _FUNCTIONS:
            self._take("of")
            return Value(bounded(_FUNCTIONS[token.text](self, _plain(self._nested(self._power)))))
        self._at -= 1
        raise self._stray()

    # --- tokens -------------------------------------------------------------------------------------------------

    def _split(self, text: str) -> list[Token]:
        tokens: list[Token] = []
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                raise self._unreadable(text[at:].split(maxsplit=1)[0])
            tokens.append(Token(match.lastgroup, match.group(match.lastgroup), match.start(match.lastgroup)))
            at = match.end()
        if not tokens:
            raise refuse(
                "There is nothing to calculate.",
                "Say a calculation such as 12 * 4.",
                "Es gibt nichts zu rechnen.",
                "Nenne eine Rechnung wie 12 * 4.",
            )
        return tokens

    def _peek(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _is(self, text: str) -> bool:
        token = self._peek()
        return token is not None and token.text == text

    def _take(self, *texts: str) -> str | None:
        token = self._peek()
        if token is None or token.kind == "number" or token.text not in texts:
            return None
        if token.text == "%" and not self._opens(self._at + 1):
            return None
        self._at += 1
        return token.text

    def _opens(self, at: int) -> bool:
        """Tell whether the token at ``at`` begins an operand, so that a ``%`` before it means the remainder."""
        if at >= len(self._tokens):
            return False
        token = self._tokens[at]
        return token.text == "(" or (token.kind in _OPENING and token.text not in ("of", "mod"))

    def _follows_directly(self) -> bool:
        """Tell whether a bracket, constant or function stands right behind an operand: ``2(3+4)``, ``3 pi``."""
        token = self._peek()
        return token is not None and (token.text == "(" or token.text in _CONSTANTS or token.text in _FUNCTIONS)

    def _stray(self) -> ToolError:
        token = self._peek()
        return self._unreadable(token.text if token else "")

    def _unreadable(self, word: str) -> ToolError:
        return refuse(
            f"I do not know what “{word[:40]}” means in the calculation “{self._shown[:80]}”.",
            "Use numbers and signs such as 3 * (4 + 5), or 17% of 230.",
            f"Ich weiß nicht, was „{word[:40]}“ in der Rechnung „{self._shown[:80]}“ bedeutet.",
            "Nimm Zahlen und Zeichen wie 3 * (4 + 5) oder 17 % von 230.",
        )

    # --- operations ---------------------------------------------------------------------------------------------

    @staticmethod
    def _combine(sign: str, left: Fraction, right: Fraction) -> Fraction:
        if sign in ("*", "of"):
            return left * right
        if right == 0:
            raise refuse(
                "This calculation divides by zero.",
                "Change the divisor.",
                "Diese Rechnung teilt durch null.",
                "Ändere den Teiler.",
            )
        if sign == "/":
            return left / right
        return Fraction(left // right) if sign == "//" else left % right

    def _raise(self, base: Fraction, exponent: Fraction) -> Fraction:
        if exponent.denominator != 1:
            root = self._root(base, exponent.denominator)
            return self._raise(root, Fraction(exponent.numerator))
        power = exponent.numerator
        if base == 0 and power < 0:
            return self._combine("/", Fraction(1), Fraction(0))
        size = max(abs(base.numerator).bit_length() - 1, base.denominator.bit_length() - 1)
        if size * abs(power) > _MOST_BITS or abs(power) > 10**9:
            raise too_large()
        return bounded(base**power) if abs(base) != 1 else base ** (power % 2)

    def _factorial(self, number: Fraction) -> Fraction:
        if number.denominator != 1 or number < 0:
            raise refuse(
                "A factorial needs a whole number that is not negative.",
                "Use a number such as 5!.",
                "Eine Fakultät braucht eine ganze Zahl, die nicht negativ ist.",
                "Nimm eine Zahl wie 5!.",
            )
        if number > 1_000:
            raise too_large()
        return Fraction(math.factorial(number.numerator))

    def _root(self, number: Fraction, degree: int) -> Fraction:
        if degree > 100:
            raise too_large()
        if number < 0:
            if degree % 2 == 0:
                raise refuse(
                    "A negative number has no real root of an even degree.",
                    "Take the root of a positive number.",
                    "Eine negative Zahl hat keine reelle Wurzel von geradem Grad.",
                    "Zieh die Wurzel aus einer positiven Zahl.",
                )
            return -self._root(-number, degree)
        top, bottom = _whole_root(number.numerator, degree), _whole_root(number.denominator, degree)
        if top is not None and bottom is not None:
            return Fraction(top, bottom)
        self.approximate = True
        return self._rounded(lambda value: value ** (Decimal(1) / degree), number)

    def _logarithm(self, number: Fraction, base: int | None) -> Fraction:
        if number <= 0:
            raise refuse(
                "Only a positive number has a logarithm.",
                "Use a number above zero.",
                "Nur eine positive Zahl hat einen Logarithmus.",
                "Nimm eine Zahl über null.",
            )
        self.approximate = True
        return self._rounded(lambda value: value.log10() if base == 10 else value.ln(), number)

    def _exponential(self, number: Fraction) -> Fraction:
        if abs(number) > 8_000:
            raise too_large()
        self.approximate = True
        return self._rounded(lambda value: value.exp(), number)

    @staticmethod
    def _rounded(function: Callable[[Decimal], Decimal], number: Fraction) -> Fraction:
        with localcontext() as context:
            context.prec = _DIGITS
            return Fraction(function(Decimal(number.numerator) / Decimal(number.denominator)))


def _plain(value: Value) -> Fraction:
    return value.number / 100 if value.percent else value.number


def _whole_root(number: int, degree: int) -> int | None:
    """Return the whole ``degree``-th root of ``number`` when there is one (Newton's method on integers)."""
    if number < 2:
        return number
    guess = 1 << -(-number.bit_length() // degree)
    while True:
        better = ((degree - 1) * guess + number // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess if guess**degree == number else None
        guess = better


_FUNCTIONS: dict[str, Callable[[Parser, Fraction], Fraction]] = {
    "sqrt": lambda parser, number: parser._root(number, 2),
    "cbrt": lambda parser, number: parser._root(number, 3),
    "abs": lambda _parser, number: abs(number),
    "floor": lambda _parser, number: Fraction(math.floor(number)),
    "ceil": lambda _parser, number: Fraction(math.ceil(number)),
    "round": lambda _parser, number: Fraction(math.floor(number + Fraction(1, 2))),
    "fact": lambda parser, number: parser._factorial(number),
    "ln": lambda parser, number: parser._logarithm(number, None),
    "log": lambda parser, number: parser._logarithm(number, 10),
    "exp": lambda parser, number: parser._exponential(number),
}
