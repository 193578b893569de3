"""Modules of JavaScript as one script, for hosts that know no modules: each becomes a function with a scope of its own.

Only the forms that the project's modules use are known, each on lines of its own; anything else is an error. The names of
an import may be wrapped, as the formatter does with many:

    import { one, other } from "./file.mjs";      export function name(    export async function name(
    export class Name                             export const name =
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

from oddsmith.errors import JoinError

_IMPORT = re.compile(r'^import \{\s+(\w+(?:,\s+\w+)*),?\s+\} from "(\.[\w./-]+\.mjs)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:(?:async )?function\*?|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"/\*\*.*?\*/", re.DOTALL)  # types in comments look like imports
_OTHER = re.compile(r"^\s*(?:import|export)\b.*|\bimport\s*(?:\(|\.).*", re.MULTILINE)


def join(modules: Mapping[str, str], entry: str) -> str:
    """What ``entry`` needs of ``modules`` (source by path), each module after those that it imports.

    The text declares a constant for each module, by :func:`scope`, that holds what the module exports.
    """
    done: dict[str, str] = {}
    _visit(modules, entry, done, ())
    return "\n".join(done.values())


def scope(path: str) -> str:
    """The constant that holds a module's exports."""
    return "$" + re.sub(r"\W", "_", path.removesuffix(".mjs"))


def _visit(modules: Mapping[str, str], path: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    if path in done:
        return
    if path in above:
        raise JoinError(f"{path} imports itself by way of {' and '.join(above[above.index(path) + 1 :]) or 'nothing'}")
    if path not in modules:
        raise JoinError(f"{above[-1] if above else 'nothing'} imports {path}, which is not there")
    source = modules[path]
    imports = []
    for listed, target in _IMPORT.findall(source):
        names = re.split(r",\s+", listed)
        other = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        _visit(modules, other, done, (*above, path))
        if missing := set(names) - set(_EXPORT.findall(modules[other])):
            raise JoinError(f"{path} imports {', '.join(sorted(missing))}, which {other} does not export")
        imports.append(f"const {{ {', '.join(names)} }} = {scope(other)};")
    exports = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    if left := _OTHER.search(_COMMENT.sub("", body)):
        raise JoinError(f"{path}: this form is not known: {left[0].strip()}")
    shown = f"return {{ {', '.join(exports)} }};"
    lines = [f"const {scope(path)} = (() => {{", *imports, body.rstrip("\n"), shown, "})();", ""]
    done[path] = "\n".join(lines)
