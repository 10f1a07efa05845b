"""The server: everything put together, and started."""

from __future__ import annotations

import asyncio
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import WebSocketRoute

from boardwright.arena.runner import RECORDS_FOLDER
from boardwright.errors import BoardwrightError, CannotWrite
from boardwright.files import alone
from boardwright.web.limits import Limits
from boardwright.web.matches import Matches
from boardwright.web.routes import Api
from boardwright.web.security import Guard, own_names
from boardwright.web.slow_requests import impatient_http
from boardwright.web.sockets import Sockets
from boardwright.web.store import Store
from boardwright.web.tables import Tables
from boardwright.web.thinking import Thinkers

LOOPBACK = "127.0.0.1"
LOCAL = (LOOPBACK, "localhost", "::1")
DEFAULT_PORT = 8420
DEFAULT_STORE = RECORDS_FOLDER / "tables.sqlite"


@dataclass(frozen=True)
class Settings:
    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    store: Path = DEFAULT_STORE
    thinkers: int = 2
    """Processes in which agents think."""
    names: tuple[str, ...] = ()
    """Further host names under which people reach it."""
    limits: Limits = field(default_factory=Limits)
    share_records: bool = False
    """Whether others than this machine's users may read the records folder."""

    @property
    def shows_records(self) -> bool:
        return self.share_records or self.host in LOCAL


def make_app(settings: Settings, address: str = "") -> Starlette:
    """`address`: where others in the network reach it."""
    limits = settings.limits
    store = Store(settings.store)
    thinkers = Thinkers(settings.thinkers, patience=limits.patience, memory_mb=limits.memory_mb)
    tables = Tables(store, thinkers, limits)
    matches = Matches(limits)
    sockets = Sockets(tables, limits)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        thinkers.start()
        sweeper = asyncio.create_task(tables.sweep())
        yield
        sweeper.cancel()
        with suppress(asyncio.CancelledError):
            await sweeper
        tables.close()
        matches.close()
        thinkers.close()
        store.close()

    return Starlette(
        routes=[
            *Api(tables, matches, limits, settings.shows_records, address).routes(),
            WebSocketRoute("/ws/{table}", sockets.serve),
        ],
        middleware=[Middleware(Guard, names=own_names(settings.host, settings.names))],
        lifespan=lifespan,
    )


def serve(settings: Settings, ready: Callable[[str], None], *, open_browser: bool) -> None:
    """Run until Ctrl-C; `ready` is called with the address once it answers."""
    if settings.store.parent == RECORDS_FOLDER:
        RECORDS_FOLDER.mkdir(exist_ok=True)
    listening = _listen(settings.host, settings.port)
    shown = LOOPBACK if settings.host in ("0.0.0.0", "::") else settings.host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{listening.getsockname()[1]}/"
    lock = settings.store.with_name(f"{settings.store.name}.lock")
    with (
        listening,
        alone(lock, f"another server keeps its tables in {settings.store}; stop it or give another --store"),
    ):
        config = _config(settings, _invitations(settings.host, listening.getsockname()[1]))
        server = _Server(config, lambda: _announce(address, ready, open_browser))
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])


def _invitations(host: str, port: int) -> str:
    """The address that invitations to a table name; empty if only this machine can come in."""
    if host in LOCAL:
        return ""
    name = own_address() if host in ("0.0.0.0", "::") else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def own_address() -> str:
    """This machine's address in its network: the one that packets to elsewhere would leave from."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; nothing is sent
            return str(probe.getsockname()[0])
        except OSError:  # no network but this machine's own
            return socket.gethostname()


def _config(settings: Settings, address: str) -> uvicorn.Config:
    return uvicorn.Config(
        make_app(settings, address),
        log_level="warning",
        http=impatient_http(settings.limits.request_seconds),
        ws="websockets-sansio",
        ws_max_size=settings.limits.message_bytes,
        ws_per_message_deflate=settings.host != LOOPBACK,
        timeout_graceful_shutdown=2,
        server_header=False,
    )


class _Server(uvicorn.Server):
    """Says when it answers."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def _announce(address: str, ready: Callable[[str], None], open_browser: bool) -> None:
    ready(address)
    if open_browser:
        webbrowser.open(address)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(512)
    except OverflowError:
        raise BoardwrightError(f"--port {port}: a port is a number from 0 to 65535") from None
    except OSError as error:
        raise CannotWrite(f"cannot listen on {host}, port {port}: {error.strerror}; try another --port") from None
    return listening
