"""Lazy import: the ``__init__`` of a package imports a module only when one of its names is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_getattr(face: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, which imports the module of a name when the name is used.

    ``face``: the package. ``homes``: the module of the package that defines each name.
    """
    assert not homes.keys() & set(homes.values()), f"{face}: a name is that of a module, which would hide it"

    def attribute_of_name(name: str) -> Any:
        """Return the attribute of the package with this name, imported from its module.

        Raises AttributeError if there is none.
        """
        if name not in homes:
            raise AttributeError(f"module {face!r} has no attribute {name!r}")
        return getattr(import_module(f"{face}.{homes[name]}"), name)

    return attribute_of_name
