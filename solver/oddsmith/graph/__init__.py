"""From rules to a graph: states in columns, explored from the start, stored in compressed rows, open to networkx."""
