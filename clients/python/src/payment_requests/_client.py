"""The client of one merchant in one environment."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from ._calls import MerchantCalls
from ._checks import check_limits
from ._connection import Transport
from ._errors import InvalidArgumentError, NoAnswerError, environment_of
from .models import Refund, WebhookReplay
from ._operations import Operations
from ._send import Clock, Send, Sender, SystemClock

# A healthy service answers in milliseconds; the rest allows for a slow network.
_TIMEOUT_SECONDS = 15.0
# Four retries with their delays take about four seconds; a restart is over by then.
_MAX_RETRIES = 4
# The longest wait of one call.
_LONGEST_WAIT_SECONDS = 30
_LONGEST_GIVE_UP_SECONDS = 86_400
_LONGEST_POLL_SECONDS = 3_600


class Client(Operations):
    """A merchant's access to the service. Make one client and share it between threads.

    Use it on your server only: its credentials can create payment requests in your name. The client
    requests access tokens and keeps them. It retries network faults, 429 and 5xx, never before
    `Retry-After`. Every POST carries an idempotency key, so that the service does a repeated call
    once. Every attempt is logged by `logging` as `payment_requests`, without secrets.
    """

    def __init__(
        self,
        *,
        base_url: str,
        auth_url: str,
        username: str,
        password: str,
        api_key: str,
        timeout_seconds: float = _TIMEOUT_SECONDS,
        max_retries: int = _MAX_RETRIES,
        ca_file: str | None = None,
        send: Send | None = None,
        clock: Clock | None = None,
    ) -> None:
        """
        `base_url` is such as `https://pay.example.com/v1`; `auth_url` is the complete URL of the
        token call. `timeout_seconds` is the limit of one attempt, from the look-up of the name
        until its answer is read. `max_retries` is 0 to 10. `ca_file` names certificates to trust in
        place of the system's. `send` replaces the sockets, for a proxy or a test; `clock` the time.

        Raises InvalidArgumentError when an option is missing or out of range.
        """
        given = {
            "base_url": base_url,
            "auth_url": auth_url,
            "username": username,
            "password": password,
            "api_key": api_key,
        }
        for name, value in given.items():
            if not isinstance(value, str) or value == "":
                raise InvalidArgumentError(f"Client needs {name}.")
        _check_url("base_url", base_url)
        _check_url("auth_url", auth_url)
        if not re.fullmatch(r"[\x21-\x7e]+", api_key):
            raise InvalidArgumentError(
                "api_key has a blank or a character that no header can hold."
            )
        check_limits(timeout_seconds, max_retries, "max_retries")
        of_username, of_key = environment_of(username), environment_of(api_key)
        if of_username and of_key and of_username != of_key:
            raise InvalidArgumentError(
                f"username is a credential of {of_username}, api_key of {of_key}: "
                "take both from one environment."
            )
        sender = Sender(
            send or Transport(ca_file).send,
            clock or SystemClock(),
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
        )
        super().__init__(MerchantCalls(**given, sender=sender))

    def wait_for_refund(self, id: str, *, give_up_after_seconds: float = 60) -> Refund:
        """Waits until a refund is COMPLETED or FAILED.

        Raises NoAnswerError `TIMEOUT` when it is still open after `give_up_after_seconds`, 1 to
        86400.
        """
        if not 1 <= give_up_after_seconds <= _LONGEST_GIVE_UP_SECONDS:
            raise InvalidArgumentError(
                f"give_up_after_seconds is {give_up_after_seconds}: give 1 to 86400 seconds."
            )
        clock = self._calls.clock
        ends_at = clock.now() + give_up_after_seconds
        wait_seconds: int | None = None
        while True:
            started_at = clock.now()
            refund = self.get_refund(id, wait_seconds=wait_seconds)
            if refund["status"] in ("COMPLETED", "FAILED"):
                return refund
            left = ends_at - clock.now()
            if left <= 0:
                raise NoAnswerError(
                    "TIMEOUT",
                    f"The refund is {refund['status']} after {give_up_after_seconds:g} s.",
                )
            if wait_seconds is not None:
                self._pause(started_at)
            wait_seconds = max(1, min(_LONGEST_WAIT_SECONDS, math.ceil(left)))

    def follow_webhook_replay(
        self, id: str, replay_id: str, *, poll_seconds: float = 2
    ) -> Iterator[WebhookReplay]:
        """Reads the progress of a replay every `poll_seconds`, 1 to 3600, until its end."""
        if not 1 <= poll_seconds <= _LONGEST_POLL_SECONDS:
            raise InvalidArgumentError(f"poll_seconds is {poll_seconds}: give 1 to 3600 seconds.")
        while True:
            replay = self.get_webhook_replay(id, replay_id)
            yield replay
            # The service ends every replay, so that this loop ends too.
            if replay["status"] != "RUNNING":
                return
            self._calls.clock.sleep(poll_seconds)


def _check_url(name: str, text: str) -> None:
    """Raises InvalidArgumentError for a URL that no call can be sent to; it shows no URL."""
    try:
        url = urlsplit(text)
        is_whole = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        is_whole = False
    if not is_whole or not text.isascii() or not text.isprintable() or " " in text:
        raise InvalidArgumentError(f"{name} is no whole URL, such as https://pay.example.com/v1.")
    if "@" in url.netloc:
        raise InvalidArgumentError(f"{name} holds a user name or password. Leave both out.")
