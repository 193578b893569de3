"""Lazy import: the ``__init__`` of a package imports a module only when one of its names is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_getattr(package: str, module_by_name: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, which imports the module of a name when the name is used.

    ``package``: the package. ``module_by_name``: the module of the package that defines each name.
    """
    assert not module_by_name.keys() & set(module_by_name.values()), (
        f"{package}: a name is that of a module, which would hide it"
    )

    def attribute_of_name(name: str) -> Any:
        """Return the attribute of the package with this name, imported from its module.

        Raises AttributeError if there is none.
        """
        if name not in module_by_name:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{module_by_name[name]}"), name)

    return attribute_of_name
