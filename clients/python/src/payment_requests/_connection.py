"""HTTP over sockets that keep a deadline.

`http.client` knows a time-out for each single read, which a peer that sends a byte now and then
never reaches. The sockets here have one deadline for the whole exchange.
"""

from __future__ import annotations

import http.client
import os
import selectors
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

# A piece of an answer; larger pieces save nothing.
PIECE_BYTES = 65_536
# The service keeps a silent connection for 65 seconds; proxies in between keep it for less.
_LONGEST_IDLE_SECONDS = 15.0


@dataclass(frozen=True)
class HttpRequest:
    """An attempt of a call."""

    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    timeout_seconds: float
    """The limit from the look-up of the name until the answer is read; of a streamed answer, the
    limit of the silence between two pieces."""
    may_reuse: bool = True
    """Whether the attempt may use a kept connection, which its peer may have ended meanwhile."""


@dataclass(frozen=True)
class HttpResponse:
    status: int
    headers: Mapping[str, str]
    """The names are in lower case."""
    pieces: Iterator[bytes]
    """The body; it raises an OSError when the body breaks off or comes too slowly."""
    close: Callable[[], None]
    """Ends the connection before the end of the body."""


class Transport:
    """Sends requests by the standard library. It follows no redirect and uses no proxy."""

    def __init__(self, ca_file: str | None) -> None:
        # A wrong file shows at once. The certificates of the system take 20 ms, and wait for a call.
        self._context = None if ca_file is None else _make_context(ca_file)
        self._kept = threading.local()

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        target = urlsplit(request.url)
        origin = (target.scheme, target.hostname or "", target.port)
        kept = self._take(origin) if request.may_reuse else None
        connection = kept or _open(origin, self._tls, deadline)
        connection.sock.deadline = deadline
        try:
            path = f"{target.path or '/'}?{target.query}" if target.query else target.path or "/"
            connection.request(request.method, path, request.body, dict(request.headers))
            response = connection.getresponse()
        except BaseException:
            connection.close()
            raise

        def end() -> None:
            response.close()
            connection.close()

        keep = self._keeper(origin, connection) if request.may_reuse else end
        return HttpResponse(
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            _read_pieces(response, keep, end),
            end,
        )

    def _tls(self) -> ssl.SSLContext:
        if self._context is None:
            self._context = _make_context(None)
        return self._context

    def _take(self, origin: _Origin) -> _Connection | None:
        """Takes the connection that this thread kept, where it is still good."""
        kept: _Kept | None = getattr(self._kept, "connection", None)
        self._kept.connection = None
        if kept is None:
            return None
        # A connection must not be shared with the process from which this process was forked.
        if kept.process == os.getpid():
            is_young = time.monotonic() - kept.since < _LONGEST_IDLE_SECONDS
            # Bytes before a request are the end of the connection, or an answer to nobody.
            if kept.origin == origin and is_young and not _is_readable(kept.connection.sock):
                return kept.connection
            kept.connection.close()
        return None

    def _keeper(self, origin: _Origin, connection: _Connection) -> Callable[[], None]:
        def keep() -> None:
            older: _Kept | None = getattr(self._kept, "connection", None)
            if older is not None:
                older.connection.close()
            self._kept.connection = _Kept(connection, origin, os.getpid(), time.monotonic())

        return keep


_Origin = tuple[str, str, "int | None"]


