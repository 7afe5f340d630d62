"""Work on many documents and pictures at once, as a person's skill does it: all of it in memory."""

from __future__ import annotations

from PIL import Image, ImageChops
from pypdf import PdfReader

from skills.sdk import Context, File


def read_documents(ctx: Context, files: list[File]) -> int:
    """Read every page of every document, and keep what was read.

    Args:
        files: the documents.
    """
    readers, letters = [], 0
    for file in files:
        reader = PdfReader(str(file.path))
        readers.append(reader)  # it keeps every object that it has read
        letters += sum(len(page.extract_text()) for page in reader.pages)
    return letters


def mean_picture(ctx: Context, files: list[File]) -> int:
    """Lay pictures over each other, and say how far the furthest is from their mean.

    Args:
        files: the pictures.
    """
    pictures = [Image.open(str(file.path)).convert("RGB") for file in files]
    total = pictures[0]
    for number, picture in enumerate(pictures[1:], 2):
        total = Image.blend(total, picture, 1 / number)
    differences = [ImageChops.difference(total, picture) for picture in pictures]
    return max(difference.getextrema()[0][1] for difference in differences)
