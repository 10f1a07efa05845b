"""The server: everything put together, and started."""

from __future__ import annotations

import asyncio
import os
import socket
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import WebSocketRoute

from boardwright.arena.runner import RECORDS_FOLDER
from boardwright.errors import BoardwrightError, CannotWrite
from boardwright.files import TABLES, alone, make_folder
from boardwright.web import own_files
from boardwright.web.limits import Limits
from boardwright.web.matches import Matches
from boardwright.web.routes import Api, nothing_there
from boardwright.web.security import Guard, own_names
from boardwright.web.slow_requests import impatient_http
from boardwright.web.sockets import Sockets
from boardwright.web.store import Store
from boardwright.web.tables import Tables
from boardwright.web.teaching import Teaching
from boardwright.web.worker_pool import WorkerPool

LOOPBACK = "127.0.0.1"
_LOOK_EVERY = 0.5
"""Seconds between looks at files that were named with --game and --agent."""
LOCAL = (LOOPBACK, "localhost", "::1")
DEFAULT_PORT = 8420
DEFAULT_STORE = RECORDS_FOLDER / "tables.sqlite"


@dataclass(frozen=True)
class Settings:
    host: str = LOOPBACK
    port: int = DEFAULT_PORT
    store: Path = DEFAULT_STORE
    workers: int = 2
    """Processes in which agents think."""
    names: tuple[str, ...] = ()
    """Further host names under which people reach it."""
    limits: Limits = field(default_factory=Limits)
    share_records: bool = False
    """Whether others than this machine's users may read the records folder."""
    asks: bool = False
    """Whether people are asked about a game when it is over (questions.py)."""
    teach: Path | None = None
    """The case base that games can be put into; only where this machine's users alone come in."""

    @property
    def is_local(self) -> bool:
        """Whether only this machine's users can come in. Further names are those of a proxy, which lets in others."""
        return self.host in LOCAL and not self.names

    @property
    def shows_records(self) -> bool:
        return self.share_records or self.is_local


def make_app(settings: Settings, address: str = "") -> Starlette:
    """`address`: where others in the network reach it."""
    limits = settings.limits
    store = Store(settings.store)
    os.environ[TABLES] = str(settings.store.absolute())  # for the workers
    workers = WorkerPool(settings.workers, patience=limits.patience, memory_mb=limits.memory_mb)
    tables = Tables(store, workers, limits, asks=settings.asks)
    matches = Matches(limits)
    sockets = Sockets(tables, limits)
    teaching = Teaching(settings.teach if settings.is_local else None)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        workers.start()
        sweeper = asyncio.create_task(tables.sweep())
        yield
        sweeper.cancel()
        with suppress(asyncio.CancelledError):
            await sweeper
        tables.close()
        matches.close()
        workers.close()
        store.close()

    return Starlette(
        routes=[
            *Api(tables, matches, limits, settings.shows_records, address, settings.is_local, teaching).routes(),
            WebSocketRoute("/ws/{table}", sockets.serve),
        ],
        middleware=[
            Middleware(Guard, names=own_names(settings.host, settings.names)),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=6),
        ],
        exception_handlers={404: nothing_there},
        lifespan=lifespan,
    )


def serve(settings: Settings, ready: Callable[[str], None], *, open_browser: bool) -> int | None:
    """Run until Ctrl-C; `ready` is called with the address once it answers. Returns a port if the server should begin
    again there, because a file that whoever started it has named has changed."""
    if settings.store.parent == RECORDS_FOLDER:
        make_folder(RECORDS_FOLDER, "games")
    listening = _listen(settings.host, settings.port)
    port = int(listening.getsockname()[1])
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
        return port if server.files_changed else None


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
        self.files_changed = False
        self._watcher: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()
        if own_files.watched():
            self._watcher = asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        """End when a file has changed: a new process loads the games anew, and pages come back by themselves."""
        before = _times()
        while not self.files_changed:
            await asyncio.sleep(_LOOK_EVERY)
            self.files_changed = _times() != before
        self.should_exit = True  # not by force: processes in which agents think hold the port until they are ended


def _times() -> dict[Path, int]:
    return {file: file.stat().st_mtime_ns for file in own_files.watched() if file.exists()}


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
