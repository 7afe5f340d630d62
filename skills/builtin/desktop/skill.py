"""Open things on the person's screen, use their clipboard, take pictures of the screen, show notices."""

from __future__ import annotations

from dataclasses import dataclass

from skills.sdk import Context, ErrorWords, File, Folder, Text, Url, words

FOLDER = "~/Pictures/Screenshots"
_SHOWN = 4000

_no_notice = ErrorWords(
    "desktop.notice", "Nothing here shows notices.", "Look whether your desktop has notifications switched on.",
    "Hier zeigt nichts Benachrichtigungen an.", "Sieh nach, ob dein Desktop Benachrichtigungen eingeschaltet hat.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Clip:
    """What text is on the clipboard."""

    text: str


def open_file(ctx: Context, file: File) -> File:
    """Open a file on the screen with the program that is used for such files.

    Args:
        file: the file.
    """
    ctx.show(ctx.path(file))
    ctx.say(f"I opened {ctx.shown(file)}.", de=f"Ich habe {ctx.shown(file)} geöffnet.")
    return file


def open_folder(ctx: Context, folder: Folder) -> Folder:
    """Open a folder on the screen in the file manager.

    Args:
        folder: the folder.
    """
    ctx.show(ctx.path(folder))
    ctx.say(f"I opened {ctx.shown(folder)} in the file manager.",
            de=f"Ich habe {ctx.shown(folder)} im Dateimanager geöffnet.")  # fmt: skip
    return folder


def browse(ctx: Context, url: Url) -> str:
    """Open a web address in the browser.

    Args:
        url: the address.
    """
    ctx.show(str(url))
    ctx.say(f"I opened {url} in your browser.", de=f"Ich habe {url} in deinem Browser geöffnet.")
    return str(url)


def paste(ctx: Context) -> Clip:
    """Tell what text is on the clipboard."""
    text = ctx.paste()
    if not text.strip():
        ctx.say("There is no text on the clipboard.", de="In der Zwischenablage liegt kein Text.")
        return Clip("")
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
    ctx.say(f"On the clipboard is:\n{shown}", de=f"In der Zwischenablage liegt:\n{shown}")
    return Clip(text)


def copy(ctx: Context, text: Text) -> Clip:
    """Put a text on the clipboard.

    Args:
        text: the text.
    """
    ctx.copy_text(text)
    count, zahl = words.count(len(text), "character", "characters"), words.count(len(text), "Zeichen", "Zeichen")
    ctx.say(f"I put the text on the clipboard ({count}).",
            de=f"Ich habe den Text in die Zwischenablage gelegt ({zahl}).")  # fmt: skip
    return Clip(text)


def screenshot(ctx: Context) -> File:
    """Take a picture of the screen and save it."""
    picture = ctx.screenshot()
    path = ctx.unused(f"{FOLDER}/Screenshot {ctx.now:%Y-%m-%d %H-%M-%S}.png")
    ctx.write(path, picture)
    size = words.size(len(picture), ctx.language)
    ctx.attach(path)
    ctx.say(f"I saved a picture of the screen as {ctx.shown(path)} ({size}).",
            de=f"Ich habe ein Bild vom Bildschirm als {ctx.shown(path)} gespeichert ({size}).")  # fmt: skip
    return ctx.file(path)


def notify(ctx: Context, text: Text) -> str:
    """Show a notice on the desktop.

    Args:
        text: what it says.
    """
    if not ctx.notify("Steward", text):
        raise _no_notice()
    ctx.say(f"I showed a notice: {text}", de=f"Ich habe eine Benachrichtigung gezeigt: {text}")
    return text
