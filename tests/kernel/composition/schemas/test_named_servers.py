"""Servers that may change a folder, under names that are words of a language: whose tool is named is what is done."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kernel.composition.scene import scene_of
from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.language.lexicon import Lexicon
from kernel.model import Decline, Plan, Question
from skills.deciding import takes_away
from skills.loading import load_skill
from skills.mcp.listing import listing_of
from skills.mcp.writing import Wish, written
from skills.model import Tool
from tests.kernel.composition.schemas.servers import FOLDER
from tests.kernel.homes import furnish
from tests.kernel.planner import FILES, FOLDERS, Planner


def listed(server: str) -> Mapping[str, Any]:
    """Return what a public server lists."""
    found: Mapping[str, Any] = json.loads((FOLDER / f"{server}.json").read_text(encoding="utf-8"))
    return found


def added(root: Path, name: str, said: Mapping[str, Any], *writes: str) -> tuple[Tool, ...]:
    """Return the tools of a server that was added as ``name`` and may work in ``writes``."""
    folder = root / name
    written(folder, Wish(name, ("/usr/bin/node",), writes=writes), listing_of(said), "1.0.0")
    return load_skill(folder).tools


TEXT, WHOLE = {"type": "string"}, {"type": "integer", "default": 1}
SHOP = {
    "tools": [
        {"name": "order", "description": "Order a product from the shop.",
         "inputSchema": {"type": "object", "required": ["product"],
                         "properties": {"product": TEXT, "quantity": WHOLE}}},
        {"name": "price", "description": "Tell the price of a product in the shop.",
         "inputSchema": {"type": "object", "properties": {"product": TEXT}, "required": ["product"]}},
    ]
}  # fmt: skip


@pytest.fixture(scope="module")
def named(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    root = tmp_path_factory.mktemp("servers")
    servers = [("locker", "filesystem", "~/Shelf/"), ("bay", "filesystem", "~/Shelf/"), ("facts", "memory")]
    theirs = [tool for name, said, *writes in servers for tool in added(root, name, listed(said), *writes)]
    tools = [*mind.toolbox.tools, *theirs, *added(root, "shop", SHOP)]
    home = furnish(root / "home", [*FOLDERS, *FILES, "Shelf/a.txt", "Shelf/inner/c.txt"])
    return Planner.knowing(Mind(Lexicon.from_tools(tools), Toolbox.build(tools)), home)


DONE = [
    ("read the text file ~/Shelf/a.txt with locker", "locker.read_text_file(path=~/Shelf/a.txt)"),
    ("list directory ~/Shelf with bay", "bay.list_directory(path=~/Shelf)"),
    ("list the files in ~/Shelf with locker", "locker.list_directory(path=~/Shelf)"),
    ("locker: list allowed directories", "locker.list_allowed_directories()"),
    ("get the file info of ~/Shelf/a.txt using bay", "bay.get_file_info(path=~/Shelf/a.txt)"),
    ("show the directory tree of ~/Shelf via locker", "locker.directory_tree(path=~/Shelf)"),
    ("create directory ~/Shelf/new with bay", "bay.create_directory(path=~/Shelf/new)"),
    ("create directory ~/Shelf/three using bay", "bay.create_directory(path=~/Shelf/three)"),
    ("with bay, create the directory ~/Shelf/new", "bay.create_directory(path=~/Shelf/new)"),
    ("write a file ~/Shelf/new.txt with the text hello using bay",
     "bay.write_file(content=hello, path=~/Shelf/new.txt)"),
    ("write a file ~/Shelf/new.txt with the text buy milk using locker",
     "locker.write_file(content=buy milk, path=~/Shelf/new.txt)"),
    ("move ~/Shelf/a.txt to ~/Shelf/inner/a.txt with bay",
     "bay.move_file(destination=~/Shelf/inner/a.txt, source=~/Shelf/a.txt)"),
    ("use facts to delete the entity Ida", "facts.delete_entities(entityNames=['Ida'])"),
    ("using facts, search for Ida", "facts.search_nodes(query=Ida)"),
    ("read the graph with facts", "facts.read_graph()"),
    ("create an entity called Ida of the entity type person with facts",
     "facts.create_entities(entities=[{'entityType': 'person', 'name': 'Ida', 'observations': []}])"),
    ("erstelle den Ordner ~/Shelf/neu mit bay", "bay.create_directory(path=~/Shelf/neu)"),
    ("erstelle den Ordner ~/Shelf/neu mithilfe von bay", "bay.create_directory(path=~/Shelf/neu)"),
    ("nutze bay, um den Ordner ~/Shelf/neu anzulegen", "bay.create_directory(path=~/Shelf/neu)"),
    ("benutze locker um ~/Shelf aufzulisten", "locker.list_directory(path=~/Shelf)"),
    ("verschiebe mit locker ~/Shelf/a.txt nach ~/Shelf/inner/a.txt",
     "locker.move_file(destination=~/Shelf/inner/a.txt, source=~/Shelf/a.txt)"),
]  # fmt: skip

COUNTED = [
    ("order 2 lamps from the shop", "shop.order(product=lamps, quantity=2)"),
    ("order 3 chairs", "shop.order(product=chairs, quantity=3)"),
    ("order a desk from the shop, quantity 4", "shop.order(product=desk, quantity=4)"),
    ("what is the price of a lamp in the shop?", "shop.price(product=lamp)"),
    ("price of lamp in the shop", "shop.price(product=lamp)"),
    ("tell me the price of a garden chair in the shop", "shop.price(product=garden chair)"),
]


@pytest.mark.parametrize(("sentence", "done"), COUNTED)
def test_a_number_is_how_many_and_what_something_is_of_is_what_the_tool_says(
    named: Planner, sentence: str, done: str
) -> None:
    assert named.shape(named.whole(sentence)) == done


@pytest.mark.parametrize(("sentence", "done"), DONE)
def test_the_server_that_is_named_does_it(named: Planner, sentence: str, done: str) -> None:
    assert named.shape(named.whole(sentence)) == done


@pytest.mark.parametrize("sentence", ["sing a song using bay", "make a folder called Trips using bay"])
def test_what_a_named_server_cannot_do_is_done_by_nobody_else(named: Planner, sentence: str) -> None:
    assert isinstance(named.whole(sentence), Decline)


def test_what_an_object_lacks_is_asked_for(named: Planner) -> None:
    question = named.whole("use facts to create an entity called Ida")
    assert isinstance(question, Question)
    assert question.parameter == "entities"
    assert "entity type" in question.text
    assert not question.choices, "nothing that deletes is offered"


def test_a_word_of_the_language_that_means_what_it_says_calls_nobody(named: Planner) -> None:
    untaught = named.toolbox.untaught
    for sentence in ("stick to the facts", "send Anna a mail with the facts of the case", "clean the bay window"):
        assert untaught.addressed(scene_of(named.intent(sentence), named.home)) is None
    plain = named.whole("make a note called trip with facts")
    assert isinstance(plain, Plan)
    assert plain.tasks[0].tool == "notes.create"


def test_what_a_server_may_change_is_not_what_each_of_its_tools_takes_away(named: Planner) -> None:
    away = {tool.function for tool in named.tools if tool.skill == "bay" and takes_away(tool)}
    assert away == {"move_file"}
    assert not any(takes_away(tool) for tool in named.tools if tool.skill == "facts"), "it has no folder"


def test_a_tool_that_takes_away_wants_its_verb(named: Planner) -> None:
    found = named.whole("bay: ~/Shelf/a.txt to ~/Shelf/inner/a.txt")
    assert not isinstance(found, Plan)


def test_what_the_guide_says_of_naming_a_server_is_understood(mind: Mind, tmp_path: Path) -> None:
    guide = (Path(__file__).parents[4] / "docs" / "guides" / "mcp.md").read_text(encoding="utf-8")
    said = guide.partition("**Naming a server.**")[2].partition(". Then its tools do it")[0]
    sentences = re.findall(r"`([^`]+)`", said)
    assert len(sentences) == 5
    servers = [("fs", "filesystem", "~/Shared/"), ("know", "memory")]
    theirs = [tool for name, lists, *writes in servers for tool in added(tmp_path, name, listed(lists), *writes)]
    tools = [*mind.toolbox.tools, *theirs]
    home = furnish(tmp_path / "home", [*FOLDERS, *FILES, "Shared/a.txt"])
    planner = Planner.knowing(Mind(Lexicon.from_tools(tools), Toolbox.build(tools)), home)
    for sentence in sentences:
        plan = planner.say(sentence)
        assert isinstance(plan, Plan), (sentence, plan)
        assert {str(one.tool).partition(".")[0] for one in plan.tasks} == {"fs" if "fs" in sentence else "know"}, plan
