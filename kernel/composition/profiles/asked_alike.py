"""Questions of one form: "when is the handover?" is asked like "when is the {concert}?", whatever a handover is."""

from __future__ import annotations

from itertools import takewhile

from kernel.composition.profiles.profile import Profile
from kernel.composition.scene import Scene
from kernel.composition.words import is_idle, said
from kernel.language.function_words import is_question_word


def opening_of(scene: Scene, first: int, last: int) -> tuple[str, ...]:
    """The words of a question before the first that tells something, as skeletons have them: ("when", "be")."""
    begins = scene.request_begins(first, last)
    if begins >= last or not is_question_word(scene.tokens[begins].norm):
        return ()
    leads = takewhile(lambda at: scene.free[at] or not scene.words[at], range(begins, last))
    return tuple(said(scene.tokens[at]) for at in leads if not is_idle(scene.tokens[at]))


def is_asked_alike(profile: Profile, opening: tuple[str, ...]) -> bool:
    """Tell whether an example opens just so and then has words of the person's own."""
    size = len(opening)
    return any(
        one.elements[:size] == opening and one.elements[size : size + 1] and one.elements[size].startswith("<")
        for one in profile.skeletons
    )
