"""What sets a rule off that no clock tells is heard as it was said, and ordinary requests are left alone."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.context.mind import Mind
from kernel.context.world import HomeWorld
from kernel.interpret import read
from kernel.language import Lexicon, Line
from kernel.language.spelling import mend
from kernel.model import ConversationId, Utterance
from kernel.routines import Added, BeforeEvent, Called, Change, FileSeen, Happened, Learnt, Machine, State, Trigger
from kernel.routines.hearing import Heard, Lack, Unclear, left_of
from kernel.routines.hearing.happenings import hear_happening
from kernel.routines.model import About, Limit, TaskDue
from tests.clock import idle_s, less_than
from tests.kernel.homes import furnish

GOLDEN = Path(__file__).parents[2] / "golden"
RULES: dict[str, Any] = tomllib.loads((GOLDEN / "rules" / "first.toml").read_text())
OWN: dict[str, Any] = tomllib.loads((Path(__file__).parent / "happenings.toml").read_text())
NOW = datetime.fromisoformat(RULES["now"]).replace(tzinfo=UTC)
SETS = "weeks everyday months autumn winter spring summer diary".split()
HOUR, DAY = 3600, 86400


def _due(trigger: TaskDue) -> str:
    """ "overdue", "due 2 days before at 8:00 of report on house (high)", "due 3600 s before"."""
    days, clock = trigger.days, trigger.clock
    said = ["overdue" if trigger.overdue else "due"]
    said += [f"{abs(days)} days {'before' if days > 0 else 'after'}"] if days else []
    said += [f"{trigger.before_s} s before"] if trigger.before_s else []
    said += [f"at {clock // 3600}:{clock % 3600 // 60:02}"] if clock >= 0 else []
    said += [f"of {trigger.words}"] if trigger.words else []
    said += [f"on {trigger.group}"] if trigger.group else []
    return " ".join([*said, *([f"({trigger.priority})"] if trigger.priority else [])])


class Room:
    """A furnished home, and what is heard there."""

    def __init__(self, home: Path, lexicon: Lexicon) -> None:
        self.home, self.lexicon = str(furnish(home, RULES["home"])), lexicon
        self.world = HomeWorld(self.home)

    def line(self, text: str) -> Line:
        utterance = Utterance(text, ConversationId("c"), self.home, self.home, NOW)
        return mend(read(utterance, self.lexicon), self.lexicon, self.world.has_word)

    def hear(self, text: str) -> Heard | Unclear | None:
        return hear_happening(self.line(text), self.world, self.home, self.lexicon)

    def shown(self, trigger: Trigger) -> str:
        """The trigger in the words of happenings.toml."""
        match trigger:
            case FileSeen(change, folder, pattern, below):
                place = str(Path(folder).relative_to(self.home)) + (" and below" if below else "")
                return f"file {change.value}: {place}: {self._kind(pattern)}"
            case Machine(state, bound):
                return f"machine {state.value} {bound:.0f}" if bound else f"machine {state.value}"
            case BeforeEvent(before_s, words):
                return f"before {before_s} {words}".strip()
            case TaskDue():
                return _due(trigger)
            case Happened(what):
                return f"happened {what}"
            case Added(what):
                return f"added {what}"
            case Learnt(predicate):
                return f"learnt {predicate}"
            case Called(name):
                return f"called {name}"
            case _:
                return str(trigger)

    def _kind(self, pattern: str) -> str:
        pictures = self.lexicon.suffixes("picture")
        suffixes = frozenset(pattern.removeprefix("*.").strip("{}").split(","))
        if suffixes == pictures:
            return "<pictures>"
        return "<pictures and pdf>" if suffixes == pictures | {"pdf"} else pattern


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, mind: Mind) -> Room:
    return Room(tmp_path_factory.mktemp("rules") / "kim", mind.lexicon)


# --- the golden rules ---------------------------------------------------------------------------------------------

# How the form of first.toml is one of the model: a file's event and folder are those of FileSeen (mail lies in a
# Maildir, so below its folder as well), a machine's bounds are percent, bytes and seconds, an event of the ledger is
# a Happened.
_CHANGES = {"created": Change.CREATED, "changed": Change.CHANGED, "moved into": Change.MOVED_IN}
_DEEDS = {"undo done": "undo", "deletion by Steward done": "deletion"}
_STATES = {"battery": State.BATTERY, "disk": State.DISK, "idle": State.IDLE, "network": State.ONLINE}
_WHEN: dict[str, tuple[Limit, float] | tuple[About, str]] = {
    "the battery is not charging": (Limit.CHARGING, 1),
    "the notice was not shown within the last 60 minutes": (Limit.APART, HOUR),
    "the event is not one of whole days": (About.NOT_ALL_DAY, ""),
    "it is 20:00 or later": (Limit.FROM, 20 * HOUR),
    "it has not run this evening": (Limit.A_DAY, 1),
    "the file is an invoice, by its name or by what stands in it": (About.IS, "rechnung"),
    "it was offline for more than 10 minutes": (Limit.LASTED, 600),
    "the mail is from Vogt": (About.SENDER, "Steuerberater Vogt"),
    "the mail has an attachment": (About.ATTACHED, "*"),
}
_ASKED = {
    "e-study-heating": (Lack.UNKNOWN, "it starts raining"),
    "d-steuerbelege": (Lack.NO_SUCH_FOLDER, "Steuerbelege"),
    "d-irgendwas": (Lack.WHAT_HAPPENS, "irgendwas passiert"),
    "d-akku-nie": (Lack.NEVER, "Fällt der Akku unter 20 Prozent, aber nur solange er nicht unter 50 ist"),
}
ONLY_THE_PLAN_TELLS = {"e-own-tail"}
"""Heard as it is said: that it would set itself off is seen when what it does is planned."""


def _meant(trigger: dict[str, Any], home: str) -> Trigger | None:
    match trigger:
        case {"kind": "file", "event": event, "folder": folder, "pattern": pattern}:
            return FileSeen(_CHANGES[event], f"{home}/{folder}", pattern, below=folder == "Mail/Inbox")
        case {"kind": "machine", "what": what, **bound}:
            factor = {"free_below_gb": 10**9, "for_minutes": 60}
            size = sum(value * factor.get(name, 1) for name, value in bound.items() if name != "becomes")
            return Machine(_STATES[what], float(size))
        case {"kind": "calendar", "before_minutes": minutes}:
            return BeforeEvent(minutes * 60)
        case {"kind": "fact", "predicate": predicate}:
            return Learnt(predicate)
        case {"kind": "event", "event": event}:
            return Happened(_DEEDS[event])
        case {"kind": "webhook", "name": name}:
            return Called(name)
        case _:
            return None


@pytest.mark.parametrize("rule", RULES["rule"], ids=lambda rule: rule["id"])
def test_a_golden_rule_has_the_trigger_that_was_written_for_it(rule: dict[str, Any], room: Room) -> None:
    heard = room.hear(rule["text"])
    if rule["id"] in ONLY_THE_PLAN_TELLS:
        assert isinstance(heard, Heard)
        assert heard.trigger == FileSeen(Change.CHANGED, f"{room.home}/Notes")
    elif rule["id"] in _ASKED:
        assert isinstance(heard, Unclear)
        assert (heard.why, heard.about) == _ASKED[rule["id"]]
    elif (meant := _meant(rule.get("trigger", {}), room.home)) is None:
        assert heard is None, "the clock's, or asked about by the clock"
    else:
        assert isinstance(heard, Heard)
        assert heard.trigger == meant
        assert {*heard.limits, *heard.such} == {_WHEN[one] for one in rule["when"]}


def test_the_golden_rules_that_happenings_set_off_are_all_looked_at(room: Room) -> None:
    heard = [rule["id"] for rule in RULES["rule"] if isinstance(room.hear(rule["text"]), Heard)]
    assert len(heard) == 14, heard


# --- sentences of our own -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", OWN["heard"], ids=lambda case: case["text"])
def test_what_is_heard_is_what_was_said(case: dict[str, Any], room: Room) -> None:
    line, heard = room.line(case["text"]), room.hear(case["text"])
    assert isinstance(heard, Heard)
    assert room.shown(heard.trigger) == case["trigger"]
    assert [f"{kind.value} {amount:.0f}" for kind, amount in heard.limits] == case.get("limits", [])
    assert [f"{kind.value} {said}".strip() for kind, said in heard.such] == case.get("such", [])
    assert left_of(line, heard.words) == case["left"]
    assert [line.slice(*words) for words in heard.brings] == case.get("brings", [])


@pytest.mark.parametrize("case", OWN["unclear"], ids=lambda case: case["text"])
def test_what_is_unclear_is_asked_about(case: dict[str, Any], room: Room) -> None:
    heard = room.hear(case["text"])
    assert isinstance(heard, Unclear)
    assert (heard.why.value, heard.about) == (case["why"], case["about"])


@pytest.mark.parametrize("text", [*OWN["none"]["ordinary"], *OWN["none"]["left"]])
def test_other_requests_are_no_rules(text: str, room: Room) -> None:
    assert room.hear(text) is None


@pytest.mark.parametrize("name", SETS)
def test_no_sentence_of_the_golden_sets_is_heard_as_a_rule(name: str, room: Room) -> None:
    cases = tomllib.loads((GOLDEN / f"{name}.toml").read_text())["case"]
    said = [text for case in cases for text in case["say"] if isinstance(text, str)]
    assert said
    assert [text for text in said if room.hear(text) is not None] == []


# --- whatever is typed --------------------------------------------------------------------------------------------

_PIECES = sorted({word for case in OWN["heard"] for word in case["text"].split()})


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), min_size=1, max_size=40).map(" ".join))
def test_no_order_of_such_words_raises(room: Room, text: str) -> None:
    _is_sound(room, text)


@settings(max_examples=200, deadline=None)
@given(
    st.text(min_size=1, max_size=200).filter(lambda text: any(one.isprintable() and not one.isspace() for one in text))
)
def test_no_string_raises(room: Room, text: str) -> None:
    _is_sound(room, text)


def _is_sound(room: Room, text: str) -> None:
    heard = room.hear(text)
    if heard is not None:
        assert all(0 <= first < last <= room.line(text).size for first, last in heard.words)


@pytest.mark.parametrize(
    "make",
    [
        lambda size: "whenever a PDF or " + "a picture or " * size + "a zip lands in Downloads, tell me",
        lambda size: "when " * size,
        lambda size: "wenn eine Mail von " * size + "kommt",
        lambda size: "whenever expenses.csv changes, " + "at most once a day, " * size,
        lambda size: "tell me, whenever a file a file a file a file is sent by you, " * size,
        lambda size: "x" * size * 20,
        lambda size: "whenever " + "a " * size + "thing is added, tell me",
        lambda size: "whenever an invoice " + "over 5 euros " * (size // 15) + "is there, tell me",
        lambda size: "If the battery drops below 15 percent and " + "it's gone eight and " * size + "so",
    ],
)
def test_the_time_grows_with_the_length(make: Callable[[int], str], room: Room) -> None:
    short, long = (room.line(make(size)) for size in (60, 240))
    least_s = max(0.05, idle_s(lambda: hear_happening(short, room.world, room.home, room.lexicon), 1))
    with less_than(12 * least_s):
        hear_happening(long, room.world, room.home, room.lexicon)
