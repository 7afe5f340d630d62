"""Closed classes that composition needs beyond the function words: English and German grammar, no word of a tool."""

from __future__ import annotations

from kernel.language.function_words import (
    AUXILIARIES,
    DETERMINERS,
    NEGATIONS,
    PREPOSITIONS,
    PRONOUNS,
    is_function_word,
)
from kernel.model import Token

_ARTICLES = frozenset("the a an der die das den dem des ein eine einen einem einer eines".split())
_INDEFINITE = frozenset("a an ein eine einen einem einer eines".split())
_DETERMINERS = (DETERMINERS["en"] | DETERMINERS["de"] | frozenset("its their'".split())) - NEGATIONS["de"]
_SIGNS = frozenset("🚫 ❌ ✖ ✗ ✘ ⛔ 🛑 🙅 👎".split())  # they say "not", before a request or behind it
_NEGATIONS = (NEGATIONS["en"] | NEGATIONS["de"] | _SIGNS) - {"weder", "neither"}
_PLACING = frozenset("put place set bring take leg lege legen stell stelle stellen tu tue tun bringen nehmen".split())
_PUT_AWAY = frozenset(
    "abgelegt hingelegt gelegt gespeichert abgespeichert gesichert aufgeschrieben reingeschrieben geschrieben notiert "
    "hingetan getan gepackt hingepackt gesteckt verstaut gelassen festgehalten hingeschoben abgeheftet vermerkt".split()
)
_LIMITING = frozenset("only just solely nur bloß lediglich ausschließlich".split())
_RELATING = frozenset("of in on from that which where whose with von aus in wo mit die der das deren dessen".split())
_POSSESSIVES = frozenset(
    "its their his her sein seine seinen seinem seiner seines ihr ihre ihren ihrem ihrer ihres deren dessen".split()
)
_OWN = frozenset("my our mein meine meinen meinem meiner unser unsere unseren unserem unserer".split())
_THIRD = frozenset("he him she her it they them er ihm ihn es ihnen damit davon daraus darin dazu".split())
_BEING = frozenset("is are was were be that's it's they're isn't aren't wasn't weren't ist sind war waren".split())
_KEEPING = frozenset("need keep want use brauche brauch brauchen behalte behalten will benutze nutze".split())
_SPEAKERS = frozenset("i me we us you ich mir mich wir uns du dir dich sie i'd i'll i'm i've".split())
_ADVERBS = frozenset(
    "actually basically honestly exactly currently kinda sorta really please kindly just anyway though "
    "bitte eigentlich überhaupt halt eben genau wirklich irgendwie ruhig übrigens denn".split()
)
_ADDRESSED = frozenset("you your yours du dich dir dein deine deinen".split())
_WANTING = frozenset(
    "want wants wanted need needs needed like likes asks asked prefers will möchte braucht wünscht soll sollen".split()
)
_VAGUE = frozenset("thing things stuff ding dinge dings zeug".split())
_PASSAGES = frozenset("bit part passage section paragraph line stelle abschnitt absatz teil passus".split())
_HAVING = frozenset("have has had 've i've we've you've they've".split())
_ABOUT = frozenset("about on with über zu mit von".split())
_STRAIGHT = frozenset("directly straight right direkt gleich".split())
_INTO = frozenset("into to onto inside nach in ins auf".split())
_UNREAL = frozenset("would could should might i'd we'd 'd".split())
_PARTICIPLES = ("ge", "ver", "ent", "zer")
_WISHING = frozenset("gern gerne lieber bitte mal noch am".split())
_LIGHT = frozenset(
    "show give tell get let want need help see know look like "
    "zeig zeige zeigen gib gebe sag sage nenn nenne hol hole brauche wissen sehen".split()
)
_PARTICLES = frozenset("away off out weg fort".split())
_SUPERLATIVES = ("est", "sten", "ste", "ster", "stes", "stem", "zten", "zte", "ßten", "ßte", "ßter", "ßtes")
_EXTREMES = frozenset("latest last first most least letzte letzten letzter letztes erste ersten erster erstes".split())
_NOT_SUPERLATIVE = frozenset("test request rest best guest list west contrast interest est erste".split()) - {"erste"}
_SINGULAR_S = ("ss", "us", "is", "ous")
_SINGULAR_VERBS = frozenset("is was has 's ist war hat what's".split())
_PLURAL_VERBS = frozenset("are were have sind waren haben".split())
_YES = frozenset("yes y yeah yep sure ok okay right correct exactly do ja jep klar gern gerne genau richtig".split())
_NO = frozenset("no n nope nah cancel stop abort forget nevermind nein nö abbrechen abbruch stopp vergiss".split())
_MAKING = frozenset(
    "took taken made wrote written got created saved changed edited modified added kept did have had saw downloaded "
    "scanned recorded".split()
)
_CONSEQUENCES = frozenset("so therefore hence thus deshalb daher darum folglich".split())
_WHOLES = frozenset("everything nothing anything alles nichts".split())
_ENTIRE = frozenset(
    "whole entire complete full updated ganze ganzen ganzer ganzes gesamte gesamten komplette kompletten".split()
)
_TAKING = frozenset("take use grab pick nimm nimmt nehme benutze verwende".split())
_FRESH = frozenset("new neu neue neuen neues neuer resulting entstandene entstandenen".split())
_FOLLOWING = frozenset("following folgende folgendes folgenden".split())
_ORIGINAL = frozenset("original originals originale originalen".split())
_CONTRASTS = frozenset("instead rather aber sondern jedoch statt anstatt".split())
_ALSO = frozenset("too also auch ebenfalls ebenso".split())
_OTHER = frozenset("other anderen andere anderes anderer".split())

