"""What is told holds across conversations and restarts, is asked for in words, and is taken back like anything else."""

from __future__ import annotations

from typing import Any

import pytest

Bench = Any  # tests/kernel/conftest.py


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        ("Remember that Anna works at Xenon since March 2024", "where does Anna work?", "Anna works at Xenon"),
        ("Merke dir, dass Anna seit März 2024 bei Xenon arbeitet", "Wo arbeitet Anna?", "Anna arbeitet bei Xenon"),
        ("remember that my sister is called Ida", "who is my sister?", "Ida"),
        ("Merk dir, dass ich in Köln wohne", "Was weißt du über mich?", "wohnst in Köln"),
        ("remember that the gate code is 4711", "what is the gate code?", "4711"),
        (
            "remember that Anna works at Xenon since 2020 until 2023",
            "where did Anna work in 2021?",
            "works at Xenon, since",
        ),
        (
            "Merke dir, dass Anna bis 2023 seit 2020 bei Xenon arbeitet",
            "Wo arbeitete Anna 2021?",
            "bei Xenon, seit",
        ),
    ],
)
async def test_what_was_told_is_known_in_another_conversation_after_a_restart(
    bench: Bench, told: str, asked: str, answer: str
) -> None:
    view = await bench.ask(told, conversation="one", yes=False)
    assert view["resolution"] == "executed", view
    await bench.kernel.close()
    bench.kernel = await bench.reopen()
    view = await bench.ask(asked, conversation="two", yes=False)
    assert view["resolution"] == "executed"
    assert answer in view["answer"]


async def test_a_change_ends_what_was_and_what_was_stays_known(bench: Bench) -> None:
    await bench.ask("remember that Anna works at Xenon since 2020")
    await bench.ask("remember that Anna works at Ypsilon since 2024")
    assert "Ypsilon" in (await bench.ask("where does Anna work?"))["answer"]
    assert "Xenon" in (await bench.ask("where did Anna work in 2022?"))["answer"]
    await bench.ask("remember that Anna no longer works at Ypsilon")
    answer = (await bench.ask("where does Anna work?"))["answer"]
    assert answer.startswith("That is not known")
    assert "earlier" in answer


async def test_undo_takes_back_what_was_told(bench: Bench) -> None:
    await bench.ask("remember that Anna lives in Bonn")
    view = await bench.ask("undo that")
    assert view["resolution"] in ("executed", "confirmed"), view
    assert "not known" in (await bench.ask("where does Anna live?"))["answer"]


async def test_undo_gives_back_what_was_ended(bench: Bench) -> None:
    await bench.ask("remember that Anna lives in Bonn")
    view = await bench.ask("remember that Anna no longer lives in Bonn")
    await bench.kernel.undo(view["run"])
    assert "Bonn" in (await bench.ask("where does Anna live?"))["answer"]


async def test_whom_a_name_means_is_asked_once_and_told_apart(bench: Bench) -> None:
    await bench.ask("remember that Anna Berg works at Xenon and lives in Bonn")
    await bench.ask("remember that Anna Klein works at Ypsilon")
    view = await bench.ask("where does Anna work?")
    assert view["resolution"] == "clarify"
    assert "Xenon" in view["answer"]
    assert "Ypsilon" in view["answer"]
    view = await bench.ask("2" if "Klein" in view["question"]["choices"][1] else "1")
    assert view["resolution"] == "executed"
    assert "Anna Klein works at Ypsilon" in view["answer"]
    await bench.ask("what do you know about Anna?")
    view = await bench.ask("Berg")
    assert "Bonn" in view["answer"]
    assert view["answers"]


async def test_nothing_is_told_of_anybody_while_it_is_not_clear_of_whom(bench: Bench) -> None:
    await bench.ask("remember that Anna Berg works at Xenon")
    await bench.ask("remember that Anna Klein works at Ypsilon")
    before = bench.kernel._house.ledger.head()[0]
    view = await bench.ask("remember that Anna lives in Bonn")
    assert view["resolution"] == "clarify"
    kinds = {event.kind for event in bench.kernel._house.ledger.events(after=before)}
    assert not kinds & {"fact.asserted", "entity.made"}
    view = await bench.ask("the first one")
    assert view["resolution"] == "executed"
    assert "lives in Bonn" in view["answer"]


async def test_what_sources_disagree_on_is_shown_and_not_settled(bench: Bench) -> None:
    from memory.graph import Claim, Object

    await bench.ask("remember that Anna lives in Bonn")
    graph = bench.kernel._house.knowledge.graph()
    (anna,), place = graph.entities("person"), graph.make_entity("place", "Kiel")
    graph.assert_fact(Claim(anna.id, "lives_in", Object.entity(place.id), "contacts:anna.vcf"))
    answer = (await bench.ask("where does Anna live?"))["answer"]
    assert "Bonn" in answer
    assert "Kiel" in answer
    assert "disagree" in answer
    await bench.ask("it is not true that Anna lives in Kiel")
    assert "Kiel" not in (await bench.ask("where does Anna live?"))["answer"]


