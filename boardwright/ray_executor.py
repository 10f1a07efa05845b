"""The executor that works on Ray: on this machine, or on a cluster.

Nothing here changes results: games are numbered, and each is the same wherever it is played. A worker or a node that
dies has its games played again elsewhere; every result is handed over once.

What work needs travels with it. `files()` of whoever owns the function names files and folders, which are put at the
same paths on every node, with the modules beside a Python file; `needs()` names compiled code, which one worker of a
node compiles while the others wait. Clusters other than this machine get this very package, too. What workers write
into the files and folders that `logs()` names comes home.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import socket
import stat
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from uuid import uuid4

from boardwright import platforms
from boardwright.errors import BadSpec, BoardwrightError, MissingExtra
from boardwright.executors import WorkerDied, next_batch_size, run_batch
from boardwright.files import atomic_write
from boardwright.kernel import cache_files
from boardwright.kernel.ready import make_ready

T = TypeVar("T")
R = TypeVar("R")

LOCAL = "local"
_ANSWER_WITHIN = 10.0
"""Seconds for a cluster's first sign of life."""
_RETRIES = 3
"""How often what a dead worker was doing is done again. Whoever kills every worker is to blame for it."""
_IN_FLIGHT = 2
"""Batches per CPU that are handed out: one is worked on while the next waits."""
_LOOK_AGAIN = 5.0
"""Seconds between two looks at how many CPUs there are."""
_HEED_WITHIN = 1.0
"""Seconds until a run notices that it is to stop."""
_CLIENT = "ray://"
_MOST_BYTES = 1 << 30
"""Of files that travel."""
_NOT_SENT = ("__pycache__", ".git")


