"""Answers as data: nothing here writes text for a page.

Each sub-room answers one question: ``english`` tells a game in words, ``strategy`` says what to do and what short
rules cost, ``facts`` what the game is like, ``balance`` what would make it even, ``files`` writes tables and
certificates, and ``answers`` holds everything that a writer starts from.
"""
