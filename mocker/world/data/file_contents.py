"""What the files hold that are made up: a valid small file of each kind."""

from __future__ import annotations

import io
from typing import Any


def content_bytes(content: Any, path: str) -> bytes:
    """The bytes of a file: of a text, or of what the function of that name makes of data."""
    if isinstance(content, bytes):
        return content
    if isinstance(content, str):
        return content.encode("utf-8")
    name, data = content
    return globals()[name](data, path)


def packed_file(data: str, path: str) -> bytes:
    """A file of the repository, compressed and as text."""
    import base64
    import zlib

    return zlib.decompress(base64.b64decode(data))


def png_file(size: Any, path: str) -> bytes:
    """A picture with as many colours as there is room for; in the format its name asks for."""
    if not path.lower().endswith((".png", ".apng")):
        try:
            from PIL import Image
        except ImportError:
            pass
        else:
            picture = Image.new("RGB", tuple(size))
            picture.putdata([_pixel(x, y) for y in range(size[1]) for x in range(size[0])])
            stream = io.BytesIO()
            format_ = Image.registered_extensions().get("." + path.lower().rpartition(".")[2])
            try:
                picture.save(stream, format_ or "PNG")
            except (OSError, KeyError, ValueError):
                stream = io.BytesIO()
                picture.save(stream, "PNG")
            return stream.getvalue()
    import struct
    import zlib

    def chunk(name: bytes, body: bytes) -> bytes:
        sum_ = struct.pack(">I", zlib.crc32(name + body))
        return struct.pack(">I", len(body)) + name + body + sum_

    width, height = size
    rows = b"".join(
        b"\0" + b"".join(bytes(_pixel(x, y)) for x in range(width)) for y in range(height)
    )
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _pixel(x: int, y: int) -> tuple[int, int, int]:
    return (x * 16 % 256, y * 16 % 256, (x + y) * 8 % 256)


def wav_file(seconds: Any, path: str) -> bytes:
    """A tone."""
    import math
    import struct
    import wave

    stream = io.BytesIO()
    with wave.open(stream, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16000)
        for n in range(int(16000 * seconds)):
            out.writeframes(struct.pack("<h", int(8000 * math.sin(n * 0.17))))
    return stream.getvalue()


def zip_file(files: dict[str, str], path: str) -> bytes:
    """An archive of texts."""
    import zipfile

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return stream.getvalue()


def tar_file(files: dict[str, str], path: str) -> bytes:
    """An archive of texts."""
    import tarfile

    stream = io.BytesIO()
    mode: Any = "w:gz" if path.endswith(("gz", "tgz")) else "w"
    with tarfile.open(fileobj=stream, mode=mode) as archive:
        for name, text in files.items():
            data = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def gzip_file(text: str, path: str) -> bytes:
    """A compressed text."""
    import gzip

    return gzip.compress(text.encode(), mtime=0)


def pickle_file(value: Any, path: str) -> bytes:
    """A pickled value."""
    import pickle

    return pickle.dumps(value, protocol=4)


def numpy_file(rows: Any, path: str) -> bytes:
    """An array, or an archive of arrays by their names."""
    import numpy as np

    stream = io.BytesIO()
    if path.endswith(".npz"):
        np.savez(stream, **{name: np.array(data) for name, data in rows.items()})
    else:
        np.save(stream, np.array(rows))
    return stream.getvalue()


def sheet_file(rows: list[list[Any]], path: str) -> bytes:
    """A workbook; every sheet that is asked for by name is the same."""
    import openpyxl

    book = openpyxl.Workbook()
    names, *cells = rows
    for index, name in enumerate(names or ["Sheet1"]):
        page = book.active if index == 0 else book.create_sheet()
        page.title = name
        for row in cells:
            page.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()
