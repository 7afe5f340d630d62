"""From PyTorch to a program: which sweeps compute what a module or a function computes.

    module, inputs -> torch.export -> lazy values -> cuts -> groups -> Program

Pointwise chains run around at most one folded axis; views are strides and offsets; what has no sweep stays with its
library and says why. ``check_trace`` holds a program against its module in float64. Needs torch, imported when called.
"""

from gpu_skills.trace.checking import check_trace, in_float64
from gpu_skills.trace.tracing import Trace, Work, parameter_names, trace

__all__ = ["Trace", "Work", "check_trace", "in_float64", "parameter_names", "trace"]
