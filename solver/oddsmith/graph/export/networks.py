"""A state graph as a network: in GraphML, which networkx writes, and in DOT for Graphviz."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

from oddsmith.base.errors import ExportError
from oddsmith.base.exact import quoted_line
from oddsmith.graph.stategraph import StateGraph
from oddsmith.graph.variables import ExportedVariables, Plain, named_values
from oddsmith.graph.witness import describe

GRAPHML_MOST = 100_000  # transitions, beyond which nothing that reads GraphML is of use
DOT_MOST = 2_000  # transitions, beyond which no picture is


def graphml(graph: StateGraph) -> bytes:
    """Return the graph in GraphML, which networkx writes.

    Nodes have a phase and variables, and edges are as in ``StateGraph.to_networkx``.

    Raises ExportError beyond GRAPHML_MOST transitions.
    """
    import networkx as nx

    plain = _small_networkx_graph(graph, GRAPHML_MOST, "GraphML")
    shown = ExportedVariables(graph.game, graph.codec, ("phase", "out"))
    for number in range(graph.state_count):
        node: dict[str, Any] = plain.nodes[number]
        node.clear()
        node |= {name: _xml_value(value) for name, value in named_values(graph.state(number), shown).items()}
    for _, _, edge in plain.edges(data=True):
        edge["action"] = _xml_value(edge["action"])
    stream = BytesIO()
    nx.write_graphml_xml(plain, stream)
    return stream.getvalue() + b"\n"


def dot(graph: StateGraph) -> bytes:
    """Return the graph in DOT, the format of Graphviz, which draws it. Raises ExportError beyond DOT_MOST transitions."""
    plain = _small_networkx_graph(graph, DOT_MOST, "DOT")
    lines = [f"digraph {quoted_line(graph.game.ruleset.id)} {{", "  node [shape=box];"]
    lines += [
        f"  {number} [label={quoted_line(describe(graph, graph.state(number)))}];"
        for number in range(graph.state_count)
    ]
    lines.append('  end [label="the end", shape=oval];')
    for source, target, edge in plain.edges(data=True):
        chance = "" if edge["probability"] == "1" else f" {edge['probability']}"
        named = {"label": edge["action"] + chance, **edge}
        shown = ", ".join(f"{name}={quoted_line(str(value))}" for name, value in named.items())
        lines.append(f"  {source} -> {target} [{shown}];")
    return "\n".join([*lines, "}"]).encode() + b"\n"


def _small_networkx_graph(graph: StateGraph, max_transitions: int, format_name: str) -> Any:
    """Return the graph as a plain networkx graph.

    ``format_name``: the format in words. Raises ExportError if the graph has more than ``max_transitions`` transitions.
    """
    count = len(graph.target)
    if count > max_transitions:
        raise ExportError(
            f"this game has {count:,} transitions, and {format_name} is of no use beyond {max_transitions:,}: take fewer "
            "seats or smaller parameters, or write DRN, or a table as CSV, Parquet or JSON"
        )
    return graph.to_networkx()


_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _xml_value(value: Plain) -> Plain:
    """Return a value as it is, but with U+FFFD in place of each character of a text that XML cannot hold."""
    return _NO_XML.sub("\ufffd", value) if isinstance(value, str) else value
