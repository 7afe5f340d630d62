"""Whether the person said a value: case, blanks, and how numbers and days are written do not matter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

_DAYS = "%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S"


def said(prompt: str, value: Any) -> bool:
    """Tell whether every part of ``value`` stands in ``prompt`` as whole words; a part of an address is no word."""
    if isinstance(value, list | tuple):
        return bool(value) and all(said(prompt, one) for one in value)
    if value is None or isinstance(value, bool | dict):
        return False
    text = _plain(prompt)
    if any(_holds(text, form) for form in _numbers(value)):
        return True
    if not isinstance(value, str):
        return False
    moment = _moment(value)
    if moment is None:
        return _holds(text, _plain(value))
    return any(_holds(text, one) for one in _days(moment)) and (
        len(value) <= 10 or any(_holds(text, one) for one in _times(moment))
    )


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def _holds(text: str, form: str) -> bool:
    return bool(form) and re.search(rf"(?<![\w@/-])(?<!\w[.,]){re.escape(form)}(?![\w@/-]|[.,]\w)", text) is not None


def _numbers(value: Any) -> Iterator[str]:
    """Yield the ways to write a number; of a text that is none, nothing."""
    try:
        number = float(str(value).replace(",", ""))
    except ValueError:
        return
    yield f"{number:g}"
    yield f"{number:.2f}"
    yield f"{number:,.2f}"
    if number.is_integer():
        yield f"{int(number)}"
        yield f"{int(number):,}"


def _moment(value: str) -> datetime | None:
    for form in _DAYS:
        try:
            return datetime.strptime(value.strip(), form)
        except ValueError:
            continue
    return None


def _days(moment: datetime) -> Iterator[str]:
    month, short, day = moment.strftime("%B").casefold(), moment.strftime("%b").casefold(), moment.day
    ending = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    yield moment.strftime("%Y-%m-%d")
    for name in (month, short):
        for number in (str(day), f"{day:02}", f"{day}{ending}"):
            yield from (f"{name} {number}", f"{number} {name}", f"{number} of {name}")
    yield from (f"{moment.month}/{day}", f"{moment:%m/%d}", f"{day}.{moment.month}.", f"{moment:%d.%m.}")


def _times(moment: datetime) -> Iterator[str]:
    hour, half = moment.hour % 12 or 12, "am" if moment.hour < 12 else "pm"
    yield f"{moment:%H:%M}"
    yield from (f"{hour}:{moment.minute:02} {half}", f"{hour}:{moment.minute:02}{half}")
    if moment.minute == 0:
        yield from (f"{hour} {half}", f"{hour}{half}", f"{moment.hour} o'clock", f"{hour} o'clock")
    if (moment.hour, moment.minute) == (12, 0):
        yield "noon"
