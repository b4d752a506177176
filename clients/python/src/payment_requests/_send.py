"""An exchange with the service: attempts, retries, and what an answer says."""

from __future__ import annotations

import http.client
import logging
import platform
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Optional, Protocol
from urllib.parse import urlsplit

from ._answers import CallAnswer, Resource
from ._connection import Deadline, HttpRequest, HttpResponse
from ._errors import FieldFault, NoAnswerError, ProblemError
from ._json import read_json
from ._retry import Attempt, read_retry_after, retry_delay_seconds
from ._version import VERSION

# A page of a list has 100 entries of 64 KiB at most; five times as much is no answer.
_LARGEST_BYTES = 33_554_432
_USER_AGENT = f"payment-requests-python/{VERSION} Python/{platform.python_version()}"
_log = logging.getLogger("payment_requests")


class Clock(Protocol):
    """The client's source of time. A test gives its own clock and never waits."""

    def now(self) -> float:
        """Gives the seconds since 1970."""

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def now(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


Send = Callable[[HttpRequest, Deadline], HttpResponse]

Limits = tuple[Optional[float], Optional[int]]
"""The time-out of an attempt in seconds, and the limit of retries; None: the client's own."""


@dataclass(frozen=True)
class Call:
    """A call with a path below the base URL."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    repeatable: bool = True
    """Whether the call can be repeated although the first attempt may have been done."""
    wait_seconds: float = 0
    """The time that the service waits on request, added to the time-out."""
    is_streamed: bool = False
    """Whether a successful answer is read later, piece by piece."""
    limits: Limits = (None, None)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: Any
    """The parsed JSON; None when the body is not JSON."""
    attempts: int
    retry_after_seconds: int | None
    stream: HttpResponse | None = None
    """The answer whose body is not read yet."""

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    def describe(self) -> CallAnswer:
        return CallAnswer(
            self.status,
            self.headers.get("x-request-id"),
            self.headers.get("etag"),
            self.headers.get("idempotency-replayed") == "true",
            self.attempts,
        )


class Sender:
    """Sends calls and retries them."""

    def __init__(
        self, send: Send, clock: Clock, *, timeout_seconds: float, max_retries: int
    ) -> None:
        self.clock = clock
        self._transport = send
        self._timeout_seconds = timeout_seconds
        self._max_retries = max_retries

    def send(self, call: Call, url: str, headers: Mapping[str, str]) -> Answer:
        """Sends a call and retries it while a retry can help. No retry comes before Retry-After.

        Raises NoAnswerError when the last attempt had no answer.
        """
        timeout_seconds, given_retries = call.limits
        retries = self._max_retries if given_retries is None else given_retries
        limit = (timeout_seconds or self._timeout_seconds) + call.wait_seconds
        request = HttpRequest(
            call.method,
            url,
            {**headers, "user-agent": _USER_AGENT},
            call.body,
            limit,
            may_reuse=call.repeatable and not call.is_streamed,
        )
        attempt = 0
        while True:
            attempt += 1
            started = time.monotonic()
            outcome = self._attempt(request, attempt, call.is_streamed)
            delay = None
            if attempt <= retries:
                delay = retry_delay_seconds(
                    _as_attempt(outcome),
                    failed=attempt,
                    repeatable=call.repeatable,
                    random=random.random(),
                )
            _note(request, outcome, attempt, time.monotonic() - started, delay)
            if delay is not None:
                self.clock.sleep(delay)
            elif isinstance(outcome, NoAnswerError):
                raise outcome
            else:
                return outcome

    def _attempt(
        self, request: HttpRequest, attempts: int, is_streamed: bool
    ) -> Answer | NoAnswerError:
        host = urlsplit(request.url).netloc
        deadline = Deadline(request.timeout_seconds)
        try:
            response = self._transport(request, deadline)
            keeps_stream = is_streamed and 200 <= response.status < 300
            body = None if keeps_stream else read_json(_read_bounded(response))
        except (OSError, http.client.HTTPException) as error:
            return _no_answer(error, host, request.timeout_seconds)
        after = read_retry_after(response.headers.get("retry-after"), self.clock.now())
        stream = None
        if keeps_stream:
            pieces = _read_steadily(response, deadline, host, request.timeout_seconds)
            stream = HttpResponse(response.status, response.headers, pieces, response.close)
        return Answer(response.status, response.headers, body, attempts, after, stream)


def _no_answer(error: Exception, host: str, limit: float) -> NoAnswerError:
    if isinstance(error, TimeoutError):
        failure = NoAnswerError("TIMEOUT", f"{host} did not answer within {limit:g} s.")
    else:
        failure = NoAnswerError("NETWORK_ERROR", f"{host} cannot be reached.")
    failure.__cause__ = error
    return failure


def _read_bounded(response: HttpResponse) -> bytes:
    """Reads a body. A larger one, as of a broken proxy, ends its connection and counts as empty."""
    body = bytearray()
    for piece in response.pieces:
        body += piece
        if len(body) > _LARGEST_BYTES:
            response.close()
            return b""
    return bytes(body)


def _read_steadily(
    response: HttpResponse, deadline: Deadline, host: str, limit: float
) -> Iterator[bytes]:
    """Reads a body piece by piece. The caller's own pauses do not count as silence."""
    try:
        deadline.renew()
        for piece in response.pieces:
            yield piece
            deadline.renew()
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, TimeoutError):
            raise NoAnswerError("TIMEOUT", f"{host} was silent for {limit:g} s.") from error
        raise NoAnswerError("NETWORK_ERROR", f"The answer of {host} broke off.") from error
    finally:
        response.close()


