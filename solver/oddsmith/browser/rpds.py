"""A substitute for the package ``rpds``, which has no wheel for browsers in a registry. It has the part that validation
uses.

It is packed as the module ``rpds`` for browsers, and used nowhere else. The original shares memory between versions of
a map. This one copies, which is quick enough for the few keys of a schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class HashTrieMap(dict[Any, Any]):
    """An immutable map: methods that change it return a new one."""

    @classmethod
    def convert(cls, value: Mapping[Any, Any]) -> HashTrieMap:
        """Return ``value`` as a HashTrieMap."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Any, value: Any) -> HashTrieMap:
        """Return a map in which ``key`` also has the value ``value``."""
        return HashTrieMap({**self, key: value})

    def remove(self, key: Any) -> HashTrieMap:
        """Return a map without ``key``. Raises KeyError if this map lacks it."""
        less = HashTrieMap(self)
        del less[key]
        return less

    def update(self, *others: Any, **named: Any) -> HashTrieMap:  # type: ignore[override]
        """Return a map that also has the keys and values of ``others`` and ``named``."""
        more = dict(self)
        for each in others:
            more.update(each)
        return HashTrieMap(more | named)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[Any]):
    """An immutable set."""

    def insert(self, value: Any) -> HashTrieSet:
        """Return a set that also contains ``value``."""
        return HashTrieSet(self | {value})

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """Return a set that also contains the values of ``others``."""
        return HashTrieSet(self.union(*others))

    def discard(self, value: Any) -> HashTrieSet:
        """Return a set without ``value``, which need not be in this set."""
        return HashTrieSet(self - {value})


class List(tuple[Any, ...]):
    """An immutable list that grows at its front."""

    __slots__ = ()

    def push_front(self, value: Any) -> List:
        """Return a list with ``value`` before all other values."""
        return List((value, *self))

    @property
    def first(self) -> Any:
        """The value at the front. Raises IndexError if the list is empty."""
        return self[0]

    @property
    def rest(self) -> List:
        """The list without its first value."""
        return List(self[1:])