FRAME = "~"
"""What every verb that only frames a request is in a skeleton: "show me", "give me"."""

DROPPED = frozenset(
    {("never", "mind"), ("forget", "it"), ("vergiss", "es"), ("lass", "es"), ("doch", "nicht"), ("not", "now")}
)

REQUESTS = frozenset(
    {
        ("can", "you"), ("could", "you"), ("would", "you"), ("will", "you"), ("can't", "you"), ("won't", "you"),
        ("kannst", "du"), ("könntest", "du"), ("würdest", "du"), ("willst", "du"), ("magst", "du"), ("können", "sie"),
        ("könnten", "sie"), ("würden", "sie"), ("lass", "uns"),
    }
)  # fmt: skip
"""An auxiliary and a person that ask for the deed itself."""


def forms(token: Token) -> tuple[str, ...]:
    """Return the forms under which a word may be known: as written, its lemma, and without a plural s."""
    norm, lemma = token.norm, token.lemma.casefold()
    found = [norm] if lemma == norm else [norm, lemma]
    if len(norm) > 3 and norm.endswith("s") and not norm.endswith(_SINGULAR_S) and norm[:-1] not in found:
        found.append(norm[:-1])
    return tuple(found)


def noun_forms(token: Token) -> tuple[str, ...]:
    """Return the forms under which a word may be a choice: an inflected verb ("named") is not the noun ("name")."""
    if token.norm.endswith(("ed", "ing")) and token.norm != token.lemma.casefold():
        return (token.norm,)
    return forms(token)


def is_word(token: Token) -> bool:
    """Tell whether the token carries letters or digits, or is a sign that says "not"."""
    return any(letter.isalnum() for letter in token.norm) or token.norm in _SIGNS


def is_cue(token: Token) -> bool:
    """Tell whether the token may announce or end a value: a word, or a colon."""
    return token.norm == ":" or is_word(token)


def is_idle(token: Token) -> bool:
    """Tell whether the token says nothing about what is wanted: marks, determiners, and the speakers themselves."""
    return not is_word(token) or is_determiner(token.norm) or token.norm in _SPEAKERS or token.norm in _ADVERBS


def is_free(token: Token) -> bool:
    """Tell whether the token needs no explanation: marks and closed-class words that do not negate."""
    return not is_word(token) or (is_function_word(token.norm) and not is_negation(token.norm))


def is_negation(norm: str) -> bool:
    """Tell whether the word negates or excludes: "not", "except", "shouldn't"."""
    return norm in _NEGATIONS or norm.endswith("n't") or norm == "cannot"


def is_only(norm: str) -> bool:
    """Tell whether the word limits what stands beside it."""
    return norm in {"only", "nur"}


def is_today(norm: str) -> bool:
    """Tell whether the word is the day on which everything is said."""
    return norm in {"today", "heute"}


def is_speaker(norm: str) -> bool:
    """Tell whether the pronoun is the one who speaks: "I", "we"."""
    return norm in {"i", "we", "ich", "wir", "i'll", "we'll"}


def is_to_whom(norm: str) -> bool:
    """Tell whether the pronoun is the one to whom something is shown or told: "show me the sum"."""
    return norm in {"me", "us", "mir", "uns"}


