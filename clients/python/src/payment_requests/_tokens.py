"""The access tokens of a client."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

# A token of one hour is renewed six minutes early: calls survive an outage that short.
_RENEWAL_SHARE = 0.9
# The last 1 % of a token's lifetime is not used: the token could expire in transit.
_UNUSED_SHARE = 0.01

THREAD_NAME = "payment-requests-token"


@dataclass(frozen=True)
class NewToken:
    text: str = field(repr=False)
    requested_at: float
    """In seconds since 1970. The lifetime starts before the call."""
    lifetime_seconds: float


class AccessTokens:
    """Keeps a token until shortly before its end. All threads share one renewal."""

    def __init__(self, request: Callable[[], NewToken], now: Callable[[], float]) -> None:
        self._request = request
        self._now = now
        self._current: NewToken | None = None
        self._start_process()

    def _start_process(self) -> None:
        # A lock that another thread held when this process was forked would never be released.
        self._lock = threading.Lock()
        self._process = os.getpid()

    def get(self) -> str:
        """Gives a token that is valid now."""
        if self._process != os.getpid():
            self._start_process()
        current = self._current
        if current is not None and self._age(current) < _RENEWAL_SHARE:
            return current.text
        if current is not None and self._age(current) < 1 - _UNUSED_SHARE:
            # The token is valid until its end. The next call tries again after a failure.
            if self._lock.acquire(blocking=False):
                try:
                    self._start_renewal()
                except RuntimeError:
                    # A process that ends starts no thread.
                    self._lock.release()
            return current.text
        with self._lock:
            found = self._current
            if found is not None and self._age(found) < _RENEWAL_SHARE:
                return found.text
            self._current = self._request()
            return self._current.text

    def forget(self, token: str) -> None:
        """Drops a token that the service refused, so that the next call requests another."""
        current = self._current
        if current is not None and current.text == token:
            self._current = None

    def _start_renewal(self) -> None:
        threading.Thread(target=self._renew_early, name=THREAD_NAME, daemon=True).start()

    def _renew_early(self) -> None:
        try:
            self._current = self._request()
        except Exception:
            # A failed renewal shows when the token ends.
            pass
        finally:
            self._lock.release()

    def _age(self, token: NewToken) -> float:
        """Gives the part of the lifetime that has passed."""
        return (self._now() - token.requested_at) / token.lifetime_seconds
