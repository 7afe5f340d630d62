"""What a tool is asked for in a language that nobody has taught it: the examples of another one are no proof.

A word that stands in an English example may mean something else in a German request. So such a plan is asked about
first; the answer "yes" is an example from then on, and is not asked for again. A tool without any examples is known by
its schema, in whichever language, and has rules of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from kernel.asking.ask import in_words, whether
from kernel.context.toolbox import Toolbox
from kernel.model import Plan, Question
from skills.model import Tool

_SENTENCES = {
    "en": "{skills}: there are no examples in English, only in {others}, so I am not sure that I understood you. "
    "Shall I do this: {plan}? With your yes I know it from then on.",
    "de": "{skills}: Beispiele auf Deutsch gibt es nicht, nur auf {others}, darum bin ich nicht sicher, ob ich richtig "
    "verstanden habe. Soll ich das tun: {plan}? Mit einem Ja weiß ich es künftig.",
}
_LANGUAGES = {"en": {"en": "English", "de": "German"}, "de": {"en": "Englisch", "de": "Deutsch"}}
_AND = {"en": " and ", "de": " und "}


def about_language(plan: Plan, toolbox: Toolbox) -> Question | None:
    """Ask whether ``plan`` is meant, where a tool of it has examples, and none in the language of the request."""
    strange = [toolbox.tool(task.tool) for task in plan.tasks if not toolbox.speaks(task.tool, plan.language)]
    if not strange:
        return None
    language = plan.language if plan.language in _SENTENCES else "en"
    skills = _joined(sorted({tool.skill for tool in strange}), language)
    others = languages_of(strange, language)
    return whether(plan, _SENTENCES[language].format(skills=skills, others=others, plan=in_words(plan, toolbox)))


def languages_of(tools: Iterable[Tool], language: str) -> str:
    """Return the languages in which ``tools`` have examples, in words of ``language``."""
    found = sorted({example.language for tool in tools for example in tool.examples})
    names = _LANGUAGES.get(language, _LANGUAGES["en"])
    return _joined([names.get(one, one) for one in found], language)


def _joined(names: Iterable[str], language: str) -> str:
    return _AND.get(language, _AND["en"]).join(names)
