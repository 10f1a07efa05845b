"""The table in a browser: a server that any game is played, watched, replayed and studied through.

docs/web.md describes its messages. `server.py` puts the parts together; `boardwright web` starts it.
"""

__all__: list[str] = []
