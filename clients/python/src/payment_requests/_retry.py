"""The delay before the next attempt of a call: the rules of the SDK for TypeScript."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import timezone
from email.utils import parsedate_to_datetime

# These server errors stay: the service lacks the method or the version of HTTP.
_LASTING = (501, 505)
# 429 precedes all work, so that even a call that is not repeatable can be retried.
_NOT_DONE = 429
# Three delays take about a second, the time of a restart.
_FIRST_DELAY_SECONDS = 0.25
# A caller gives up long before a longer delay ends.
_LONGEST_DELAY_SECONDS = 8.0
# The caller waits for a longer Retry-After itself; the error carries it.
_LONGEST_RETRY_AFTER_SECONDS = 30


@dataclass(frozen=True)
class Attempt:
    """The outcome of an attempt, reduced to what a retry depends on."""

    status: int | None
    """None when no answer arrived."""
    code: str | None = None
    """The problem's code, if the answer was a problem."""
    retry_after_seconds: int | None = None


def retry_delay_seconds(
    attempt: Attempt, *, failed: int, repeatable: bool, random: float
) -> float | None:
    """Gives the delay before the next attempt; None when no attempt may follow.

    Delays grow by powers of two with random jitter, so that clients that failed together do not
    retry together. `failed` is the number of attempts so far, `random` is 0 to 1.
    """
    if not _is_transient(attempt) or not (repeatable or attempt.status == _NOT_DONE):
        return None
    least = attempt.retry_after_seconds or 0
    if least > _LONGEST_RETRY_AFTER_SECONDS:
        return None
    ceiling = min(_FIRST_DELAY_SECONDS * 2.0 ** (failed - 1), _LONGEST_DELAY_SECONDS)
    # Jitter uses the upper half: a delay near zero would add to the load that caused the failure.
    # Retry-After is the minimum; the jitter comes on top.
    return least + ceiling * (0.5 + random / 2)


def _is_transient(attempt: Attempt) -> bool:
    # With IDEMPOTENCY_IN_PROGRESS the first attempt still runs; the next one gets its answer.
    if attempt.status is None or attempt.code == "IDEMPOTENCY_IN_PROGRESS":
        return True
    # The service keeps no 5xx under an idempotency key, so that a retry is a new try.
    is_fault = attempt.status >= 500 and attempt.status not in _LASTING
    return attempt.status == _NOT_DONE or is_fault


def read_retry_after(value: str | None, now: float) -> int | None:
    """Reads Retry-After: seconds or a date (RFC 9110, 10.2.3). An invalid value counts as absent.

    `now` is in seconds since 1970.
    """
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value.strip()):
        return int(value)
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError, OverflowError):
        return None
    # A date without a zone is in UTC.
    moment = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    return max(0, math.ceil(moment.timestamp() - now))