async def test_a_task_stays_a_task(bench: Bench) -> None:
    for text in (
        "what is 2 + 3?",
        "remember the gate code is 4711 in a note called gate",
        "find the largest file in Downloads",
    ):
        view = await bench.ask(text)
        assert view["plan"], (text, view["answer"])
    (bench.home / "Anna.txt").write_text("Anna is here.\n")
    view = await bench.ask("what do you know about Anna.txt?")
    assert view["plan"] or view["question"] or view["resolution"] == "declined"
    (bench.home / "lease.txt").write_text("The lease of the house.\n")
    view = await bench.ask("what do you know about the lease?", conversation="d")
    assert "is known yet" not in view["answer"]


@pytest.mark.parametrize(
    ("said", "resolution", "within"),
    [
        ("remember that Anna lives in " + "x" * 1_200, "executed", "will remember"),
        ("remember that " + "A" * 10_000 + " lives in Bonn", "clarify", "Which title"),
        ("Remember that אנה lives in חיפה", "executed", "חיפה"),
        ("remember that Anna likes \U0001f600\u202egnp.exe", "blocked", "U+202E"),
        ("remember that Anna works at Xenon since 2024 until 2020", "failed", "it ends before it begins"),
        ("remember that Anna works at A\u0007B", "blocked", "U+0007"),
        ("remember that Anna was born on 3 May 1890", "executed", "1890-05-03"),
    ],
)
async def test_bad_input_is_kept_safely_or_refused_in_words(
    bench: Bench, said: str, resolution: str, within: str
) -> None:
    view = await bench.ask(said)
    assert view["resolution"] == resolution, view["answer"]
    assert within in view["answer"]
    written = bench.kernel._house.ledger.events(kinds=("entity.made", "fact.asserted"))
    assert bool(list(written)) == (resolution == "executed"), "of what is refused nothing is kept"
    assert "\u202e" not in view["answer"]
    assert "\u0007" not in view["answer"]
    assert "Traceback" not in view["answer"]


async def test_who_is_named_by_what_they_are_is_looked_for_by_name(bench: Bench) -> None:
    (bench.home / "Notes").mkdir()
    (bench.home / "Notes/phone.md").write_text("Ida 030 123\n")
    assert "No note" in (await bench.ask("which notes mention my sister?"))["answer"]
    await bench.ask("remember that my sister is called Ida")
    view = await bench.ask("which notes mention my sister?")
    assert view["plan"]["tasks"][0]["arguments"]["words"] == "Ida"
    assert "030 123" in view["answer"]
    assert "030 123" in (await bench.ask("suche in meinen Notizen nach meiner Schwester"))["answer"]
    view = await bench.ask("make a note called calls saying call my sister on Monday")
    assert (bench.home / "Notes/calls.md").read_text() == "call my sister on Monday\n"  # what is written stays as said


async def test_of_two_sisters_one_is_asked_for_and_the_search_goes_on(bench: Bench) -> None:
    (bench.home / "Notes").mkdir()
    (bench.home / "Notes/phone.md").write_text("Ida 030 123\n")
    (bench.home / "Notes/other.md").write_text("Ute 040 456\n")
    await bench.ask("remember that my sister is called Ida and Ida lives in Bonn")
    await bench.ask("remember that Ute is my sister")
    await bench.ask("remember that Ute lives in Kiel")
    view = await bench.ask("which notes mention my sister?")
    assert view["resolution"] == "clarify"
    assert "Bonn" in view["answer"]
    assert "Kiel" in view["answer"]
    view = await bench.ask("Ute")
    assert "040 456" in view["answer"], view["answer"]


async def test_somebody_elses_self_is_not_taken_for_the_speaker(bench: Bench) -> None:
    await bench.ask("remember that I live in Bonn")
    own = await bench.kernel.known.export("jsonl")
    other = own.replace("self:me-", "self:me-0").replace("Bonn", "Kiel")
    await bench.kernel.known.import_lines(other)
    assert "Kiel" not in (await bench.ask("where do I live?"))["answer"]
    before = (await bench.kernel.known.stats())["entities"]
    await bench.kernel.known.import_lines(own)  # one's own backup says of oneself what it said
    assert (await bench.kernel.known.stats())["entities"] == before
    assert "Bonn" in (await bench.ask("where do I live?"))["answer"]
