"""What a photo says of itself."""

from __future__ import annotations

from datetime import date, datetime

from skills.sdk.context import Context
from skills.sdk.types import File


def taken(ctx: Context, file: File) -> date | None:
    """Return the day on which a photo was taken (Exif 2.3: DateTimeOriginal, else DateTime), where it says so."""
    from PIL import Image

    try:
        with Image.open(ctx.real(file)) as image:
            exif = image.getexif()
        stamp = exif.get_ifd(0x8769).get(36867) or exif.get(306)
        return datetime.strptime(str(stamp), "%Y:%m:%d %H:%M:%S").date()
    except (OSError, ValueError, SyntaxError):
        return None
