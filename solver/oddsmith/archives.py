"""Files as one zip archive."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

_DAY = (1980, 1, 1, 0, 0, 0)  # the first that an archive can name


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files, by path, as an archive, in order and without times: the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, data in sorted(files.items()):
            info = zipfile.ZipInfo(name, _DAY)
            info.compress_type, info.create_system, info.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            packed.writestr(info, data)
    return stream.getvalue()
