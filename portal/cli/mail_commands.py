"""``./steward mail ...`` and ``./steward secrets ...`` and their options; the work stands in ``portal.cli.mail``."""

from __future__ import annotations

from typing import Annotated

import typer

mail_app = typer.Typer(help="The mail account that Steward sends and fetches with.", no_args_is_help=True)
secrets_app = typer.Typer(help="Passwords that the daemon keeps; none is ever shown.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else there.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="What the secret is called, e.g. mail.")]
Hosts = Annotated[
    list[str] | None,
    typer.Option("--for", metavar="HOST[:PORT]", help="A host that a skill may have it sent to; may be repeated."),
]
Place = "HOST:PORT, encrypted from the first byte; HOST:PORT/starttls where it begins later."


@mail_app.command("set")
def set_account(
    address: Annotated[str, typer.Option("--address", help="Your address; it stands in what you send.")] = "",
    name: Annotated[str, typer.Option("--name", help="Your name, as receivers see it.")] = "",
    user: Annotated[str, typer.Option("--user", help="Who signs in; your address if left out.")] = "",
    smtp: Annotated[str, typer.Option("--smtp", help=f"Where mail is sent: {Place}")] = "",
    imap: Annotated[str, typer.Option("--imap", help=f"Where mail is fetched: {Place}")] = "",
    sent: Annotated[str, typer.Option("--sent", help="The folder of sent mail, if the server does not say it.")] = "",
    as_json: AsJson = False,
) -> int:
    """Set the account; what is left out is asked for. The password is asked for, too, and kept by the daemon."""
    from portal.cli import mail

    return mail.set_account({"address": address, "name": name, "user": user, "smtp": smtp, "imap": imap, "sent": sent},
                            as_json)  # fmt: skip


@mail_app.command("show")
def show(as_json: AsJson = False) -> int:
    """Show the account, and whether its password is kept."""
    from portal.cli import mail

    return mail.show(as_json)


@mail_app.command("remove")
def remove(as_json: AsJson = False) -> int:
    """Let go of the account, and of its password."""
    from portal.cli import mail

    return mail.remove(as_json)


@secrets_app.command("set")
def secrets_set(name: Name, hosts: Hosts = None, as_json: AsJson = False) -> int:
    """Keep a secret, for the hosts to which a skill may have it sent.

    It is typed unseen, or read from standard input, and never an argument.
    """
    from portal.cli import mail

    return mail.put_secret(name, hosts or [], as_json)


@secrets_app.command("list")
def secrets_list(as_json: AsJson = False) -> int:
    """List the names of the secrets that are kept."""
    from portal.cli import mail

    return mail.list_secrets(as_json)


@secrets_app.command("remove")
def secrets_remove(name: Name, as_json: AsJson = False) -> int:
    """Destroy a secret."""
    from portal.cli import mail

    return mail.remove_secret(name, as_json)
