"""The room that bounds need: the most steps that play can take, and the end components in which steps do not count."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from oddsmith.base.errors import UncertifiableError
from oddsmith.report.export.certificates import NodeRows, longest_play


def rows(*told: tuple[int, dict[int, float]], nodes: int) -> NodeRows:
    """Rows by their nodes, and the chances of the nodes that they lead to; what is missing to 1 is the end."""
    chances = np.zeros((len(told), nodes))
    for line, (_, leads) in enumerate(told):
        for node, chance in leads.items():
            chances[line, node] = chance
    return NodeRows(csr_matrix(chances), np.ones(len(told)), np.array([node for node, _ in told]))


def test_the_longest_row_counts() -> None:
    found = longest_play(rows((0, {}), (0, {1: 1.0}), (1, {1: 0.5}), nodes=2))
    assert found.steps_to_end == pytest.approx([3, 2])
    assert found.every_end_component_is_one_node


def test_nodes_that_lead_to_one_another_for_ever_count_as_one() -> None:
    told = rows((0, {1: 1.0}), (1, {0: 1.0}), (1, {2: 1.0}), (2, {2: 0.75}), nodes=3)
    component, inner = told.components_and_inner_rows
    assert inner.tolist() == [True, True, False, False]
    assert component[0] == component[1] != component[2]
    found = longest_play(told)
    assert found.steps_to_end == pytest.approx([5, 5, 4])
    assert not found.every_end_component_is_one_node


def test_a_row_that_may_leave_is_no_part_of_an_end_component() -> None:
    component, inner = rows((0, {1: 1.0}), (1, {0: 0.5}), nodes=2).components_and_inner_rows
    assert not inner.any()
    assert component[0] != component[1]


def test_play_that_cannot_end_has_no_longest() -> None:
    with pytest.raises(UncertifiableError, match="for ever"):
        longest_play(rows((0, {1: 1.0}), (1, {0: 1.0}), nodes=2))
