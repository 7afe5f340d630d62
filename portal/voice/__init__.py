"""Voice: from sound to a sentence, on this computer alone.

``endpoint`` finds the utterance in a stream, ``grammar`` makes what can be said here from the sentences of the
installed skills and the names that a person uses, an engine (``engines``) hears it. What was heard is a sentence
like any typed one: it goes the one way through and has no right of its own.

It promises: no sound and no name leaves the computer. It does not promise that what was heard was said: in a quiet room
what is no request of this home is refused, beside noise some of it is taken for one (``sphinx`` has the figures).
"""

from portal.voice.model import Audio, Heard, VoiceError

__all__ = ["Audio", "Heard", "VoiceError"]
