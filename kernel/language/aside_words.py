"""Clauses that ask for nothing, in English and German: why, what for, and how things are. Data for ``framing``."""

from __future__ import annotations

_SUBJECT = (
    "(?=(?:i|we|you|he|she|it|they|there|i'm|i've|i'd|i'll|we're|we've|my|our|your|his|her|their|the|this|that|"
    "everything|"
    "everybody|nobody|nothing|somebody|people) )"
)
PLAIN_REASONS = (
    f"because {_SUBJECT}", f"(?:so|such) that {_SUBJECT}", "in case (?:i|we|you|he|she|it|they) ",
    "so (?=(?:i|we|you|he|she|it|they|everybody|people|my \\w+|our \\w+) (?:can|could|have|will|know|may|might|"
    "won't|get|find) )",
)  # fmt: skip
"""What opens a clause that says why or what for, also without a mark before it."""

REASONS = (
    *PLAIN_REASONS,
    f"(?:since|as|given that|seeing that|seeing as|now that|although|though|even though) {_SUBJECT}",
    "(?:weil|da|damit|denn|obwohl|zumal) "
    "(?=(?:ich|wir|du|er|sie|es|man|mein\\w*|unser\\w*|dein\\w*|der|die|das|ihr\\w*|sein\\w*) )",
)

STATEMENTS = (
    "(?:i|we) (?:am|was|were|are|have|had|do|did|don't|didn't|haven't|just|already|never|still|always|often|"
    "really|recently|"
    "\\w+ed|got|went|saw|made|took|bought|wrote|sent|left|lost|put|know|think|guess|suppose|believe|use|work|live) ",
    "(?:i|we) (?:need|want|like|love|hate) (?=(?:it|them|this|that|these|those) )",
    "(?:i'm|i've|we're|we've|he's|she's|they're|they've) ",
    "(?:he|she|they|it|there|this|that) (?:is|was|are|were|has|had|have|'s|will|would|can|does|did|isn't|wasn't|"
    "seems|looks|needs|"
    "takes|\\w+ed) ",
    "(?:my|our|his|her|their) (?:\\w+ ){1,3}?(?:is|was|are|were|has|had|have|will|would|wants?|needs?|works?|"
    "asks?|says?|likes?|uses?|"
    "got|gets?|\\w+ed) ",
    "(?:ich|wir) (?:bin|war|habe|hab|hatte|sind|haben|hatten|mag|kenne|finde|glaube|arbeite|schreibe|fahre|gehe|muss) ",
    "(?:mein|meine|unser|unsere|sein|seine|ihr|ihre|er|sie|es) (?:\\w+ ){0,3}?(?:ist|war|sind|hat|hatte|haben|"
    "will|braucht|möchte|"
    "arbeitet|wird|liegt|steht) ",
)  # fmt: skip
"""How a sentence begins that tells something and asks for nothing."""

NO_LONGER = (
    "(?:any more|anymore|any longer|no longer|of (?:any|no|much) (?:use|interest|value)|not? (?:needed|"
    "necessary)|nicht mehr|kein\\w* mehr) "
)
"""Says that something is done with, and excludes nothing."""

EXCLUDING = (
    "(?:only|except|without|excluding|unless|besides|apart from|other than|nur|außer|ohne|ausgenommen|es sei denn) "
)
"""Words that limit what is asked for, wherever they stand."""