def is_still(norm: str) -> bool:
    """Tell whether the word says that something goes on."""
    return norm in {"still", "noch"}


def is_third_person(norm: str) -> bool:
    """Tell whether the pronoun is somebody or something that was spoken of: "tell him", "its total"."""
    return norm in _THIRD or norm in _POSSESSIVES - _ADDRESSED


def is_own(norm: str) -> bool:
    """Tell whether the word says that a thing is the speaker's: "my watch"."""
    return norm in _OWN


def is_being(norm: str) -> bool:
    """Tell whether the verb says what something is: "those are old ones"."""
    return norm in _BEING


def is_keeping(norm: str) -> bool:
    """Tell whether the word says that somebody has a use for a thing: "I still need them"."""
    return norm in _KEEPING


def is_placing(norm: str) -> bool:
    """Tell whether the verb only says that something comes somewhere, and not what becomes of it."""
    return norm in _PLACING


def is_put_away(norm: str) -> bool:
    """Tell whether the participle ends a clause about where something was put: "wo habe ich X abgelegt"."""
    return norm in _PUT_AWAY


def is_limiting(norm: str) -> bool:
    """Tell whether the word keeps a request to what is said beside it: "only", "nur"."""
    return norm in _LIMITING


def is_relating(norm: str) -> bool:
    """Tell whether the word says more of the noun before it: "the rows of", "those that"."""
    return norm in _RELATING


def is_contrast(norm: str) -> bool:
    """Tell whether the word sets what follows apart from what was said: "but", "except", "not"."""
    return norm in _CONTRASTS or is_negation(norm)


def is_determiner(norm: str) -> bool:
    """Tell whether the word only introduces a noun."""
    return norm in _DETERMINERS or norm in _ARTICLES


def is_article(norm: str) -> bool:
    """Tell whether the word is an article."""
    return norm in _ARTICLES


def is_indefinite(norm: str) -> bool:
    """Tell whether the word introduces something new."""
    return norm in _INDEFINITE


def is_possessive(norm: str) -> bool:
    """Tell whether the word is a third-person possessive."""
    return norm in _POSSESSIVES


def is_preposition(norm: str) -> bool:
    """Tell whether the word is a preposition."""
    return norm in PREPOSITIONS["en"] or norm in PREPOSITIONS["de"]


def is_wanting(norm: str) -> bool:
    """Tell whether the verb says that somebody wishes something done."""
    return norm in _WANTING


def is_vague(norm: str) -> bool:
    """Tell whether the noun may stand for anything: "the upload thing"."""
    return norm in _VAGUE


def is_filling_noun(tokens: tuple[Token, ...], index: int) -> bool:
    """Tell whether a noun that may stand for anything says nothing here: "the boarding pass thing", "the stuff in"."""
    if index == 0 or tokens[index].norm not in _VAGUE | _PASSAGES:
        return False
    if tokens[index].norm in _PASSAGES:
        after = tokens[index + 1].norm if index + 1 < len(tokens) else ""
        return is_determiner(tokens[index - 1].norm) and after in _ABOUT
    before, after = tokens[index - 1], tokens[index + 1].norm if index + 1 < len(tokens) else ""
    named = is_word(before) and not is_free(before) and not is_light(before.norm)
    return named or (is_determiner(before.norm) and not is_indefinite(before.norm) and is_preposition(after))


def is_got(tokens: tuple[Token, ...], index: int) -> bool:
    """Tell whether "got" only belongs to a "have" before it: "how many pages has it got"."""
    return tokens[index].norm == "got" and any(one.norm in _HAVING for one in tokens[max(0, index - 8) : index])


def is_straight(tokens: tuple[Token, ...], index: int) -> bool:
    """Tell whether the adverb only stresses where something goes: "directly into Documents"."""
    after = tokens[index + 1].norm if index + 1 < len(tokens) else ""
    return tokens[index].norm in _STRAIGHT and after in _INTO


def is_unreal(tokens: tuple[Token, ...], index: int) -> bool:
    """Tell whether the word makes a deed one that was not done: "I would have deleted it", "ich hätte sie gelöscht"."""
    norm, before = tokens[index].norm, tokens[index - 1].norm if index else ""
    if norm == "have" and before in _UNREAL:
        return index + 1 < len(tokens) and tokens[index + 1].norm.endswith(("ed", "en"))
    if norm not in {"hätte", "hätten"} or before not in {"ich", "wir"}:
        return False
    rest = [token.norm for token in tokens[index + 1 :] if is_word(token)]
    return bool(rest) and rest[-1].startswith(_PARTICIPLES) and _WISHING.isdisjoint(rest) and len(rest) > 1


