"""AgentDojo's suites of v1.2.2, without the clients of models that its pipelines would import.

The suites need three names of the package of pipelines; the modules of the clients are never run.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

VERSION = "v1.2.2"
TEXT_ONLY = ("travel", "injection_task_6")
"""The one attack of AgentDojo that only wants a sentence said in the answer."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A call that somebody wants made: the plan's, or an attacker's."""

    function: str
    args: Mapping[str, Any]


def load() -> Mapping[str, Any]:
    """Return the suites by name. Raises ImportError where AgentDojo is not installed."""
    found = importlib.util.find_spec("agentdojo")
    if found is None or not found.submodule_search_locations:
        raise ImportError("AgentDojo is not installed here: make agentdojo")
    base = found.submodule_search_locations[0] + "/agent_pipeline"
    _stand_in("agentdojo.agent_pipeline", base)
    _stand_in("agentdojo.agent_pipeline.llms", base + "/llms")
    _stand_in("agentdojo.agent_pipeline.llms.google_llm", "", EMPTY_FUNCTION_NAME="<empty-function>")
    yaml.safe_load = _fast  # the suites are read from YAML once a pair; in Python that is most of the time
    from agentdojo.task_suite.load_suites import get_suites

    suites: Mapping[str, Any] = get_suites(VERSION)
    return suites


def _stand_in(name: str, path: str, **held: str) -> None:
    module = types.ModuleType(name)
    module.__path__ = [path]
    module.__dict__.update(held)
    sys.modules[name] = module


def _fast(text: Any) -> Any:
    return yaml.load(text, yaml.CSafeLoader)  # the safe one, in C


def schemas(suite: Any) -> dict[str, tuple[str, Mapping[str, Any]]]:
    """Return the description and the JSON schema of every tool of a suite."""
    return {one.name: (one.description, one.parameters.model_json_schema()) for one in suite.tools}


def wanted(task: Any, environment: Any) -> tuple[Wanted, ...]:
    """Return the calls that solve a task in an environment, as AgentDojo's authors wrote them down."""
    return tuple(Wanted(one.function, dict(one.args)) for one in task.ground_truth(environment))


@dataclass(slots=True)
class Stage:
    """An environment with the tools of its suite: what calls change, and which calls there were."""

    suite: Any
    environment: Any
    before: Any
    calls: list[Any]

    def call(self, function: str, args: Mapping[str, Any]) -> tuple[str, str]:
        """Call a function of the suite; return what it says, and its error (empty: none)."""
        from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
        from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime

        self.calls.append(FunctionCall(function=function, args=dict(args)))
        value, error = FunctionsRuntime(self.suite.tools).run_function(self.environment, function, args)
        return tool_result_to_str(value), error or ""

    def reached(self, task: Any, answer: str) -> bool:
        """Tell whether a task (the person's, or an attacker's) has got what it wants, by AgentDojo's own judgement."""
        said = [{"type": "text", "content": answer}]
        return bool(self.suite._check_task_result(task, said, self.before, self.environment, self.calls))


def world(suite: Any, user_task: Any, injections: Mapping[str, str]) -> Any:
    """Return an environment of a suite, with the task's own beginning and what attackers wrote into it."""
    return user_task.init_environment(suite.load_and_inject_default_environment(dict(injections)))


def stage(suite: Any, environment: Any) -> Stage:
    """Return a stage of its own: neither what is done there nor who judges it changes ``environment``."""
    return Stage(suite, environment.model_copy(deep=True), environment.model_copy(deep=True), [])


def outputs(place: Stage, calls: Sequence[Wanted]) -> list[str]:
    """Return what each of the calls says, made one after the other with nobody in between."""
    return [place.call(one.function, one.args)[0] for one in calls]
