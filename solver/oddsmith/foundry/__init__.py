"""Modules for Foundry VTT: rules, odds and a table to play at, in one folder."""
