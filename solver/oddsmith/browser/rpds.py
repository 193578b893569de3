"""A stand-in for the package ``rpds``, of which no wheel for browsers lies in a registry: the part that validation takes.

It is packed as the module ``rpds`` and used nowhere else. The original shares memory between versions of a map. This one
copies, which is quick enough for the few keys of a schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class HashTrieMap(dict[Any, Any]):
    """A map that is never changed: each method gives another."""

    @classmethod
    def convert(cls, value: Mapping[Any, Any]) -> HashTrieMap:
        """Copy a map into one of these."""
        return value if isinstance(value, cls) else cls(value)

    def insert(self, key: Any, value: Any) -> HashTrieMap:
        """Return the map with a key more, or with another value at it."""
        return HashTrieMap({**self, key: value})

    def remove(self, key: Any) -> HashTrieMap:
        """Return the map without a key. Raises KeyError."""
        less = HashTrieMap(self)
        del less[key]
        return less

    def update(self, *others: Any, **named: Any) -> HashTrieMap:  # type: ignore[override]
        """Return the map with the keys and values of others."""
        more = dict(self)
        for each in others:
            more.update(each)
        return HashTrieMap(more | named)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class HashTrieSet(frozenset[Any]):
    """A set that is never changed."""

    def insert(self, value: Any) -> HashTrieSet:
        """Return the set with a value more."""
        return HashTrieSet(self | {value})

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """Return the set with the values of others."""
        return HashTrieSet(self.union(*others))

    def discard(self, value: Any) -> HashTrieSet:
        """Return the set without a value, which need not be in it."""
        return HashTrieSet(self - {value})


class List(tuple[Any, ...]):
    """A list that grows at its front, and is never changed."""

    __slots__ = ()

    def push_front(self, value: Any) -> List:
        """Return the list with a value before all others."""
        return List((value, *self))

    @property
    def first(self) -> Any:
        """The value at the front. Raises IndexError."""
        return self[0]

    @property
    def rest(self) -> List:
        """The list without its front."""
        return List(self[1:])
