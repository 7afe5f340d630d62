"""Every number of the composition search in one place: data, to be refitted on a person's own log.

Costs are in one unit; a perfect plan costs a little more than zero and an unexplained content word costs ``CONTENT``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# --- recommend: weights of the reasons ----------------------------------------------------------------------------
REASONS: Mapping[str, float] = MappingProxyType(
    {
        "example": 2.2,
        "coverage": 1.2,
        "verb": 0.8,
        "text": 0.5,
        "dense": 2.4,
        "choice": 0.35,
        "kinds": 0.7,
        "values": 0.6,
    }
)
TOP_TOOLS = 8  # candidates kept for a segment
KEEP_SHARE = 0.45  # of the best candidate's score
MAX_SEGMENTS = 28
MAX_BOUNDARIES = 6

# --- unexplained words --------------------------------------------------------------------------------------------
CONTENT = 1.6
LIGHT = 0.15
NUMBER = 2.6
NEGATION = 4.0
PRONOUN = 0.9
DOC_WORD = 0.65  # how far a word of the summary or of a parameter's doc explains a token
KINDRED = 0.9  # how far a word that means the same as one of the tool's words explains a token
VERB_CLASH = 1.3  # the clause's verb is how other tools begin and this one hardly does
ASKED_OTHERWISE = 2.0  # the sentence asks when, who or why, and no example of the tool does
OWN_VERB_SHARE = 0.34
TELLING_VERB = 0.5  # weight from which a verb tells tools apart
SAID_SHARE = 0.55  # of an example's words that must be here for its verb to count
UNANCHORED = 3.0  # nothing but free text speaks for the tool

# --- tasks and arguments ------------------------------------------------------------------------------------------
DISTANCE = 2.0  # times (1 - similarity to the nearest example)
TASK = 0.3
ARGUMENT = 1.0  # times (1 - score)
MISSING = 2.4
MISSING_MORE = 0.5  # of that, for each further one
IMPLICIT = 0.45  # a required value that is passed on without a word
NEAR = 0.15  # examples this much less similar than the nearest count as near
LEFT_OUT = 0.5  # times the share of the nearest example's words that is not said
UNSEEN_TABLE = 0.4  # a file that was only described is not surely a table
NESTED = 0.5
SHARED = 0.8
BOUNDARY_USED = 1.2  # times (1 - strength)
BOUNDARY_UNUSED = 1.0  # times strength
ASIDE = 0.5  # a clause that only tells how things are, beside a request
SURE_NAME = 0.7  # of the name of a file, so that it stands for the file alone
TOLD = 0.55  # the same, by its grammar alone
REASON = 0.3  # a clause that says why or what for
DISLOCATED = 0.1  # "those, could you copy them"
FOUND = 0.95  # score of what the skill itself found, for what is never said by name
FOUND_LAST = 0.8  # the same, where no word speaks of it
APART = 0.02  # off for each value: of two readings alike, the one that takes the words apart ("in" and "6 weeks")
RECENCY = 0.12  # a step
OLD_RUN = 0.3  # a result of an earlier run, over one of this plan
STRANGER = 0.1  # for a tool of another skill than the one that found, in an earlier run, what is pointed at
FOREIGN = 0.25  # for the file of what a tool of another skill found, in the same plan
SAME_TABLE = 0.7  # score of the table that the last request was about, where no other one is named
JUST_NOW = 3.0  # age up to which it is the last request's
LATEST_TABLE = 0.9  # score of the last table that was found, for a tool that only keeps it
BY_NAME = 0.95  # times the score of a thing that is called by its name
BY_TITLE = 0.8  # the same, where a record says it: the title that was given is preferred

DOUBT_POINTING = 1.0  # free text over a word that points
DOUBT_CHOICE = 0.45  # a word of free text that is a choice of some tool, or a number
DOUBT_OWN_CHOICE = 0.75  # the same, of the very tool
DOUBT_EXTREME = 0.3  # an extreme ("oldest") in words to look for
DOUBT_VERB = 1.2  # free text that begins with the clause's verb
DOUBT_TAIL = 0.6  # free text that ends with an article or a preposition
DOUBT_HEAD = 0.8  # words to look for that name what is wanted of the tool's own things
DOUBT_OPENING = 0.5  # free text that begins the clause
DOUBT_CUE = 0.4  # free text that begins with a word that announces it
DOUBT_MARK = 0.3  # a mark or a preposition inside a short text
LIMITED_STEP = 0.2  # the same in a sentence of its own
LIMITED = 0.4  # an object found by a tool that returns only some of it
DOUBT_OWN_CARRIER = 0.25  # a word of free text that carries this very tool's requests
DOUBT_NAMED = 0.5  # a choice word that is written like the name of a folder
DOUBT_UNNAMED = 0.45  # a name of something that should be there, and nothing there is called so
DOUBT_PART = 0.8  # free text that holds words which name a file, and more
DOUBT_ECHO = 0.5  # a text made of nothing but the tool's own words
DOUBT_PHRASE = 0.3  # a preposition in the name of a column, on top
DOUBT_OVER = 1.0  # a text over the place where a further request begins
DOUBT_CUT = 0.6  # free text that takes a part of what a word like "called" announces
CUED = 0.5  # how well the words around must announce a value that is then taken as it is
NO_VALUE = -0.1  # score up to which words are no value at all
READ_OBJECT = 0.9  # by which a text that a tool can read is cheaper: "the summary of a.pdf" is hardly meant literally
ITS = 0.4  # by which what is read of the thing just found is cheaper, where it is said whose it is: "its total"
LEAST_OBJECT = 0.4  # score that every value of a described object must have
OF_WHOM = 0.9  # score that somebody has at least, of whom a tool is asked something: "Lena's phone number"
FILE_AS_TITLE = 0.9  # weight of "beach.jpg" as a new name, where the examples announce names with a suffix
MADE_ANEW = 0.5  # times the score of a folder that is there, where "a folder called" like it is spoken of
NO_PATTERN = 0.5  # times the score of a pattern of file names where no example has one
ONE_OF_MANY = 0.4  # times the score of a day out of "every Sunday", as a day
NO_TABLE = 0.15  # times the score of a file as a table, when its suffix is none of a table's
TAKES_IT = 0.35  # for a tool that needs just the kind of thing that a described object names
STRONG_CUE = 0.7  # confidence from which a word surely announces free text
DOUBT_HARD = 0.5  # a word of free text that is part of a date, a path, a quantity
UNUSED_CHOICE = 0.4  # a choice in closed-class words ("before", "how many") that no parameter takes
LONG_NAME = 0.85  # a name of several words where the examples announce a name
SURE_PLACE = 0.7  # confidence of a folder from which it may say where a file is
SURE_FOLDER = 0.8  # cue score of a name that may be a new folder
CALLED_SO = 0.5  # confidence from which one word is surely the name of a file
SURE_TEXT = 0.75  # free text that speaks for the tool
CONTEXT_TEXT = 0.7  # free text that may be context of other text
DOUBT_TITLE_CARRIER = 0.1  # the same in a title
DOUBT_CARRIER = 0.25  # a word of free text that carries some tool's requests
KNOWN_VALUE = 0.2  # a word that stood in this slot in an example

ODD_FILE = 0.5  # times the score of a file of a kind that the examples never have
FEW_SUFFIXES = range(2, 7)  # so many kinds of file in the examples mean that others are odd; more mean any

DENSE_FROM, DENSE_RANGE = 0.35, 0.3  # cosines over which vectors begin to count, and count in full
EXCUSE = 1.3  # of a verb's cost, when no manifest has the verb and an example is near
LAG = 1.5  # times the cosine by which another tool is ahead, times the distance
NEARER = 0.4  # share of the distance that a near example takes away

# --- bounds -------------------------------------------------------------------------------------------------------
BEAM = 3
TOOLS_A_SEGMENT = 5
STRAINED = 0.85  # strength of passed boundaries from which a stretch is hardly one clause
OVER = 0.85  # strength of a boundary with a mark and a joining word from which a text hardly goes on behind it
PARTING = 0.5  # strength of a boundary from which no described object runs over it
STRETCHED = 0.5  # price of a stretch from which fewer tools are tried
TOOLS_STRAINED = 3
TIED = 0.03  # by so little the score of another tool may be lower than that of the last one that is tried
TIES = 2
TOOLS_AGAIN = 3  # of a segment in further contexts
PARTIALS = 10
FILLERS = 6
LIKELY = 0.3  # of the words of a described object that a tool must know to be tried
PRODUCERS = 3  # tools tried for a described object
TOOLS_A_SKILL = 2  # of every skill that are tried in any case, however many better ones another skill has
REGIONS = 5
MAX_TASKS = 8
MAX_TOKENS = 160

# --- the decision -------------------------------------------------------------------------------------------------
LOGIT: Mapping[str, float] = MappingProxyType(
    {
        "bias": 1.0,
        "similarity": 4.2,
        "argument": 1.8,
        "unexplained": -1.9,
        "missing": -2.0,
        "left_out": -1.5,
        "margin": 0.5,
        "tasks": -0.1,
    }
)
TEMPLATE = 0.25  # by which a reading is cheaper that has the shape of a plan which the person confirmed
TEMPLATE_LIKE = 0.7  # similarity to an example that each of its steps must have
ACT = 0.7
ACT_EFFECT = 0.78
SETTLED = 0.5  # values and similarity from which no reading over strong boundaries is looked for
WEAKEST = 0.15  # score below which no argument may be
ASK = 0.5
OBJECTLESS = 0.7  # on the confidence when the object is missing and unknown words stand elsewhere
SAID_ALIKE = 0.1  # for a follow-up's value behind the very word that stood before the value it replaces
LACKING = 1.6  # how much dearer a reading may be that explains all words and only lacks a value
ASK_MISSING = 0.75  # sure enough of the rest to ask for what is missing
LEFT = 1.0  # a request that is left undone, where a plan for the rest is looked for
TOLERATED = 0.5  # unexplained cost up to which a plan may act
ALIKE = 0.6  # of two changes that differ in nothing that was said, so much dearer the plainer one may be
MARGIN = 0.12  # two different plans nearer than this, one of which changes something: ask which
MOST_OFFERS = 3
OFFER_RANGE = 3.0  # how much dearer than the first one an offered reading may be
OFFER_READ, OFFER_CHANGE = 0.4, 0.45  # share of what was said that an offered reading must explain
OFFER_ARGUMENT = 0.3  # score that every value of an offered change must have
OFFER_LIKE = 0.33  # similarity to an example that each call of an offered reading must have
OFFER_FAR = 0.2  # the same, below which it is not even asked about what is there
OFFER_NEAR = 0.55  # the same, from which it is offered whatever vouches for its values
OFFER_TOLD = 0.7  # share of what was said that such a reading must explain
OFFER_BESIDE = 2.0  # how much dearer than a reading that is nearly sure another one may be that is offered beside it
