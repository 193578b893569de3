"""Certificates checked without the solver: first that the table proves the values, then that the rules give the table."""
