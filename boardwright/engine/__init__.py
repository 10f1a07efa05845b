"""Engines without Python: a game's rules, an agent's search and a network's weights as one library.

families/        agents as compiled functions over one block of memory
blake2.py        a hash that seeds are derived by, for compiled code
export.py        one module of all functions, the C side, linking by zig, the manifest
presentation.py  texts and pictures as Python that needs no libraries
page.py          one HTML file that plays
source/          C and Python that go into exports; javascript/: the package and the page
"""

from boardwright.engine.export import Exported, export_engine

__all__ = ["Exported", "export_engine"]
