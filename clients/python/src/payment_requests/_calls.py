"""Calls of the API, with API key and token."""

from __future__ import annotations

import base64
from decimal import Decimal

from ._checks import check_limits
from ._errors import AccessTokenError, environment_of
from ._send import Answer, Call, Sender, members_of, text_of
from ._tokens import AccessTokens, NewToken

_TOKEN_REFUSED = ("ACCESS_TOKEN_EXPIRED", "ACCESS_TOKEN_INVALID")


class MerchantCalls:
    """The calls of one merchant, with its API key and its tokens."""

    def __init__(
        self,
        *,
        base_url: str,
        auth_url: str,
        username: str,
        password: str,
        api_key: str,
        sender: Sender,
    ) -> None:
        self._base = base_url.rstrip("/")
        self._api_key = api_key
        self._auth = (auth_url, username, password)
        self._sender = sender
        self._is_strict = environment_of(api_key) == "sandbox"
        self.clock = sender.clock
        self._tokens = AccessTokens(self._request_token, sender.clock.now)

    def call(self, call: Call) -> Answer:
        """Sends a call with API key and token; replaces a refused token once."""
        check_limits(*call.limits)
        token = self._tokens.get()
        answer = self._with_token(call, token)
        if answer.status != 401 or text_of(answer.body, "code") not in _TOKEN_REFUSED:
            return answer
        # The token was revoked, or this machine's clock is behind.
        self._tokens.forget(token)
        return self._with_token(call, self._tokens.get())

    def _with_token(self, call: Call, token: str) -> Answer:
        headers = {
            "accept": "application/json, application/problem+json",
            **call.headers,
            "x-api-key": self._api_key,
            "authorization": f"Bearer {token}",
        }
        return self._sender.send(call, self._base + call.path, headers)

    def write_headers(self, strict: bool | None, media_type: str) -> dict[str, str]:
        is_strict = self._is_strict if strict is None else strict
        return {
            "content-type": media_type,
            **({"prefer": "handling=strict"} if is_strict else {}),
        }

    def _request_token(self) -> NewToken:
        url, username, password = self._auth
        requested_at = self.clock.now()
        call = Call("POST", "", body=b"grant_type=client_credentials&scope=payment_request%2Fall")
        headers = {
            "authorization": basic_credentials(username, password),
            "content-type": "application/x-www-form-urlencoded",
            "accept": "application/json",
        }
        answer = self._sender.send(call, url, headers)
        refusal = text_of(answer.body, "error")
        if refusal is not None:
            raise AccessTokenError(
                refusal,
                status=answer.status,
                description=text_of(answer.body, "error_description"),
                request_id=answer.headers.get("x-request-id"),
                credential_environment=environment_of(username),
            )
        members = members_of(answer)
        token, seconds = members.get("access_token"), members.get("expires_in")
        lifetime = float(seconds) if isinstance(seconds, (int, Decimal)) else 0.0
        if not isinstance(token, str) or not lifetime > 0:
            raise AccessTokenError("invalid_answer", status=answer.status)
        return NewToken(token, requested_at, lifetime)


def basic_credentials(username: str, password: str) -> str:
    """Gives the value of `Authorization` (RFC 7617)."""
    return "Basic " + base64.b64encode(f"{username}:{password}".encode()).decode()
