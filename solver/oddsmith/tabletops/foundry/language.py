"""The English texts of a module, and their translations."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from oddsmith.base.errors import InputError, did_you_mean

ENGLISH = "lang/en.json"
ROOT = "ODDSMITH."
"""The beginning of every key. In the files of a module, the module's id follows, because Foundry merges the texts of
all modules.
"""
NAME = "ODDSMITH.Language"
"""The key of the language's name in a language file."""
RUNTIME = "ODDSMITH.runtime."
"""The prefix of the keys that belong to the scripts in ``runtime``, among the keys of a module."""
_OWN = re.compile(r"ODDSMITH\.[a-z0-9-]+\.")
_SENTENCES = re.compile(r"^export const ENGLISH = (\{.*?^\});$", re.DOTALL | re.MULTILINE)
# What Intl takes, written in one way only: two tags that differ in case alone would be one file on some systems.
_TAG = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?")
_PLACE = re.compile(r"\{[^}]*\}")  # whatever is in braces, as Foundry has it


@dataclass(frozen=True)
class Translation:
    """A translation of a module's texts into another language, or into different English.

    ``tag``: the tag of the language, such as ``de`` or ``pt-BR``. ``texts``: all texts by key. ``missing``: the keys
    that are not translated and have the English text.
    """

    tag: str
    texts: Mapping[str, str] = field(compare=False)
    missing: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The path of the language file below the module's folder."""
        return f"lang/{self.tag}.json"

    @property
    def name(self) -> str:
        """The name of the language according to its file; if the file does not name it, the tag."""
        return self.tag if NAME in self.missing and self.path != ENGLISH else self.texts[NAME]


def english_texts(module: bytes, runtime: bytes) -> dict[str, str]:
    """Return all English texts of a module by key: those of its language file ``module``, and the sentences in
    ``runtime``, the file ``words.mjs``.
    """
    sentences = _SENTENCES.search(runtime.decode())
    assert sentences, "words.mjs has its sentences as JSON"
    return {**json.loads(module), **{f"{RUNTIME}{key}": text for key, text in json.loads(sentences[1]).items()}}


def module_texts(module: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a module, with the id of the module put into each key. ``module``: the id."""
    return {f"{ROOT}{module}.{key.removeprefix(ROOT)}": text for key, text in texts.items()}


def language_file(texts: Mapping[str, str]) -> bytes:
    """Return texts as a language file of Foundry."""
    return (json.dumps(texts, indent=2, ensure_ascii=False) + "\n").encode()


def translation_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that are translations, by path; the English file is not one. ``files``: files of a module by
    path.
    """
    return {path: data for path, data in files.items() if path.startswith("lang/") and path != ENGLISH}


def with_own_languages(given: Sequence[Translation], shared: Mapping[str, bytes]) -> tuple[Translation, ...]:
    """Return the translations of a module: those in ``given``, and those that are shipped with the program, except in
    languages that are given.

    ``shared``: the files that all modules share, with the shipped translations.
    """
    known, tags = json.loads(shared[ENGLISH]), {each.tag for each in given}
    own = (translation(path.partition("/")[2], data, known) for path, data in sorted(translation_files(shared).items()))
    return (*(each for each in own if each.tag not in tags), *given)


def translation(name: str, data: bytes, known: Mapping[str, str], own: bytes = b"") -> Translation:
    """Parse a language file and compare it with the English texts.

    ``name``: the name of the file, such as ``de.json``, which begins with the tag of its language. ``data``: its bytes.
    ``known``: the English texts by key. ``own``: the shipped file of the same language, which has the texts that
    ``data`` lacks. The file may come from any module: the id of a module in its keys is ignored.

    Raises InputError unless the file has texts by key, only known keys, and the same placeholders in braces as the
    English texts.
    """
    tag = name.removesuffix(".json")
    if not _TAG.fullmatch(tag) or tag == name:
        raise InputError(f"{name} is not named after its language, as en.json, de.json and pt-BR.json are")
    try:
        given = json.loads(data)
        language_file(given)
    except RecursionError:
        raise InputError(f"{name} is nested too deeply for texts by key") from None
    except UnicodeEncodeError as error:
        raise InputError(f"{name} has half a character: {error.object[error.start]!a}") from None
    except ValueError as error:
        raise InputError(f"{name} cannot be read as JSON: {error}") from None
    if not isinstance(given, dict):
        raise InputError(f"{name} is not an object of texts by key")
    texts: dict[str, str] = {}
    for given_key, text in given.items():
        key = given_key if given_key in known else _OWN.sub(ROOT, given_key, count=1)
        fault = f"{key} is there twice" if key in texts else _fault_of(key if key in known else given_key, text, known)
        if fault:
            raise InputError(f"{name}: {fault}")
        texts[key] = text
    if own:
        texts = json.loads(own) | texts
    missing = tuple(key for key in known if key not in texts)
    return Translation(tag, {key: texts.get(key, text) for key, text in known.items()}, missing)


def _fault_of(key: str, text: object, known: Mapping[str, str]) -> str:
    """Return in words what is wrong with a text of a translation; empty if nothing is. ``known``: the English texts by
    key.
    """
    if key not in known:
        return f"there is no text {key}: {did_you_mean(key, known, 'texts')}"
    # Some languages have a space between thousands.
    if not isinstance(text, str) or not (text if known[key] == "," else text.strip()):
        return f"{key} is no text"
    if "<" in text:
        return f"{key} has a <, and texts cannot have markup"
    places, wanted = set(_PLACE.findall(text)), set(_PLACE.findall(known[key]))
    if places != wanted:
        return f"{key} has the places {_place_names_text(places)}, but needs {_place_names_text(wanted)}"
    return ""


def _place_names_text(places: set[str]) -> str:
    return ", ".join(sorted(places)) or "none"
