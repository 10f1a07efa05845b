"""Who may talk to the server: requests of its own pages and of scripts, not of other sites.

A site that somebody happens to visit can send requests to this machine. It cannot hide where it comes from (`Origin`),
nor, by a DNS name of its own that points here, which name it asked for (`Host`).
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
        " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """Refuses requests of other sites, and sets the headers that every answer carries."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self.app = app
        self.names = names
        """Host names that this server answers to, besides addresses."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        complaint = self._complaint(Headers(scope=scope))
        if not complaint:
            await self.app(scope, receive, send_guarded)
        elif scope["type"] == "http":
            await JSONResponse({"error": complaint}, 403)(scope, receive, send_guarded)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": complaint})

    def _complaint(self, headers: Headers) -> str:
        host = headers.get("host", "")
        if not self._is_ours(host):
            return f"this server does not answer to the name {host!r}; start it with --name to allow it"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return "requests of other sites are not answered"
        return ""

    def _is_ours(self, host: str) -> bool:
        name = urlsplit(f"//{host}").hostname or ""
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name.lower() in self.names
        return True


def own_names(host: str, more: tuple[str, ...]) -> frozenset[str]:
    """The names under which people reach the server."""
    return frozenset(name.lower() for name in ("localhost", host, socket.gethostname(), *more))