def _as_attempt(outcome: Answer | NoAnswerError) -> Attempt:
    if isinstance(outcome, NoAnswerError):
        return Attempt(None)
    return Attempt(outcome.status, text_of(outcome.body, "code"), outcome.retry_after_seconds)


def _note(
    request: HttpRequest,
    outcome: Answer | NoAnswerError,
    attempt: int,
    seconds: float,
    delay: float | None,
) -> None:
    """Notes an attempt for `logging`. The query may hold a payer's data, headers hold secrets."""
    _log.debug(
        "%s %s: %s, request id %s, attempt %d, %.0f ms%s",
        request.method,
        request.url.split("?")[0],
        outcome.code if isinstance(outcome, NoAnswerError) else outcome.status,
        None if isinstance(outcome, NoAnswerError) else outcome.headers.get("x-request-id"),
        attempt,
        seconds * 1000,
        "" if delay is None else f", again in {delay:.1f} s",
    )


def members_of(answer: Answer) -> dict[str, Any]:
    """Gives the members of a successful answer; raises a ProblemError for any other answer."""
    if answer.is_success and isinstance(answer.body, dict):
        return answer.body
    raise problem_of(answer)


def resource_of(answer: Answer) -> Resource:
    """Reads a resource out of an answer, and keeps the answer behind it."""
    resource = Resource(members_of(answer))
    resource.answer = answer.describe()
    return resource


def problem_of(answer: Answer) -> ProblemError:
    """Makes the error of an answer that is no success."""
    body, status = answer.body, answer.status
    faults = body.get("errors") if isinstance(body, dict) else None
    return ProblemError(
        text_of(body, "code") or "UNEXPECTED_ANSWER",
        status=status,
        title=text_of(body, "title") or "Unexpected answer",
        detail=text_of(body, "detail")
        or f"The answer has the status {status} and is no problem document.",
        type=text_of(body, "type"),
        errors=tuple(
            FieldFault(*(text_of(fault, name) or "" for name in FieldFault.__dataclass_fields__))
            for fault in (faults if isinstance(faults, list) else [])
        ),
        request_id=answer.headers.get("x-request-id") or text_of(body, "requestId"),
        retry_after_seconds=answer.retry_after_seconds,
    )


def text_of(body: object, name: str) -> str | None:
    value = body.get(name) if isinstance(body, dict) else None
    return value if isinstance(value, str) else None
