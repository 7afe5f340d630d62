"""``./steward kernels``: its commands and their options. Each is a sentence that the kernel plans like any other."""

from __future__ import annotations

from typing import Annotated

import typer

kernels_app = typer.Typer(help="PyTorch functions made faster on this machine, with proof.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Answer the card, and overwrites and deletions it names.")]
File = Annotated[str, typer.Argument(help="A Python file: a function, an nn.Module, or Model with get_inputs.")]
Function = Annotated[str, typer.Option("--function", "-f", help="The function or module in it.")]
Shapes = Annotated[
    str, typer.Option("--shapes", "-s", help="4096x4096,4096, or x=64x128:bfloat16,target=64:int64<1000.")
]
Kernel = Annotated[str, typer.Argument(help="Its folder, or its name in ~/Kernels.")]


@kernels_app.command("optimize")
def optimize(
    file: File,
    function: Function = "",
    shapes: Shapes = "",
    budget: Annotated[str, typer.Option("--budget", "-b", help="How long to search: 60s, 2m.")] = "60s",
    as_json: AsJson = False,
    yes: Yes = False,
) -> int:
    """Search for a faster kernel, judge it, race it, and write its folder into ~/Kernels."""
    from portal.cli import kernels

    return kernels.optimize(file, function, shapes, budget, as_json=as_json, yes=yes)


@kernels_app.command("bench")
def bench(file: File, function: Function = "", shapes: Shapes = "", as_json: AsJson = False, yes: Yes = False) -> int:
    """Show where a model spends its time, and what of it a kernel could take."""
    from portal.cli import kernels

    return kernels.bench(file, function, shapes, as_json=as_json, yes=yes)


@kernels_app.command("show")
def show(kernel: Kernel, as_json: AsJson = False, yes: Yes = False) -> int:
    """Tell what a kernel gained, and how that was measured."""
    from portal.cli import kernels

    return kernels.show(kernel, as_json=as_json, yes=yes)


@kernels_app.command("replay")
def replay(
    kernel: Kernel,
    against: Annotated[str, typer.Option("--against", help="The Python file to race it against, too.")] = "",
    as_json: AsJson = False,
    yes: Yes = False,
) -> int:
    """Build a kernel again from its source, judge it with other values, and measure it anew."""
    from portal.cli import kernels

    return kernels.replay(kernel, against, as_json=as_json, yes=yes)


@kernels_app.command("apply")
def apply(
    kernel: Kernel, file: File, function: Function = "", shapes: Shapes = "", as_json: AsJson = False, yes: Yes = False
) -> int:
    """Put a kernel into a model and hold the model against itself in float64, end to end."""
    from portal.cli import kernels

    return kernels.apply(kernel, file, function, shapes, as_json=as_json, yes=yes)


@kernels_app.command("export")
def export(as_json: AsJson = False, yes: Yes = False) -> int:
    """Write what the searches taught so far into a file in ~/Kernels."""
    from portal.cli import kernels

    return kernels.export(as_json=as_json, yes=yes)


@kernels_app.command("doctor")
def doctor(as_json: AsJson = False, yes: Yes = False) -> int:
    """Say what this machine has for making kernels, and what to install."""
    from portal.cli import kernels

    return kernels.doctor(as_json=as_json, yes=yes)
