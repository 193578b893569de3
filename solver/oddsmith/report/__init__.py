"""Answers as data: nothing here writes text for a page.

Each sub-room answers one question: ``english`` tells a game in words, ``book`` what a table of play loads of it. ``strategy``
says what to do and what short rules cost, ``lists`` the same as short lists of decisions, ``outline`` in a few lines. ``facts``
says what the game is like, ``lint`` what is odd about it, ``balance`` what would make it even, and ``contests`` how policies do
against each other. ``files`` writes tables and certificates, and ``answers`` holds everything that a writer starts from.
"""
