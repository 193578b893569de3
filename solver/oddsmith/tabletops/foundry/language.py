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


def english_texts(module_file: bytes, words_script: bytes) -> dict[str, str]:
    """Return all English texts of a module by key: those of its language file ``module_file``, and the sentences in
    ``words_script``, the file ``words.mjs``.
    """
    sentences = _SENTENCES.search(words_script.decode())
    assert sentences, "words.mjs has its sentences as JSON"
    return {**json.loads(module_file), **{f"{RUNTIME}{key}": text for key, text in json.loads(sentences[1]).items()}}


def module_texts(module_id: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a module, with the id of the module put into each key. ``module_id``: the id."""
    return {f"{ROOT}{module_id}.{key.removeprefix(ROOT)}": text for key, text in texts.items()}


def language_file_json(texts: Mapping[str, str]) -> bytes:
    """Return texts as a language file of Foundry."""
    return (json.dumps(texts, indent=2, ensure_ascii=False) + "\n").encode()


def translation_files(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files that are translations, by path; the English file is not one. ``files``: files of a module by
    path.
    """
    return {path: data for path, data in files.items() if path.startswith("lang/") and path != ENGLISH}


def with_shipped_translations(
    author_translations: Sequence[Translation], shared_files: Mapping[str, bytes]
) -> tuple[Translation, ...]:
    """Return the translations of a module: those in ``author_translations``, and those that are shipped with the
    program, except in languages that are given.

    ``shared_files``: the files that all modules share, with the shipped translations.
    """
    known, tags = json.loads(shared_files[ENGLISH]), {each.tag for each in author_translations}
    own = (
        parse_translation(path.partition("/")[2], data, known)
        for path, data in sorted(translation_files(shared_files).items())
    )
    return (*(each for each in own if each.tag not in tags), *author_translations)


def parse_translation(
    file_name: str, data: bytes, english_texts: Mapping[str, str], shipped_file: bytes = b""
) -> Translation:
    """Parse a language file and compare it with the English texts.

    ``file_name``: the name of the file, such as ``de.json``, which begins with the tag of its language. ``data``: its
    bytes. ``english_texts``: the English texts by key. ``shipped_file``: the shipped file of the same language, which
    has the texts that ``data`` lacks. The file may come from any module: the id of a module in its keys is ignored.

    Raises InputError unless the file has texts by key, only known keys, and the same placeholders in braces as the
    English texts.
    """
    tag = file_name.removesuffix(".json")
    if not _TAG.fullmatch(tag) or tag == file_name:
        raise InputError(f"{file_name} is not named after its language, as en.json, de.json and pt-BR.json are")
    try:
        given = json.loads(data)
        language_file_json(given)
    except RecursionError:
        raise InputError(f"{file_name} is nested too deeply for texts by key") from None
    except UnicodeEncodeError as error:
        raise InputError(f"{file_name} has half a character: {error.object[error.start]!a}") from None
    except ValueError as error:
        raise InputError(f"{file_name} cannot be read as JSON: {error}") from None
    if not isinstance(given, dict):
        raise InputError(f"{file_name} is not an object of texts by key")
    texts: dict[str, str] = {}
    for given_key, text in given.items():
        key = given_key if given_key in english_texts else _OWN.sub(ROOT, given_key, count=1)
        fault = (
            f"{key} is there twice"
            if key in texts
            else _fault_text(key if key in english_texts else given_key, text, english_texts)
        )
        if fault:
            raise InputError(f"{file_name}: {fault}")
        texts[key] = text
    if shipped_file:
        texts = json.loads(shipped_file) | texts
    missing = tuple(key for key in english_texts if key not in texts)
    return Translation(tag, {key: texts.get(key, text) for key, text in english_texts.items()}, missing)


def _fault_text(key: str, text: object, english_texts: Mapping[str, str]) -> str:
    """Return in words what is wrong with a text of a translation; empty if nothing is.

    ``english_texts``: the English texts by key.
    """
    if key not in english_texts:
        return f"there is no text {key}: {did_you_mean(key, english_texts, 'texts')}"
    # Some languages have a space between thousands.
    if not isinstance(text, str) or not (text if english_texts[key] == "," else text.strip()):
        return f"{key} is no text"
    if "<" in text:
        return f"{key} has a <, and texts cannot have markup"
    places, wanted = set(_PLACE.findall(text)), set(_PLACE.findall(english_texts[key]))
    if places != wanted:
        return f"{key} has the places {_placeholder_names_text(places)}, but needs {_placeholder_names_text(wanted)}"
    return ""


def _placeholder_names_text(placeholders: set[str]) -> str:
    return ", ".join(sorted(placeholders)) or "none"
