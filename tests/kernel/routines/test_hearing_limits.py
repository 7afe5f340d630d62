"""What keeps a routine still, as it is said: each way to say it is heard, and where it would not limit it is none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from kernel.language import Line, tokenize
from kernel.routines.hearing.gist import Gist
from kernel.routines.hearing.limits import Limits, limit
from kernel.routines.model import Limit

NOW = datetime(2026, 3, 11, 10, tzinfo=UTC)
MINUTE, HOUR = 60.0, 3600.0
HOURLY, DAILY = ((Limit.APART, HOUR),), ((Limit.A_DAY, 1.0),)
ONLY_PLUGGED, NEVER_PLUGGED = ((Limit.CHARGING, 0.0),), ((Limit.CHARGING, 1.0),)
EVENING = ((Limit.FROM, 17 * HOUR), (Limit.UNTIL, 24 * HOUR))

SAID: list[tuple[str, str, Limits]] = [
    ("en", "no more than once every 20 minutes", ((Limit.APART, 20 * MINUTE),)),
    ("en", "at most every 20 minutes", ((Limit.APART, 20 * MINUTE),)),
    ("de", "am Tag höchstens einmal", DAILY),
    ("en", "at most hourly", HOURLY),
    ("de", "höchstens jede Stunde", HOURLY),
    ("en", "three times a day is plenty", ((Limit.A_DAY, 3.0),)),
    ("de", "es reicht einmal am Tag", DAILY),
    ("en", "at most twice a week", ((Limit.A_WEEK, 2.0),)),
    ("de", "höchstens dreimal pro Woche", ((Limit.A_WEEK, 3.0),)),
    ("en", "no more than 4 times an hour", ((Limit.AN_HOUR, 4.0),)),
    ("de", "höchstens zweimal im Monat", ((Limit.A_MONTH, 2.0),)),
    ("en", "at most once a month", ((Limit.A_MONTH, 1.0),)),
    ("en", "once an hour at most", HOURLY),
    ("de", "mindestens 10 Minuten Abstand", ((Limit.APART, 10 * MINUTE),)),
    ("en", "only while the charger isn't plugged in", NEVER_PLUGGED),
    ("de", "nur solange am Strom ist", ONLY_PLUGGED),
    ("en", "unless on mains", NEVER_PLUGGED),
    ("de", "er läuft auf Akku", NEVER_PLUGGED),
    ("de", "und abends", EVENING),
    ("en", "it's before 8 pm", ((Limit.UNTIL, 20 * HOUR),)),
    ("de", "aber nur bis 18 Uhr", ((Limit.UNTIL, 18 * HOUR),)),
    ("en", "but not before 9 am", ((Limit.FROM, 9 * HOUR),)),
    ("de", "schon nach 20 Uhr", ((Limit.FROM, 20 * HOUR),)),
    ("de", "öfter als alle halbe Stunde brauch ich das nicht", ((Limit.APART, HOUR / 2),)),
    ("de", "das muss nicht öfter als einmal am Tag sein", DAILY),
    ("en", "I don't need it more often than every half hour", ((Limit.APART, HOUR / 2),)),
    ("en", "no need for that more often than once every 20 minutes", ((Limit.APART, 20 * MINUTE),)),
    ("en", "only Monday to Friday", ((Limit.DAYS, 0b0011111),)),
]


def heard(language: str, text: str, *, inside: bool = False) -> Limits:
    gist = Gist.of(Line(text, tokenize(text, language), language, NOW))
    return limit(gist.text(0, gist.size), inside=inside)


@pytest.mark.parametrize(("language", "text", "meant"), SAID, ids=[text for _, text, _ in SAID])
def test_a_limit_is_heard_as_it_was_said(language: str, text: str, meant: Limits) -> None:
    assert heard(language, text) == meant


def test_what_may_be_the_requests_own_limits_only_within_the_clause_of_a_trigger() -> None:
    assert heard("en", "in the evening") == heard("de", "am Mittwoch") == ()
    assert heard("en", "in the evening", inside=True) == EVENING
    assert heard("de", "am Mittwoch", inside=True) == ((Limit.DAYS, 4.0),)


def test_a_battery_may_have_to_be_high_or_low() -> None:
    assert heard("en", "and the battery is above 50 percent") == ((Limit.BATTERY, 50.0),)
    assert heard("en", "and the battery is not above 50 percent") == ((Limit.NOT_LOW, 50.0),)
    assert heard("de", "und der Akku unter 40 Prozent hat") == ((Limit.NOT_LOW, 40.0),)
    assert heard("en", "only if the battery is at less than 30 percent") == ((Limit.NOT_LOW, 30.0),)
