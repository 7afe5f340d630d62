"""The built-in tools with the tools of five public servers and five made-up ones beside them, without examples."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kernel.context.mind import Mind
from kernel.context.toolbox import Toolbox
from kernel.language.lexicon import Lexicon
from tests.kernel.composition.schemas.servers import every_tool, other_tools
from tests.kernel.homes import furnish
from tests.kernel.planner import FILES, FOLDERS, Planner


@pytest.fixture(scope="package")
def beside(mind: Mind, tmp_path_factory: pytest.TempPathFactory) -> Planner:
    tools = (*mind.toolbox.tools, *every_tool(), *other_tools())
    home = furnish(tmp_path_factory.mktemp("home"), [*FOLDERS, *FILES])
    return Planner.knowing(Mind(Lexicon.from_tools(tools), Toolbox.build(tools)), home)


@pytest.fixture(scope="package")
def plain(mind: Mind, beside: Planner) -> Planner:
    """The same home with the built-in tools alone."""
    return replace(beside, tools=mind.toolbox.tools, toolbox=mind.toolbox, lexicon=mind.lexicon)
