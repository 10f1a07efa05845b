"""Playing for other engines over a socket: server, sessions, a client, and the agent `remote`."""
