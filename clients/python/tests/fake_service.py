"""A service without a network: it gives the answers that a test wants."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Union

from payment_requests import Client, Deadline, HttpRequest, HttpResponse

AUTH_URL = "https://pay.test/oauth2/token"
TOKEN_SECONDS = 3600
Reply = Union[HttpResponse, Exception, Callable[[HttpRequest], HttpResponse]]


class FakeClock:
    """Its sleeps end at once."""

    def __init__(self) -> None:
        self.time = 1_772_366_400.0
        self.sleeps: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.time += seconds


def answer(status: int, body: Any = None, headers: dict[str, str] | None = None) -> HttpResponse:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return HttpResponse(status, headers or {}, iter([data]), lambda: None)


def problem(status: int, code: str, headers: dict[str, str] | None = None) -> HttpResponse:
    members = {"title": code, "status": status, "detail": f"About {code}.", "code": code}
    return answer(status, {**members, "requestId": "in-the-body"}, headers)


OPTIONS: dict[str, Any] = {
    "base_url": "https://pay.test/v1",
    "auth_url": AUTH_URL,
    "username": "ürsula",
    "password": "prd_secret_password",
    "api_key": "prd_secret_key",
}


class FakeService:
    """Answers a token call with a new token and any other call with `{"id":"1"}` by default."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.calls: list[HttpRequest] = []
        self.token_calls: list[HttpRequest] = []
        self.replies: list[Reply] = []
        self.token_replies: list[Reply] = []
        self._tokens = 0

    def client(self, **options: Any) -> Client:
        given: dict[str, Any] = {"send": self.send, "clock": self.clock, **options}
        return Client(**{**OPTIONS, **given})

    def send(self, request: HttpRequest, deadline: Deadline) -> HttpResponse:
        is_token = request.url == AUTH_URL
        (self.token_calls if is_token else self.calls).append(request)
        replies = self.token_replies if is_token else self.replies
        if replies:
            reply = replies.pop(0)
            if isinstance(reply, Exception):
                raise reply
            return reply if isinstance(reply, HttpResponse) else reply(request)
        if not is_token:
            return answer(200, {"id": "1"})
        self._tokens += 1
        token = f"token-{self._tokens}"
        return answer(200, {"access_token": token, "expires_in": TOKEN_SECONDS})

    def tokens(self) -> list[str]:
        return [call.headers["authorization"] for call in self.calls]

    def sent(self, index: int = -1) -> Any:
        return json.loads(self.calls[index].body or b"null")
