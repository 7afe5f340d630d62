"""What a problem computes, as data: tensors, and sweeps over them.

A **sweep** goes over a space of axes. It reads tensors through strides, folds expressions over its last axis as often
as it must, and stores. One noun covers what is worth generating: pointwise chains, norms, softmax, cross-entropy
(a fold that reads where an index says), rotary embeddings (two halves, two stores), transposes and copies (other
strides), reductions over any axis, and matrix products with an epilogue (a fold whose terms are products).

A sweep separates what is **structure** (expressions, which strides are 0 or 1) from its **numbers** (sizes, other
strides, offsets) and **parameters** (an epsilon): a kernel is made for a structure and is given the rest when it runs,
so it can be judged on sizes and parameters that it has never seen. Nothing here imports torch or runs a compiler.
"""

from gpu_skills.graph.evaluate import evaluate
from gpu_skills.graph.model import (
    Access,
    Apply,
    DType,
    Expr,
    Fn,
    Fold,
    Folded,
    Gather,
    Library,
    Number,
    Parameter,
    Position,
    Program,
    Read,
    Reduction,
    Role,
    Size,
    Step,
    Store,
    Sweep,
    Tensor,
)
from gpu_skills.graph.structure import axes_told, numbers_of, parameters_of, structure_of, with_numbers
from gpu_skills.graph.wire import program_from_json, program_to_json

__all__ = [
    "Access",
    "Apply",
    "DType",
    "Expr",
    "Fn",
    "Fold",
    "Folded",
    "Gather",
    "Library",
    "Number",
    "Parameter",
    "Position",
    "Program",
    "Read",
    "Reduction",
    "Role",
    "Size",
    "Step",
    "Store",
    "Sweep",
    "Tensor",
    "axes_told",
    "evaluate",
    "numbers_of",
    "parameters_of",
    "program_from_json",
    "program_to_json",
    "structure_of",
    "with_numbers",
]