class Deadline:
    """The instant at which an exchange is given up."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.renew()

    def renew(self) -> None:
        self._at = time.monotonic() + self._seconds

    def left(self) -> float:
        """Gives the seconds that are left; raises a TimeoutError when there are none."""
        left = self._at - time.monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        return left


if TYPE_CHECKING:
    _SocketBase = socket.socket
else:
    _SocketBase = object


class _Bounded(_SocketBase):
    """Every read and write of a socket ends at its deadline."""

    deadline: Deadline

    def recv_into(self, *args: Any) -> int:
        self.settimeout(self.deadline.left())
        return super().recv_into(*args)

    def send(self, *args: Any) -> int:
        self.settimeout(self.deadline.left())
        return super().send(*args)

    def sendall(self, *args: Any) -> None:
        self.settimeout(self.deadline.left())
        super().sendall(*args)

    def __del__(self, close: Callable[[int], None] = socket.close) -> None:
        # A thread that ends leaves the connection that it kept; that is no fault to warn of.
        descriptor = self.detach()
        if descriptor >= 0:
            close(descriptor)


class _PlainSocket(_Bounded, socket.socket):
    pass


class _TlsSocket(_Bounded, ssl.SSLSocket):
    pass


class _Connection(http.client.HTTPConnection):
    sock: _Bounded

    def __init__(self, host: str, port: int, default_port: int) -> None:
        super().__init__(host, port)
        # `http.client` leaves this port out of the Host header.
        self.default_port = default_port

    def connect(self) -> None:
        # A connection has a socket from the beginning, and gets no other one without a deadline.
        raise http.client.NotConnected()

@dataclass(frozen=True)
class _Kept:
    connection: _Connection
    origin: _Origin
    process: int
    since: float


def _make_context(ca_file: str | None) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=ca_file)
    # Types of the standard library do not know that the class may be replaced.
    setattr(context, "sslsocket_class", _TlsSocket)
    return context


def _open(
    origin: _Origin, tls: Callable[[], ssl.SSLContext], deadline: Deadline
) -> _Connection:
    scheme, host, port = origin
    default = 443 if scheme == "https" else 80
    opened = _connect(host, port or default, deadline)
    try:
        if scheme == "https":
            opened.settimeout(deadline.left())
            secured: Any = tls().wrap_socket(opened, server_hostname=host)
            opened = secured
            opened.deadline = deadline
    except BaseException:
        opened.close()
        raise
    connection = _Connection(host, port or default, default)
    connection.sock = opened
    return connection


def _connect(host: str, port: int, deadline: Deadline) -> _Bounded:
    """Connects to the first address that answers."""
    failure: OSError | None = None
    for family, kind, protocol, _, address in _look_up(host, port, deadline):
        attempt = _PlainSocket(family, kind, protocol)
        attempt.deadline = deadline
        try:
            attempt.settimeout(deadline.left())
            attempt.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            attempt.connect(address)
            return attempt
        except OSError as error:
            attempt.close()
            failure = error
    raise failure or OSError(f"{host} has no address")


def _look_up(host: str, port: int, deadline: Deadline) -> list[Any]:
    """Looks up the addresses of a name. The look-up itself cannot be ended: its thread may stay
    until the resolver gives up."""
    found: list[Any] = []
    failures: list[OSError] = []

    def look_up() -> None:
        try:
            found.extend(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except OSError as error:
            failures.append(error)
        except UnicodeError:
            failures.append(OSError(f"{host} is no name of a host"))

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(deadline.left())
    if failures:
        raise failures[0]
    if thread.is_alive():
        raise TimeoutError(f"the name {host} was not resolved in time")
    return found


def _is_readable(opened: socket.socket) -> bool:
    if isinstance(opened, ssl.SSLSocket) and opened.pending() > 0:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(opened, selectors.EVENT_READ)
        return bool(selector.select(timeout=0))


def _read_pieces(
    response: http.client.HTTPResponse, keep: Callable[[], None], end: Callable[[], None]
) -> Iterator[bytes]:
    """Reads a body. A connection whose answer was read to its end is kept, any other one ends."""
    is_whole = False
    # `read1` gives what has arrived. It counts nothing, and reports no body that ends too early.
    left = response.length
    try:
        while left is None or left > 0:
            piece = response.read1(PIECE_BYTES if left is None else min(left, PIECE_BYTES))
            if piece == b"":
                break
            left = None if left is None else left - len(piece)
            yield piece
        if left:
            raise http.client.IncompleteRead(b"", left)
        response.close()
        is_whole = not response.will_close
    finally:
        if is_whole:
            keep()
        else:
            end()
