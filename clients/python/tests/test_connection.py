"""Peers that are silent, slow or hostile, over real sockets."""

from __future__ import annotations

import os
import socket
import threading
import time
import unittest
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from payment_requests import (
    Client,
    Deadline,
    HttpRequest,
    HttpResponse,
    NoAnswerError,
    ProblemError,
)
from payment_requests._connection import Transport
from payment_requests._send import Send

from .fake_service import OPTIONS, answer

LIMIT_SECONDS = 0.15
OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{\"id\":\"1\"}"


@contextmanager
def peer(behave: Callable[[socket.socket], None]) -> Iterator[tuple[str, list[int]]]:
    """A peer that does with each connection what a test says; gives its origin."""
    server = socket.create_server(("127.0.0.1", 0))
    connections: list[int] = []
    threads: list[threading.Thread] = []

    def serve(connection: socket.socket) -> None:
        with connection:
            try:
                behave(connection)
            except OSError:
                pass

    def accept() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            connections.append(1)
            threads.append(threading.Thread(target=serve, args=[connection], daemon=True))
            threads[-1].start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        yield f"127.0.0.1:{server.getsockname()[1]}", connections
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()


def client_of(
    origin: str, scheme: str = "http", send: Send | None = None, **options: Any
) -> Client:
    """A client whose token is there already."""
    send_others = send or Transport(None).send

    def send_or_give_token(request: HttpRequest, deadline: Deadline) -> HttpResponse:
        if request.url.endswith("/oauth2/token"):
            return answer(200, {"access_token": "token", "expires_in": 3600})
        return send_others(request, deadline)

    given: dict[str, Any] = {
        **OPTIONS,
        "base_url": f"{scheme}://{origin}/v1",
        "timeout_seconds": LIMIT_SECONDS,
        "max_retries": 0,
        "send": send_or_give_token,
        **options,
    }
    return Client(**given)


def receive(connection: socket.socket) -> None:
    """Reads a request without a body."""
    received = b""
    while not received.endswith(b"\r\n\r\n"):
        piece = connection.recv(4096)
        if not piece:
            raise OSError("no request")
        received += piece


def drip(start: bytes, piece: bytes) -> Callable[[socket.socket], None]:
    """Sends a piece now and then, for ever."""

    def behave(connection: socket.socket) -> None:
        receive(connection)
        connection.sendall(start)
        while True:
            time.sleep(LIMIT_SECONDS / 10)
            connection.sendall(piece)

    return behave


class Peers(unittest.TestCase):
    def fails(self, code: str, call: Callable[[], Any]) -> None:
        started = time.monotonic()
        with self.assertRaises(NoAnswerError) as raised:
            call()
        self.assertEqual(raised.exception.code, code)
        # A busy machine takes longer; an attempt without a deadline would take for ever.
        self.assertLess(time.monotonic() - started, LIMIT_SECONDS + 5)

    def test_that_are_silent_or_slow_end_at_the_deadline(self) -> None:
        for scheme, behave in (
            ("http", lambda connection: time.sleep(60)),
            ("https", lambda connection: time.sleep(60)),
            ("http", drip(b"", b"H")),
            ("http", drip(b"HTTP/1.1 200 OK\r\n", b"a: b\r\n")),
            ("http", drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n")),
            ("http", drip(b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n", b" ")),
            ("http", drip(b"HTTP/1.1 200 OK\r\n\r\n", b" ")),
        ):
            with self.subTest(scheme=scheme), peer(behave) as (origin, _):
                self.fails("TIMEOUT", lambda: client_of(origin, scheme).get_payment_request("1"))

    def test_that_break_off_or_answer_no_http_are_network_errors(self) -> None:
        for sent in (
            b"",
            b"HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{\"id\":",
            b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"id",
            b"SSH-2.0-OpenSSH_9.2\r\n",
            b"HTTP/1.1 200 OK\r\n" + b"a: b\r\n" * 200 + b"\r\n",
            b"HTTP/1.1 200 OK\r\na: " + b"b" * 70_000 + b"\r\n\r\n",
        ):

            def behave(connection: socket.socket) -> None:
                receive(connection)
                connection.sendall(sent)

            with self.subTest(sent=sent[:40]), peer(behave) as (origin, _):
                client = client_of(origin, timeout_seconds=5)
                self.fails("NETWORK_ERROR", lambda: client.get_payment_request("1"))
        self.fails("NETWORK_ERROR", lambda: client_of("127.0.0.1:1").get_payment_request("1"))

    def test_that_redirect_get_no_credentials(self) -> None:
        def behave(connection: socket.socket) -> None:
            receive(connection)
            place = b"HTTP/1.1 302 Found\r\nlocation: /v1/other\r\ncontent-length: 0\r\n\r\n"
            connection.sendall(place)

        with peer(behave) as (origin, connections):
            with self.assertRaises(ProblemError) as raised:
                client_of(origin).get_payment_request("1")
            self.assertEqual((raised.exception.status, len(connections)), (302, 1))

    def test_that_send_too_much_fill_no_memory(self) -> None:
        def behave(connection: socket.socket) -> None:
            receive(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b" " * 1_048_576)

        with peer(behave) as (origin, _):
            with self.assertRaises(ProblemError) as raised:
                client_of(origin, timeout_seconds=30).get_payment_request("1")
            self.assertEqual(raised.exception.code, "UNEXPECTED_ANSWER")

    def test_that_export_half_a_file_are_noticed(self) -> None:
        for sent, code in (
            (b"content-length: 99\r\n\r\nid\n1\n", "NETWORK_ERROR"),
            (b"transfer-encoding: chunked\r\n\r\n5\r\nid\n1\n\r\n", "NETWORK_ERROR"),
        ):

            def behave(connection: socket.socket) -> None:
                receive(connection)
                connection.sendall(b"HTTP/1.1 200 OK\r\n" + sent)

            with self.subTest(sent=sent), peer(behave) as (origin, _):
                export = client_of(origin).export_payment_requests()
                self.fails(code, lambda: b"".join(export))

    def test_that_fall_silent_in_an_export_are_given_up(self) -> None:
        def behave(connection: socket.socket) -> None:
            receive(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nid\n")
            time.sleep(2)

        with peer(behave) as (origin, _):
            export = client_of(origin).export_payment_requests()
            time.sleep(LIMIT_SECONDS * 1.5)
            self.fails("TIMEOUT", lambda: b"".join(export))

    def test_that_export_piece_by_piece_are_read_as_they_send(self) -> None:
        is_read = threading.Event()

        def behave(connection: socket.socket) -> None:
            receive(connection)
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nx")
            is_read.wait(5)
            connection.sendall(b"y")

        with peer(behave) as (origin, _):
            pieces = iter(client_of(origin, timeout_seconds=2).export_payment_requests())
            self.assertEqual(next(pieces), b"x")
            is_read.set()
            self.assertEqual(list(pieces), [b"y"])

    def test_wait_for_a_reader_that_pauses(self) -> None:
        def send(request: HttpRequest, deadline: Deadline) -> HttpResponse:
            def pieces() -> Iterator[bytes]:
                for _ in range(2):
                    deadline.left()
                    yield b"x"

            return HttpResponse(200, {}, pieces(), lambda: None)

        export = client_of("pay.test", send=send).export_payment_requests()
        time.sleep(LIMIT_SECONDS)
        for _ in export:
            time.sleep(LIMIT_SECONDS)

    def test_are_asked_over_one_connection(self) -> None:
        def behave(connection: socket.socket) -> None:
            while True:
                receive(connection)
                connection.sendall(OK)

        with peer(behave) as (origin, connections):
            client = client_of(origin, timeout_seconds=5)
            for _ in range(3):
                self.assertEqual(client.get_payment_request("1"), {"id": "1"})
            self.assertEqual(len(connections), 1)
            self.assertEqual(self.in_child(lambda: client.get_payment_request("1")), 0)
            client.get_payment_request("1")
            self.assertEqual(len(connections), 2)

    def in_child(self, act: Callable[[], Any]) -> int:
        """Acts in a forked process, which must not use the connections of this one."""
        child = os.fork()
        if child == 0:
            try:
                act()
                os._exit(0)
            except BaseException:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status)

    def test_that_end_an_idle_connection_are_asked_over_another(self) -> None:
        def behave(connection: socket.socket) -> None:
            receive(connection)
            connection.sendall(OK)

        with peer(behave) as (origin, connections):
            client = client_of(origin, timeout_seconds=5)
            for _ in range(3):
                client.get_payment_request("1")
                time.sleep(0.02)
            self.assertEqual(len(connections), 3)
