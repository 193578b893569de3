"""The codes of problems, each with an explanation, an example that causes the problem, and the corrected example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ruamel.yaml import YAML

from oddsmith.base.errors import UnknownCodeError, did_you_mean
from oddsmith.base.resources import package_text


@dataclass(frozen=True, slots=True)
class ProblemCode:
    """The code of a problem, with its explanation.

    ``wrong_example``, ``right_example``: the example and the corrected example. ``are_examples_files``: whether the
    examples are complete files; otherwise they are keys that replace or extend those of a small game.
    ``are_examples_sentences``: whether the examples are sentences instead of YAML.
    """

    code: str
    title: str
    text: str
    wrong_example: str
    right_example: str
    are_examples_files: bool = False
    are_examples_sentences: bool = False

    def __str__(self) -> str:
        """The explanation as Markdown."""
        wrong, right = (self.wrong_example.strip(), self.right_example.strip())
        if self.are_examples_sentences:
            return f"{self.code}: {self.title}\n\n{self.text}\n\nWrong: {wrong}\n\nRight: {right}\n"
        examples = f"Wrong:\n\n{_yaml_block(wrong)}\nRight:\n\n{_yaml_block(right)}"
        return f"{self.code}: {self.title}\n\n{self.text}\n\n{examples}"


def _yaml_block(text: str) -> str:
    return f"```yaml\n{text}\n```\n"


@cache
def problem_codes_by_name() -> Mapping[str, ProblemCode]:
    """Return every code by its name, in order."""
    table = YAML(typ="safe", pure=True).load(package_text("ruleset/checking/codes.yaml"))
    return {
        code: ProblemCode(
            code, spec["title"], spec["text"], spec["wrong"], spec["right"], "file" in spec, "told" in spec
        )
        for code, spec in table.items()
    }


def find_problem_code(code: str) -> ProblemCode:
    """Return a code with its explanation. Raises UnknownCodeError."""
    found = problem_codes_by_name().get(code.upper())
    if found is None:
        raise UnknownCodeError(
            f"there is no code {code}: {did_you_mean(code.upper(), problem_codes_by_name(), 'codes')}"
        )
    return found


def explain_problem_code(code: str) -> str:
    """Return the explanation of a code, as Markdown. Raises UnknownCodeError."""
    return str(find_problem_code(code))
