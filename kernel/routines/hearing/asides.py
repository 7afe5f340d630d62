"""What is said around a rule and asks for nothing: how it came to be wanted, why, and thanks.

"My landlord keeps sending me bills. I'd like this: whenever a mail from Vogt arrives, show me a notice. Cheers!" is a
rule and three asides. Whole sentences and clauses alone are asides, and none that may ask for something; a rule never
loses all of its request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from kernel.language import Lexicon, Line, is_function_word
from kernel.language.free_text import covered, quotes
from kernel.routines.hearing.afterthoughts import is_attached, is_of_mail, says_again, wants_attachment
from kernel.routines.hearing.model import Heard, Words, left_of, meets
from kernel.routines.model import About

_FILLING = (
    r"(?:so|also|look|listen|well|okay|ok|hey|hi|hallo|right|now|you know|you see|see|anyway|na|naja|nun|tja|du|hör zu|"
    r"hör mal|pass auf|pass op|schau|schau mal|weißt du|weißt du was|folgendes|und zwar|and|und|ja|gut)"
)
_WISH = (
    r"(?:here 's the thing|here is the thing|here 's what i want|here is what i want|what i 'd (?:love|like|want)|"
    r"what i (?:want|need|would like|would love)|i (?:'d|would) (?:like|love) (?:this|the following)|"
    r"i (?:want|need) (?:this|the following)|this is what i (?:want|need)|(?:my|a|one) (?:small |little )?"
    r"(?:wish|rule|favou?r|request)|(?:new|the) rule|(?:mein|ein|eine|meine) (?:kleine[rs]? )?(?:wunsch|anliegen|bitte|"
    r"regel)|neue regel|kleine bitte|was ich (?:will|möchte|brauche|gern hätte)|ich (?:hätte gern|möchte|will|bräuchte|"
    r"brauche) (?:da )?folgendes|bitte folgendes|es geht um folgendes|"
    r"(?:please |just )?(?:do me (?:a|this|one) favou?r|keep me (?:posted|informed|in the loop|up to date)|"
    r"keep an? (?:log|record|diary)(?: of (?:it|this|that))?|"
    r"keep track(?: of (?:it|this|that))?|help me out)(?: for me)?(?: please| pls)?|"
    r"(?:tu mir (?:mal |bitte |doch )?(?:den|einen) gefallen|führe? (?:mir )?(?:mal |bitte )?(?:buch|protokoll)|"
    r"halte? mich (?:bitte |mal )?auf dem laufenden|sei so (?:gut|lieb|nett))(?: bitte)?)"
)
_DROPPED = (
    r"(?:really |just )?(?:(?:need|got|have|had) to|gotta|can't|cannot|couldn't|hate|hated|always (?:hated|forget|miss|"
    r"lose)|never (?:remember|know|find|manage)|keep \w+ing|(?:sick and )?tired of|sick of|fed up|"
    r"don't (?:want to (?:forget|miss|lose|run|be|get)|like|trust|know|remember)|"
    r"muss (?:mal|endlich|unbedingt|echt|dringend|ja|immer)|(?:vergesse?|verliere?|verschlafe?) (?!nicht)|"
    r"(?:bin|war|habe?|hatte) (?:ja |immer |so |halt |echt )?(?:\w+)|kann mir .+ nicht|finde? nie|weiß nie) .+"
)
"""A sentence that leaves out who it speaks of: "Need to keep an eye on the bills.", "Muss mal Ordnung rein."."""
_LEAD_IN = rf"(?:(?:{_FILLING}|{_WISH}) ?(?:[,:.–—-] ?)*)+"
_FILLED = rf"(?:{_FILLING} (?:, )?)+"
_LONGEST_START = 5
_SUBJECTS = frozenset(
    "i we he she they it you there this that these those here my our his her their its your the a i'm i've we're we've "
    "it's that's there's he's she's nobody everybody somebody ich wir er sie es man du ihr mein meine meinen meiner "
    "meinem unser unsere unserem sein seine ihre dein deine der die das den dem ein eine einem hier da dort niemand "
    "keiner jemand mir mich uns alle i'd".split()
)
_ASKS = frozenset(
    "please bitte could can would will shall kannst könntest könnten magst würdest willst want wanna need like love "
    "wish should must let's möchte möcht will hätte hätt brauche brauch bräuchte soll sollst sollte muss musst gern "
    "gerne lass lasst don't nicht not only nur never nie called named namens heißt saying".split()
)
"""Words of what is asked for, or of how: a sentence with one of them is no aside."""
_TELLING = frozenset("don't nicht not never nie need like love will can would brauche muss nur only".split())
"""Those of them that a sentence which begins with its subject may have that only tells something."""
_PERSONS = frozenset(
    "i we he she they my our i'm i've we're we've he's she's ich wir er mein meine unser unsere".split()
)
_THANKS = (
    r"(?:(?:oh|und|and|so|na dann) )?(?:many |vielen |besten |herzlichen |tausend |lieben )?(?:thank you|thanks|thank|"
    r"thx|cheers|ta|danke|dankeschön|dank|merci|servus|bye|tschüs+|ciao|bis dann|lg|liebe grüße|grüße)\b.{0,40}"
)
_WHY_EN = (
    r"(?:because|since|cause|coz|cos|cuz|otherwise|or else|else|so|so that|then|that way|this way|you see|as) "
    r"(?:i|i'm|i'll|i've|we|we're|it|it's|he|she|they|my|our|there|nobody|the|that ?'s|thats|im|its|"
    r"everyone|he's|she's|they're) .+|"
    r"(?:i|we|she|he|they|my \w+|our \w+) .+|(?:it|that|there|she|he|they|i|we) ?(?:'s|'m|'re|is) .+"
)
_WHY_DE = r"(?:sonst|denn|weil|damit|nämlich|schließlich|immerhin|zumal) .+"
_PARTICLE = r"\b(?:nämlich|sonst|ja|schließlich|eh|doch|halt|immerhin|angeblich|sowieso|leider|echt|wirklich)\b"
_AUX = frozenset("ist is sind san hat hab habe bin wird wär wäre war soll muss kann will mag".split())
_V2 = frozenset(
    "i des da das die der den dem dort es ich er sie wir man so dann hier mir mein meine unser unsere".split()
)
_TAG = (
    r"(?:gell|gelle|ge|ne|ja|okay|ok|oder|please|bitte|bitte schön|danke|cheers|would you|will you|could you|"
    r"if you can|if you would|if possible|if you don't mind|if you do n't mind|if that 's okay|if that's okay|"
    r"wenn 's geht|wenns geht|wenn es geht|wenn möglich|wenn du magst|wenn du kannst|sei so gut|sei so lieb|thanks|"
    r"alles klar|verstanden|mate|mein lieber)"
)
_INTERJECTION = (
    r"(?:(?:heaven|god|lord) forbid|touch wood|fingers crossed|gott (?:bewahre|behüte)|was ich nicht hoffe|toi toi toi)"
)
"""What is put in between two commas about something that may happen."""
_SO = frozenset("so also therefore hence".split())
_HENCE = frozenset("deshalb deswegen therefore hence drum daher".split())
_EACH_TIME = ("jedes mal", "every time", "each time", "jedesmal", "immer", "stets", "always")
_ENDS, _MOST_TAILS = frozenset(".!?…"), 3


def without_asides(line: Line, heard: Heard, lexicon: Lexicon) -> Heard:
    """Return ``heard`` with what is said around it and asks for nothing as told."""
    told = tuple(dict.fromkeys(_told(line, heard, lexicon)))
    if not told or not any(letter.isalpha() for letter in left_of(line, (*heard.words, *told))):
        return heard
    brings = tuple(one for one in heard.brings if not meets(one, told))
    texts = (_text(line, *_past_comma(line, one)) for one in told)
    hangs = ((About.ATTACHED, "*"),) if any(map(wants_attachment, texts)) and not is_attached(heard) else ()
    return replace(heard, told=told, brings=brings, such=(*heard.such, *hangs))


def begins_behind(text: str) -> Iterator[str]:
    """Yield ``text``, and what of it stands behind each of the sentences and lead-ins with which it begins."""
    yield text
    for found in _BREAK.finditer(text[:_LOOKED_AT]):
        spoken = " ".join(re.findall(r"'\w+|\w+|[,:.–—-]", text[: found.start()].casefold()))
        if found[0].strip() != ":" or _form(_LEAD_IN).fullmatch(spoken.rpartition(". ")[2]):
            yield text[found.end() :]


@cache
def _form(pattern: str) -> re.Pattern[str]:
    """No start waits for them: most sentences have no trigger."""
    return re.compile(pattern)


_BREAK = re.compile(r"[.!?…:]\s+(?=\w)")
_LOOKED_AT = 400


def _told(line: Line, heard: Heard, lexicon: Lexicon) -> Iterator[Words]:
    gone, shut = covered(heard.words), covered(quotes(line))
    sentences = list(_sentences(line, shut))
    of_rule = [at for at, one in enumerate(sentences) if not gone.isdisjoint(range(*one))]
    for at, one in enumerate(sentences):
        if at in of_rule:
            yield from _within(line, one, gone | shut, lexicon)
            yield from _added(line, one, gone | shut, heard)
        elif not shut.isdisjoint(range(*one)):
            continue
        elif _tells(line, one, lexicon) if at < of_rule[0] else _is_behind(line, one, heard):
            yield one


def _sentences(line: Line, shut: frozenset[int]) -> Iterator[Words]:
    """The sentences, each with its mark: none ends within a quotation, or behind a number ("am 1. Juni")."""
    first = 0
    for at in range(line.size):
        mark = line.norm(at) in _ENDS and at not in shut and not line.norm(at - 1).isdigit()
        if mark and (at + 1 == line.size or line.tokens[at].end < line.tokens[at + 1].start):
            yield first, at + 1
            first = at + 1
    if first < line.size:
        yield first, line.size


def _text(line: Line, first: int, last: int) -> str:
    """The words [first, last), without the mark at their end."""
    while last > first and line.norm(last - 1) in _ENDS | {":", ","}:
        last -= 1
    return line.words(first, last - first)


def _past_filling(line: Line, first: int, last: int) -> int:
    found = _form(_FILLED).match(f"{line.words(first, last - first)} ")
    return first + (found[0].count(" ") if found is not None else 0)


def _tells(line: Line, sentence: Words, lexicon: Lexicon) -> bool:
    """Tell whether a sentence before the rule says how things are: it has a subject, and asks for nothing."""
    if _form(_LEAD_IN).fullmatch(_text(line, *sentence)):
        return True
    if _form(_DROPPED).fullmatch(_text(line, *sentence)):
        return not sentence[0] and line.norm(sentence[1] - 1) == "."
    first, last = _past_filling(line, *sentence), sentence[1]
    words = [line.norm(at) for at in range(first, last)]
    subject = not _SUBJECTS.isdisjoint(words[:_LONGEST_START])
    led = bool(words) and (words[0] in _SUBJECTS or is_function_word(words[0]))
    asks = _ASKS - _TELLING if led else _ASKS
    orders = first < last and not led and lexicon.is_verb(line.tokens[first])
    wants = re.search(r"\bi (?:'d|would) (?:like|love)\b|\bi (?:want|need)\b (?!to)", " ".join(words))
    return subject and not orders and asks.isdisjoint(words) and wants is None and words[-1:] != ["?"]


def _is_behind(line: Line, sentence: Words, heard: Heard) -> bool:
    """Tell whether a sentence behind the rule thanks, says what is so already, or what somebody does: "She's in a
    band.".
    """
    text = _text(line, *sentence)
    if _form(_THANKS).match(text) or _is_so(line, heard, text):
        return True
    words = [line.norm(at) for at in range(*sentence)]
    return words[0] in _PERSONS and not ({*words} & (_ASKS - {"never", "nie", "need", "muss"}))


def _within(line: Line, sentence: Words, gone: frozenset[int], lexicon: Lexicon) -> Iterator[Words]:
    """What leads into the rule in its own sentence, and why it is wanted behind it."""
    first, last = sentence
    trigger = next((at for at in range(first, last) if at in gone), last)
    lead = _text(line, first, trigger)
    colon = line.norm(trigger - 1) == ":" and trigger > first
    if lead and (_form(_LEAD_IN).fullmatch(lead) or (colon and _tells(line, (first, trigger), lexicon))):
        yield first, trigger
    yield from ((at, at + 1) for at in range(first, last) if at not in gone and line.norm(at) in _HENCE)
    so = next((at for at in range(first + 1, trigger) if line.norm(at) in _SO and line.norm(at - 1) == ","), first)
    if so > first and _tells(line, (first, so - 1), lexicon):
        yield first, so + 1
    for words in _EACH_TIME:
        size = words.count(" ") + 1
        yield from ((at, at + size) for at in range(first, last) if at not in gone and line.words(at, size) == words)
    end = last
    while end > first and line.is_mark(end - 1):
        end -= 1
    for _ in range(_MOST_TAILS):
        mark = next((at for at in range(end - 1, first, -1) if line.norm(at) in {",", "-", "–", "—"}), first)
        begins = max(mark, next((at + 1 for at in range(end - 1, mark, -1) if at in gone), mark))
        if mark <= first or begins > mark or not _is_why(line, mark + 1, end):
            return
        yield mark, end
        end = mark


def _is_so(line: Line, heard: Heard, text: str) -> bool:
    """Tell whether an afterthought is so already; one that leaves out mails without an attachment is made so."""
    rule = line.words(0, line.size).replace(text, "")
    return says_again(heard, rule, text) or (is_of_mail(heard) and wants_attachment(text))


def _added(line: Line, sentence: Words, gone: frozenset[int], heard: Heard) -> Iterator[Words]:
    """What is put in between or behind in the rule's own sentence, and is so already, or no more than a sigh."""
    first, last = sentence
    marks = [at for at in range(first, last) if line.norm(at) in _PARTS and at not in gone]
    ends = [*marks, last]
    behind = max((at + 1 for at in range(first, last) if at in gone), default=first)
    begins = sorted({*marks, behind - 1} - {first - 1})
    for mark in begins:
        for end in (one for one in ends if one > mark + 1):
            if gone.isdisjoint(range(mark + 1, end)) and _is_put_in(line, (mark + 1, end), last, heard):
                yield (mark if mark not in gone else mark + 1), end
                break


