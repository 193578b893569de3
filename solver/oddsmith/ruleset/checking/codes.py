"""The codes of problems, each with an explanation, an example that causes the problem, and the corrected example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ruamel.yaml import YAML

from oddsmith.base.errors import UnknownCodeError, did_you_mean
from oddsmith.base.resources import package_text


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a problem, with its explanation.

    ``wrong``, ``right``: the example and the corrected example. ``whole``: whether the examples are complete files;
    otherwise they are keys that replace or extend those of a small game. ``informative``: whether the examples are
    sentences instead of YAML.
    """

    code: str
    title: str
    text: str
    wrong: str
    right: str
    whole: bool = False
    informative: bool = False

    def __str__(self) -> str:
        """The explanation as Markdown."""
        wrong, right = (self.wrong.strip(), self.right.strip())
        if self.informative:
            return f"{self.code}: {self.title}\n\n{self.text}\n\nWrong: {wrong}\n\nRight: {right}\n"
        examples = f"Wrong:\n\n{_yaml_block(wrong)}\nRight:\n\n{_yaml_block(right)}"
        return f"{self.code}: {self.title}\n\n{self.text}\n\n{examples}"


def _yaml_block(text: str) -> str:
    return f"```yaml\n{text}\n```\n"


@cache
def codes() -> Mapping[str, Code]:
    """Return every code by its name, in order."""
    table = YAML(typ="safe", pure=True).load(package_text("ruleset/checking/codes.yaml"))
    return {
        code: Code(code, spec["title"], spec["text"], spec["wrong"], spec["right"], "file" in spec, "told" in spec)
        for code, spec in table.items()
    }


def find_code(code: str) -> Code:
    """Return a code with its explanation. Raises UnknownCodeError."""
    found = codes().get(code.upper())
    if found is None:
        raise UnknownCodeError(f"there is no code {code}: {did_you_mean(code.upper(), codes(), 'codes')}")
    return found


def explain(code: str) -> str:
    """Return the explanation of a code, as Markdown. Raises UnknownCodeError."""
    return str(find_code(code))
