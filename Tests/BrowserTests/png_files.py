"""PNG files from rows of pixels."""

import struct
import zlib


def png_file(width, rows, level=6):
    """Returns a file of rows of red, green and blue bytes, compressed at a level from 0 (not at all) to 9."""
    rows = list(rows)
    header = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    content = zlib.compress(b"".join(b"\0" + row for row in rows), level)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", content) + _chunk(b"IEND", b"")


def _chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
