"""``./steward models ...`` and its options; the work stands in ``portal.cli.models``."""

from __future__ import annotations

from typing import Annotated

import typer

from portal.cli.outcome import refuse

models_app = typer.Typer(help="Models that can be asked: which, for what, what they may see.")

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="What you call it: small letters, digits, underscores.")]


@models_app.callback(invoke_without_command=True)
def models(context: typer.Context, as_json: AsJson = False) -> int:
    """List the models that can be asked, for what, and what each may see."""
    from portal.cli import models

    return 0 if context.invoked_subcommand else models.listed(as_json)


@models_app.command("list")
def models_list(as_json: AsJson = False) -> int:
    """List the models that can be asked, for what, and what each may see."""
    from portal.cli import models

    return models.listed(as_json)


@models_app.command("set")
def models_set(
    name: Name,
    url: Annotated[str, typer.Option("--url", help="Where it answers: http://127.0.0.1:11434/v1")] = "",
    model: Annotated[str, typer.Option("--model", help="The model's name there, e.g. qwen3:8b.")] = "",
    key_stdin: Annotated[bool, typer.Option("--key-stdin", help="Read its key, unseen or from a pipe.")] = False,
    context: Annotated[int, typer.Option("--context", help="So many tokens it takes, with its answer.")] = 0,
    price_in: Annotated[str, typer.Option("--price-in", help="Price of a million tokens that it reads.")] = "",
    price_out: Annotated[str, typer.Option("--price-out", help="Price of a million tokens that it writes.")] = "",
    currency: Annotated[str, typer.Option("--currency", help="Of the prices: EUR, USD.")] = "",
    timeout: Annotated[float, typer.Option("--timeout", help="So many seconds it has for an answer.")] = 0,
    family: Annotated[str, typer.Option("--family", help="What kind of model it is, e.g. qwen.")] = "",
    way: Annotated[str, typer.Option("--way", help="How it keeps a form: schema, tools or text.")] = "",
    insecure: Annotated[bool, typer.Option("--insecure-http", help="Let http go to another machine.")] = False,
    as_json: AsJson = False,
) -> int:
    """Set a model, or change what is said of it. A new address has neither the key nor the rights of the old one."""
    from portal.cli import models

    prices = {"price_in": price_in, "price_out": price_out}
    said = {"url": url, "model": model, "family": family, "way": way, "currency": currency}
    amounts = {"context_tokens": context, "timeout_s": timeout}
    given = {key: models.price(text) for key, text in prices.items() if text}
    kept = {key: value for key, value in (said | amounts).items() if value} | given
    return models.set_endpoint(name, kept, key_stdin, insecure, as_json)


@models_app.command("use")
def models_use(
    role: Annotated[str, typer.Argument(help="planner, worker, reviewer or embedder.")],
    name: Annotated[str, typer.Argument(help="A model that is set; none to bind it to nothing.")],
    then: Annotated[str, typer.Option("--then", help="Who is asked where the first one does not answer.")] = "",
    as_json: AsJson = False,
) -> int:
    """Bind a role to a model. A second one is asked only where you name it; one here and one elsewhere never mix."""
    from portal.cli import models

    if name == "none" and then:
        refuse("A second model needs a first one.", f"./steward models use {role} {then}")
    names = [] if name == "none" else [one for one in (name, then) if one]
    return models.use(role, names, as_json)


@models_app.command("test")
def models_test(name: Name, as_json: AsJson = False) -> int:
    """Measure what a model can do, and keep the way by which its answers fit a form."""
    from portal.cli import models

    return models.test(name, as_json)


@models_app.command("detect")
def models_detect(as_json: AsJson = False) -> int:
    """Look on this machine for Ollama, LM Studio, llama.cpp and vLLM."""
    from portal.cli import models

    return models.detect(as_json)


@models_app.command("remove")
def models_remove(name: Name, as_json: AsJson = False) -> int:
    """Take a model away, with its key and what it was allowed to see."""
    from portal.cli import models

    return models.remove(name, as_json)


@models_app.command("prompt")
def models_prompt(
    run: Annotated[str, typer.Argument(help="A run's id: ./steward runs")], as_json: AsJson = False
) -> int:
    """Show what models were asked in a run, word for word, and what they said."""
    from portal.cli import models

    return models.prompt(run, as_json)