def _is_put_in(line: Line, words: Words, last: int, heard: Heard) -> bool:
    text = _text(line, *words)
    if _form(_INTERJECTION).fullmatch(text):
        return True
    announced = words[1] < last and line.norm(words[1]) == ":"
    if announced and _is_why(line, *words):
        return True
    return (announced or not _text(line, words[1], last)) and _is_so(line, heard, text)


_PARTS = frozenset(", ; : - – —".split())


def _past_comma(line: Line, words: Words) -> Words:
    return words[0] + (line.norm(words[0]) in _PARTS), words[1]


def _is_why(line: Line, first: int, last: int) -> bool:
    """Tell whether a clause at the end only says why or what for, or asks for a nod."""
    text = line.words(first, last - first)
    if not text:
        return False
    if _form(_TAG).fullmatch(text):
        return True
    words = text.split()
    if line.language != "de":
        return bool(_form(_WHY_EN).fullmatch(text)) and _ASKS.isdisjoint(set(words) - _TELLING)
    if _form(_WHY_DE).fullmatch(text):
        return True
    second = words[1] if len(words) > 1 else ""
    main = (
        words[0] in _V2 and (second in _AUX or not is_function_word(second)) and not _form(_PARTICLE).fullmatch(second)
    )
    return main and bool(_form(_PARTICLE).search(text))