def goes_into(norm: str) -> bool:
    """Tell whether the preposition says where something goes: "to my calendar", "in den Kalender"."""
    return norm in _INTO


def is_light(norm: str) -> bool:
    """Tell whether the verb only frames a request ("show me", "zeig mir")."""
    return norm in _LIGHT


def is_addressed(norm: str) -> bool:
    """Tell whether the word speaks to the one who is asked: "I do not want you to"."""
    return norm in _ADDRESSED


def is_particle(norm: str) -> bool:
    """Tell whether the word may be the other half of a verb that takes something away ("throw away", "wirf weg")."""
    return norm in _PARTICLES


def said(token: Token) -> str:
    """Return the form of a word that skeletons are made of: verbs that only frame a request are all one."""
    return FRAME if is_light(token.norm) else token.lemma.casefold()


def is_superlative(norm: str) -> bool:
    """Tell by its form whether the word picks an extreme, which makes a singular noun mean one thing."""
    if norm in _EXTREMES:
        return True
    return len(norm) > 4 and norm.endswith(_SUPERLATIVES) and norm not in _NOT_SUPERLATIVE


def is_plural(token: Token) -> bool:
    """Tell by its form whether a noun is plural."""
    if token.norm in {"ones"}:
        return True
    if token.norm != token.lemma.casefold():
        return True
    return len(token.norm) > 3 and token.norm.endswith("s") and not token.norm.endswith(_SINGULAR_S)


def verb_number(norm: str) -> bool | None:
    """Return False for a singular verb, True for a plural one, None for anything else."""
    if norm in _SINGULAR_VERBS:
        return False
    return True if norm in _PLURAL_VERBS else None


def is_yes(norm: str) -> bool:
    """Tell whether the word agrees."""
    return norm in _YES


def is_no(norm: str) -> bool:
    """Tell whether the word refuses or takes a request back."""
    return norm in _NO


def is_taking(norm: str) -> bool:
    """Tell whether the verb may only introduce what the next clause works on."""
    return norm in _TAKING


def is_foremost(norm: str) -> bool:
    """Tell whether the word after an extreme makes it the order of a list ("oldest first")."""
    return norm in {"first", "zuerst"}


def is_fresh(norm: str) -> bool:
    """Tell whether the adjective says that something has only just come to be."""
    return norm in _FRESH


def is_auxiliary(norm: str) -> bool:
    """Tell whether the word may open a question that is answered with yes or no."""
    return norm in AUXILIARIES["en"] or norm in AUXILIARIES["de"]


def is_pronoun(norm: str) -> bool:
    """Tell whether the word stands for a person or a thing."""
    return norm in PRONOUNS["en"] or norm in PRONOUNS["de"]


def is_following(norm: str) -> bool:
    """Tell whether the word stands for what comes behind it: "write the following into a note"."""
    return norm in _FOLLOWING


def is_original(norm: str) -> bool:
    """Tell whether the word means what was there before."""
    return norm in _ORIGINAL


def is_other(norm: str) -> bool:
    """Tell whether the word asks for the alternative."""
    return norm in _OTHER


def is_also(norm: str) -> bool:
    """Tell whether the word adds something to what was asked for before."""
    return norm in _ALSO


def is_making(norm: str) -> bool:
    """Tell whether "which I ..." with this verb only says whose a thing is: "photos I took", "files that I saved"."""
    return norm in _MAKING


def is_whole(norm: str) -> bool:
    """Tell whether the pronoun stands for all or none of something: it weighs as much as what it points at."""
    return norm in _WHOLES


def is_entire(norm: str) -> bool:
    """Tell whether the adjective only says that all of a thing is meant, as it is now: "the whole list"."""
    return norm in _ENTIRE


def is_consequence(norm: str) -> bool:
    """Tell whether the word says that what follows is drawn from what was said before."""
    return norm in _CONSEQUENCES


def is_whether(norms: tuple[str, ...]) -> bool:
    """Tell whether the words ask if a deed should be done: "if I should", "whether to", "ob ich" and a verb."""
    if norms[:1] in {("if",), ("whether",)}:
        return norms[1:2] == ("to",) or (norms[1:2] in {("i",), ("we",)} and norms[2:] in {("should",), ("shall",)})
    return norms[:1] == ("ob",) and norms[1:2] in {("ich",), ("wir",)}
