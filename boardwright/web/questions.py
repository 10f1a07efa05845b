"""Three questions after a game: how strong the opponents were, whether it was fun, how they played.

They are asked where the server was started with --ask. What people answer stays on the machine, in the file of the
tables, and is exported with who the opponents were and how the game ended. At a blind table nobody knows that before.
"""

from __future__ import annotations

from typing import Any

from boardwright.errors import BadRecord
from boardwright.files import parse_json
from boardwright.web.store import Store


def answers(store: Store) -> list[dict[str, Any]]:
    """Everything that was answered, the oldest first; without what is damaged on disk."""
    found = []
    for table, seat, at, text in store.answers():
        try:
            saved, given = store.load(table), parse_json(text)
        except (BadRecord, ValueError):
            continue
        if saved is None or not isinstance(given, dict):
            continue
        setup = saved.setup
        found.append(
            {
                "table": table,
                "game": setup.game,
                "options": setup.options,
                "seat": seat,
                "answered": at,
                **given,
                "blind": setup.blind,
                "agents": [player.spec or "human" for player in setup.seats],
                "names": [player.real_name or player.name for player in setup.seats],
                "status": saved.status,
                "result": saved.note,
                "moves": len(saved.moves),
            }
        )
    return found
