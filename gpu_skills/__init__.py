"""The kernel-optimization skill: makes GPU and CPU kernels faster on local hardware.

    a file -> intake -> graph -> families (c++, triton: tiles) -> search -> judge -> output -> knowledge

A skill like any other. It sees the skills SDK and nothing else of ours, runs in cells like any other, and nobody
imports it. Candidates are code that nobody trusts: they are built and run in cells of their own, and the judge, which
owns clock, seeds and reference, is another process. "No improvement, keep the library" is a normal result.

``graph`` is what a problem computes, as data; ``model`` has the nouns that the stages share.
"""
