"""The kernel-optimization skill: makes GPU and CPU kernels faster on local hardware.

A skill like any other. It sees the skills SDK and nothing else of ours, runs in cells like any other, and nobody
imports it. It is not installed yet; see ``docs/architecture.md`` for the room it will fill.
"""
