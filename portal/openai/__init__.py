"""The door for programs that speak OpenAI's chat API: ``/v1/models`` and ``/v1/chat/completions``, plain and streamed.

It promises: a client asks in its own name, the holder of the API token as the person; only the last message of the user
is a request, and what a program says was said before is not believed; a card is answered by the person, never here; a
refusal has the shape that these programs read. It never decides a right, and needs no library of theirs.
"""
