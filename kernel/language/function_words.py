"""The closed-class words of English and German, as data: they carry grammar, never a tool's meaning."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

DETERMINERS = {
    "en": frozenset(
        "a an the this that these those some any every each all both my your his her its our their".split()
    ),
    "de": frozenset(
        "der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem jener jene jenes "
        "jeder jede jedes jeden alle allen aller mein meine meinen meinem meiner meines dein deine deinen deinem "
        "deiner sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser unsere unseren unserem unserer euer "
        "eure irgendein irgendeine irgendeinen irgendeinem irgendwelche irgendwelchen irgendwelcher "
        "welche welcher welches welchen manche einige etwas kein keine keinen keinem keiner".split()
    ),
}

PRONOUNS = {
    "en": frozenset(
        "i me mine you yours he him she hers it we us ours they them theirs myself yourself itself themselves one ones "
        "something anything everything nothing someone anyone everyone there".split()
    ),
    "de": frozenset(
        "ich mich mir du dich dir er ihn ihm es wir uns ihnen sie man sich deren dessen denen das welche etwas nichts "
        "alles jemand niemand davon daraus darin damit dazu daran darauf da dorthin dahin hinein".split()
    ),
}

PREPOSITIONS = {
    "en": frozenset(
        "in on at by for from to into onto of off with within without about above across after against along among "
        "around as before behind below beneath beside besides between beyond during except inside like near out "
        "outside over past per since than through throughout till toward towards under underneath until up upon via "
        "versus regarding concerning".split()
    ),
    "de": frozenset(
        "in im ins an am ans auf aufs aus bei beim bis durch für gegen hinter mit nach neben ohne über überm um unter "
        "unterm von vom vor vorm während wegen zu zum zur zwischen seit ab als wie pro per trotz außer außerhalb "
        "innerhalb namens betreffend".split()
    ),
}

SEPARABLE = (
    "zusammen", "herunter", "hinzu", "weg", "raus", "rein", "vor", "aus", "auf", "hin", "her", "ab", "an", "ein", "um",
    "zu",
)  # fmt: skip
"""What a German verb is parted from in a sentence ("füge ... hinzu"); of two that begin alike the longer one first."""

AUXILIARIES = {
    "en": frozenset(
        "be am is are was were been being do does did done have has had having can could may might must shall should "
        "will would ought 's 're 've 'll 'd isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't "
        "can't cannot couldn't won't wouldn't shouldn't let's i'm i'd i'll i've you're you've you'd you'll it's it'll "
        "it'd that's that'll what's we're we've we'd we'll they're they've they'd they'll he's he'd he'll she's she'd "
        "she'll there's".split()
    ),
    "de": frozenset(
        "bin bist ist sind seid war waren wäre wären sein gewesen habe hab hast hat haben hatte hatten hätte hätten "
        "werde wirst wird werden wurde wurden worden würde würden kann kannst können könnt könnte könntest könnten "
        "muss musst müssen soll sollst sollen sollte will willst wollen möchte möchtest möchten darf darfst dürfen mag "
        "lass gibt gib's".split()
    ),
}

CONJUNCTIONS = {
    "en": frozenset("and or but nor so yet if unless because while whether although though once when whereas".split()),
    "de": frozenset(
        "und oder aber sondern denn wenn falls weil dass daß ob damit sobald nachdem bevor obwohl sowie sowohl".split()
    ),
}

QUESTIONS = {
    "en": frozenset("what which who whom whose when where why how what's who's where's how's".split()),
    "de": frozenset(
        "was welche welcher welches welchen welchem wer wen wem wessen wann wo woher wohin warum wieso weshalb wie "
        "wieviel wieviele".split()
    ),
}

NEGATIONS = {
    "en": frozenset("not no never none without except but neither nor only don't excluding".split()),
    "de": frozenset("nicht nie kein keine keinen keinem keiner ohne außer weder nur niemals ausgenommen".split()),
}

POLITE = {
    "en": frozenset(
        "please kindly thanks thank hey hi hello ok okay well just now also then steward uh uhm erm hm hmm pls plz thx "
        "ugh argh urgh gosh oh ah wow yikes phew omg lol haha jeez "
        "ta um umm uhh err basically actually honestly maybe perhaps possibly somehow anyway though anymore "
        "kinda sorta currently exactly asap meanwhile finally".split()
    ),
    "de": frozenset(
        "bitte danke hallo hey ok okay mal doch noch eben gerade jetzt auch dann nun gern gerne einmal steward "
        "äh ähm öh hm hmm tja ähh öhm eigentlich nochmal nochmals echt schnell halt überhaupt irgendwie ruhig "
        "vielleicht eventuell diesmal nämlich übrigens ma mir's bitteschön wirklich genau freundlich "
        "freundlicherweise netterweise versehentlich endlich "
        "zurzeit momentan derzeit augenblicklich rasch flott zügig oh ah ach naja uff boah puh mensch ey jo joa "
        "omg lol haha".split()
    ),
}

PARTICLES = {
    "en": frozenset(
        "here too very really quite rather so as again already still ever away back down together else instead such "
        "more most less least much many than yes somewhere anywhere everywhere nowhere afterwards".split()
    ),
    "de": frozenset(
        "hier dort sehr ganz so schon wieder immer weg zurück zusammen sonst stattdessen mehr meist weniger viel viele "
        "bloß wie als ja nein hin her los zuerst irgendwo irgendwohin irgendwie überall nirgends danach anschließend "
        "außerdem hinterher schließlich rum herum".split()
    ),
}

_GROUPS = (
    DETERMINERS,
    PRONOUNS,
    PREPOSITIONS,
    AUXILIARIES,
    CONJUNCTIONS,
    QUESTIONS,
    NEGATIONS,
    POLITE,
    PARTICLES,
)
BY_LANGUAGE = {language: frozenset().union(*(group[language] for group in _GROUPS)) for language in ("en", "de")}
_ALL = BY_LANGUAGE["en"] | BY_LANGUAGE["de"]


def is_function_word(norm: str, language: str = "") -> bool:
    """Tell whether ``norm`` belongs to a closed class of ``language`` ("en", "de"), or of either when absent."""
    return norm in BY_LANGUAGE.get(language, _ALL)


def is_question_word(norm: str) -> bool:
    """Tell whether ``norm`` may open a question in either language."""
    return norm in QUESTIONS["en"] or norm in QUESTIONS["de"]


def is_measuring(norm: str) -> bool:
    """Tell whether ``norm`` asks by how much: "how" long, "wie" lang."""
    return norm in ("how", "wie")


def guess_language(
    words: list[str],
    english: frozenset[str] = frozenset(),
    german: frozenset[str] = frozenset(),
    opens_german: frozenset[str] = frozenset(),
    lean: Callable[[str], int] | None = None,
    usual: str = "en",
) -> str:
    """Return "de" when German function words, known German words and letters outweigh the English ones, else "en".

    ``english`` and ``german`` are content words known to belong to one of the languages, e.g. from tools' examples.
    Where they say neither, ``lean`` weighs each word (above 0 for German); then ``opens_german``, which begin requests
    in German only, count, and in the end ``usual``, the language that is spoken anyway.
    """
    en, de = _words_of_either(english, german)
    score = sum((word in de) - (word in en) for word in words)
    score += sum(1 for word in words if word.isalpha() and any(letter in "äöüß" for letter in word))
    score = score or sum(lean(word) for word in words if lean is not None)
    if score == 0:
        return "de" if words[:1] and words[0] in opens_german else usual
    return "de" if score > 0 else "en"


@lru_cache(maxsize=4)  # the words of the tools that are there, the same for every sentence until one is added
def _words_of_either(english: frozenset[str], german: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The words that speak for English, and those for German: the closed classes, and the content words of one."""
    return BY_LANGUAGE["en"] | (english - german), BY_LANGUAGE["de"] | (german - english)
