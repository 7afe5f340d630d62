"""`make gpu-check`: what the Triton family comes to on an NVIDIA GPU, beside torch and AutoKernel."""
