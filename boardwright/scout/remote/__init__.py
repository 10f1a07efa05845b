"""Playing for other engines over a socket: server, sessions, a client, and the agent `remote`."""

__all__: list[str] = []
