"""Answers as data: nothing here writes text for a page.

Each sub-room answers one question. ``english`` describes a game in words, and makes the bundle from which a table plays
it. ``policy`` describes strategies, what short rules and short lists cost, and how two games differ. ``facts`` says
what a game is like, ``lint`` what is odd about it, and ``contests`` how policies do against each other. ``export``
writes tables and certificates, and ``answers`` holds everything that a writer starts from.
"""