class OnRay:
    """Workers of Ray. `address` is that of a cluster ("auto": the one on this machine); without it Ray is started here,
    with so many workers, and ends with this process."""

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self.address = address or LOCAL
        self.workers = workers
        self._stopped = threading.Event()
        self._connecting = threading.Lock()
        if self.address.startswith(_CLIENT):
            raise BadSpec(
                f"--on ray:{address}: that is a server for Ray's clients; on a machine of the cluster give the address"
                " of its head, as ray:10.0.0.5:6379, or ray:auto"
            )
        _ray()

    def run(self, function: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        ray = _ray()
        self._connect()
        packed = _packed(function)
        task = ray.remote(num_cpus=1, max_retries=_RETRIES, runtime_env=packed.environment)(_work)
        work = _Work(uuid4().hex, [ray.put(packed.content)])
        home = _Home(packed.logs)
        waiting = iter(items)
        running: dict[Any, list[T]] = {}
        batch, slots = 1, _Slots(self.workers)
        failure: BoardwrightError | None = None
        try:
            while True:
                if self._stopped.is_set():
                    raise KeyboardInterrupt
                while failure is None and len(running) < slots.now() and (chunk := list(islice(waiting, batch))):
                    running[task.remote(work, chunk)] = chunk
                if not running:
                    if failure is not None:
                        raise failure
                    return
                done, _ = ray.wait(list(running), num_returns=1, timeout=_HEED_WITHIN)
                for reference in done:
                    results, seconds, error, logs = _result(reference, running[reference])
                    del running[reference]
                    home.take(logs)
                    yield from results
                    failure = failure or error
                    batch = next_batch_size(len(results), seconds)
        finally:
            for reference in running:
                ray.cancel(reference, force=True)

    def begin(self) -> None:
        """Connect in the main thread."""
        self._connect()

    def stop(self) -> None:
        """Interrupt the runs that other threads have asked for."""
        self._stopped.set()

    def _connect(self) -> None:
        with self._connecting:
            self._connect_once()

    def _connect_once(self) -> None:
        ray = _ray()
        if ray.is_initialized():
            return
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nobody else need know
        os.environ.setdefault("RAY_worker_niceness", "0")  # 15 otherwise: beside a busy process nothing would be done
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if self.address == LOCAL:
                ray.init(address=LOCAL, num_cpus=self.workers, include_dashboard=False, **quiet)
            else:
                package = str(Path(__file__).parent)
                _knock(self.address)
                ray.init(address=self.address, runtime_env={"py_modules": [package]}, **quiet)
        except (OSError, ValueError, RuntimeError) as error:
            raise BadSpec(
                f"--on ray:{self.address}: no cluster answers there ({_first_line(error)}); one that wants a token, as"
                " clusters of newer versions do, is reached with RAY_AUTH_MODE=token"
            ) from None


class _Slots:
    """How many batches may be handed out."""

    def __init__(self, workers: int | None) -> None:
        self._workers = workers
        self._looked = -_LOOK_AGAIN
        self._found = 1

    def now(self) -> int:
        if time.monotonic() - self._looked >= _LOOK_AGAIN:
            self._looked = time.monotonic()
            cpus = int(_ray().cluster_resources().get("CPU", 1))
            self._found = _IN_FLIGHT * max(1, min(cpus, self._workers or cpus))
        return self._found


def cluster_at(place: str, jobs: int = 1) -> OnRay:
    """The executor for "ray" or "ray:ADDRESS", as options name it; `jobs` above 1 limits its workers."""
    kind, colon, address = place.partition(":")
    address = place if place.startswith(_CLIENT) else address
    if kind != "ray" or (colon and not address):
        raise BadSpec(f"--on {place}: it is ray, or ray:ADDRESS")
    return OnRay(address or None, None if jobs == 1 else jobs)


def _knock(address: str) -> None:
    """OSError if nobody listens there: Ray itself tries for minutes. Addresses that are no host and port are Ray's
    business ("auto", "ray://…")."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_WITHIN).close()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtra("Ray", "ray") from None
    return ray


def _result(reference: Any, items: list[Any]) -> Any:
    """What a task gave; WorkerDied if it took its worker down every time."""
    ray = _ray()
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.as_instanceof_cause() from None
    except ray.exceptions.RayError as error:
        raise WorkerDied(
            f"a worker on Ray died {_RETRIES + 1} times ({type(error).__name__}: {_first_line(error)})", items
        ) from None


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


# What travels, and what workers do with it.


class _Work:
    """A function on its way: Ray hands over the reference, workers fetch what it stands for once."""

    def __init__(self, key: str, reference: list[Any]) -> None:
        self.key = key
        self.reference = reference  # in a list, or Ray would fetch it for every task


class _File(NamedTuple):
    """A file, or a folder, as it is at home."""

    mode: int
    content: bytes | None
    """None: a folder."""


class _Packed(NamedTuple):
    content: bytes
    """A function with the files that it needs, the folder that their names are relative to, and where it logs."""
    environment: dict[str, Any]
    """What its workers must not share with those of other files: a module once imported stays what it was."""
    logs: list[str]


def _packed(function: Callable[..., Any]) -> _Packed:
    cloudpickle: Any = _ray().cloudpickle
    owner = _owner(function)
    files = _files_of(owner.files() if hasattr(owner, "files") else [])
    logs = list(owner.logs()) if hasattr(owner, "logs") else []
    content: bytes = cloudpickle.dumps((os.getcwd(), files, logs, cloudpickle.dumps(function)))
    environment = {"env_vars": {"BOARDWRIGHT_FILES": _digest(repr(files).encode())}} if files else {}
    return _Packed(content, environment, logs)


def _files_of(names: Iterable[str]) -> dict[str, _File]:
    """What these names stand for: a folder with all that is in it, a Python file with the modules beside it."""
    found: dict[str, _File] = {}
    for name in names:
        path = Path(name).resolve()
        inside = [path, *sorted(path.rglob("*"))] if path.is_dir() else [path]
        if path.suffix == ".py":
            for beside in sorted(path.parent.iterdir()):
                package = (beside / "__init__.py").is_file()
                inside += [beside, *sorted(beside.rglob("*"))] if package else [beside] if _is_module(beside) else []
        for one in inside:
            if not any(part in _NOT_SENT for part in one.relative_to(path.parent).parts):
                content = None if one.is_dir() else one.read_bytes()
                found[str(one)] = _File(stat.S_IMODE(one.stat().st_mode), content)
    size = sum(len(file.content or b"") for file in found.values())
    if size > _MOST_BYTES:
        raise BadSpec(f"--on ray: {size / 1e9:.1f} GB of files would have to travel; name smaller ones")
    return found


def _is_module(file: Path) -> bool:
    return file.suffix == ".py" and file.is_file()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


def _owner(function: Any) -> Any:
    """Who knows what a function needs: the object whose method it is, or itself."""
    while isinstance(function, partial):
        function = function.func
    return getattr(function, "__self__", function)


_unpacked: dict[str, Callable[[Any], Any]] = {}
"""In a worker: the function of the run that it works for."""


def _work(work: _Work, items: list[Any]) -> tuple[list[Any], float, BoardwrightError | None, list[_Log]]:
    """What a worker does: a batch of items."""
    if work.key not in _unpacked:
        _unpacked.clear()
        try:
            packed = _ray().get(work.reference[0])
            _unpacked[work.key] = _unpack(packed)
            _logs[:] = pickle.loads(packed)[2]
        except BoardwrightError as error:
            return [], 0.0, error, []
    return *run_batch(_unpacked[work.key], items), _new_logs(_logs)


def _unpack(packed: bytes) -> Callable[[Any], Any]:
    folder, files, _, function_bytes = pickle.loads(packed)
    with _one_at_a_time():
        Path(folder).mkdir(parents=True, exist_ok=True)
        os.chdir(folder)
        _put(files)
        function: Callable[[Any], Any] = pickle.loads(function_bytes)
        owner = _owner(function)
        if hasattr(owner, "needs"):
            make_ready(owner.needs())
    return function


def _put(files: Mapping[str, _File]) -> None:
    """Files at the paths that they have where the run was started. One that an earlier run has put there, and that is
    still what it was, gives way to a newer one; any other stays, and stops the run."""
    ours = _NodeValues("ray-files")
    for name, (mode, content) in files.items():
        path = Path(name)
        try:
            if content is None:
                path.mkdir(mode=mode, parents=True, exist_ok=True)
                continue
            if path.exists():
                here = path.read_bytes()
                if here == content:
                    if name in ours.values:
                        path.chmod(mode)
                    continue
                if ours.values.get(name) != _digest(here):
                    raise BadSpec(f"{name} is another file on {os.uname().nodename}; move one of them")
            path.parent.mkdir(parents=True, exist_ok=True)
            ours.values[name] = _digest(content)
            ours.keep()
            with atomic_write(path) as temporary:
                temporary.write_bytes(content)
            path.chmod(mode)
        except OSError as error:
            raise BadSpec(f"cannot put {name} on {os.uname().nodename}: {error.strerror}") from None


class _NodeValues:
    """What the workers of a node tell those after them, in a file of the compile cache: a value for each name."""

    def __init__(self, file: str) -> None:
        self._file = file
        lines = cache_files.read(file).decode("utf-8", "surrogateescape").split("\0")
        self.values = dict(line.split(" ", 1)[::-1] for line in lines if " " in line)

    def keep(self) -> None:
        text = "\0".join(f"{value} {name}" for name, value in self.values.items())
        cache_files.write(self._file, text.encode("utf-8", "surrogateescape"))


# Logs.


class _Log(NamedTuple):
    """What was added to a log, and which file it is, so that those at home know their own."""

    name: str
    identity: tuple[str, int, int]
    added: bytes


_logs: list[str] = []
"""In a worker: where the work that it does logs."""


def _identity(file: Path) -> tuple[str, int, int]:
    status = file.stat()
    return os.uname().nodename, status.st_dev, status.st_ino


def _log_files(names: Iterable[str]) -> list[Path]:
    return [
        file
        for name in names
        for file in (sorted(Path(name).iterdir()) if Path(name).is_dir() else [Path(name)])
        if file.is_file()
    ]


def _new_logs(names: list[str]) -> list[_Log]:
    """What has come into the logs of this node since a worker last looked."""
    if not names:
        return []
    with _one_at_a_time():
        sent, found = _NodeValues("ray-logs"), []
        for file in _log_files(names):
            with suppress(OSError), file.open("rb") as stream:
                identity = _identity(file)
                key = f"{identity[1]} {identity[2]} {file.absolute()}"
                stream.seek(int(sent.values.get(key, 0)))
                if added := stream.read():
                    found.append(_Log(str(file), identity, added))
                    sent.values[key] = str(stream.tell())
        if found:
            sent.keep()
    return found


class _Home:
    """Where logs come home to."""

    def __init__(self, names: list[str]) -> None:
        self._names = names

    def take(self, logs: list[_Log]) -> None:
        for log in logs:
            file = Path(log.name)
            with suppress(OSError):
                if file.exists() and _identity(file) == log.identity:
                    continue  # a node that shares our files
                file.parent.mkdir(parents=True, exist_ok=True)
                with file.open("ab") as stream:
                    stream.write(log.added)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """One worker of a node at a time: what the first compiles, the others load. Where nothing can be kept, nobody has
    to wait."""
    with ExitStack() as stack:
        folder = cache_files.safe_folder()
        if folder is not None:
            with suppress(OSError):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                lock = stack.enter_context((folder / "making-ready.lock").open("ab"))
                platforms.lock(lock, wait=True)
        yield
