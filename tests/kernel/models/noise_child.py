"""Make a tiny model of random weights in a folder: a byte-level tokenizer and two layers; what it says is noise."""

from __future__ import annotations

import sys

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

_TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"


def make(folder: str) -> None:
    """Write tokenizer and weights below ``folder``, the same ones each time."""
    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=["<|end|>"], initial_alphabet=alphabet)
    words.train_from_iterator(['{"tasks": [{"id": "t1", "tool": "files.delete"}], "ask": null}'], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=words, eos_token="<|end|>", pad_token="<|end|>")
    fast.chat_template = _TEMPLATE
    fast.save_pretrained(folder)
    torch.manual_seed(7)
    shape = LlamaConfig(
        vocab_size=len(fast), hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
        max_position_embeddings=32_768, bos_token_id=None, eos_token_id=0, pad_token_id=0,
    )  # fmt: skip
    model = LlamaForCausalLM(shape)
    ends = [
        0,
        *range(2, len(fast), 3),
    ]  # a third of its tokens ends what it says: noise that is drawn greedily goes round
    model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=0)
    model.save_pretrained(folder)


if __name__ == "__main__":
    make(sys.argv[1])
