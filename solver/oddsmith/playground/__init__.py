"""What the page on which a reader changes a game asks Python, which runs in the reader's browser.

There it has an interpreter and packages of pure Python, and no more: nothing here may import arrays.
"""

from oddsmith.playground.checked import checked
from oddsmith.playground.completing import completed
from oddsmith.playground.packing import packed

__all__ = ["checked", "completed", "packed"]
