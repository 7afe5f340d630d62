"""Words for who does something in Steward, to what, and that it is done, as parts of patterns."""

from __future__ import annotations

YOU = r"(?:you|you've|steward|du|d'|ihr|er|sie)(?: have| 've| hast| has)?(?: just| grad| gerade| jetzt| had to)?"
WHAT = "(?:" + "|".join(sorted(set(
    "something anything things thing any a an some what one was etwas irgendwas irgendetwas file files the eine ein "
    "einen dateien datei mir mi for me "
    "für mich mail mails email emails e-mail e-mails nachricht nachrichten message messages step steps it es i ich "
    "my of mine meine meinen meiner "
    "folder ordner your deine deinen deiner schritt run runs action actions aktion ane oane on behalf auf bitte".split()
), key=len, reverse=True)) + ")"  # fmt: skip
ANY = rf"(?: {WHAT})*"
BY = r"(?: by (?:you|steward)| von (?:dir|steward)| durch dich)?"
DONE = r"(?: (?:is|was|has been|has|gets|got|wird|wurde|worden ist|worden|werden|ist|are|were|hat|hast|have|haben))*"
