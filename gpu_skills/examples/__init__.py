"""Models to try the optimizer on: GPT-2-, LLaMA- and BERT-shaped, small, with random weights.

Each file is in the KernelBench contract (Model, get_inputs, get_init_inputs) and is read like a user's file: nothing
of ours imports them. ``folder`` says where they lie.
"""

from pathlib import Path

folder = Path(__file__).parent

__all__ = ["folder"]
