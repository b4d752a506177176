"""Checks and forms of the values that callers give."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

from ._errors import InvalidArgumentError
from ._json import write_instant

# A day is above every answer, and below the limits of timers.
_LONGEST_TIMEOUT_SECONDS = 86_400
# With the longest delays ten retries take six minutes. A job that needs more has its own loop.
_MOST_RETRIES = 10


def check_limits(
    timeout_seconds: float | None, retries: int | None, name: str = "retries"
) -> None:
    """Raises InvalidArgumentError for a limit outside its range."""
    if timeout_seconds is not None and not 0 < timeout_seconds <= _LONGEST_TIMEOUT_SECONDS:
        raise InvalidArgumentError(
            f"timeout_seconds is {timeout_seconds}: give more than 0, at most 86400."
        )
    is_whole = isinstance(retries, int) and not isinstance(retries, bool)
    if retries is not None and not (is_whole and 0 <= retries <= _MOST_RETRIES):
        raise InvalidArgumentError(f"{name} is {retries}: give a whole number from 0 to 10.")


def idempotency_key(given: str | None) -> str:
    """Gives the key of a call: the given one, or a random one for the client's own retries."""
    if given is None:
        return str(uuid.uuid4())
    if not re.fullmatch(r"[\x21-\x7e]{1,255}", given):
        raise InvalidArgumentError("idempotency_key needs 1 to 255 visible ASCII characters.")
    return given


def path_segment(value: str) -> str:
    """Raises InvalidArgumentError for an id whose URL would be that of another resource."""
    if not isinstance(value, str) or value == "":
        raise InvalidArgumentError("The id is missing.")
    # Parsers of URLs resolve dots, and a percent sign does not protect them.
    if value in (".", ".."):
        raise InvalidArgumentError(f"{value} is not an id.")
    return quote(value, safe="")


def write_query(parameters: Mapping[str, Any]) -> str:
    """Writes parameters as `?name=value&…`, a list as repeated parameters. None is left out."""
    pairs = [
        (name, _query_value(value))
        for name, given in parameters.items()
        for value in (given if _is_list(given) else [given])
        if value is not None
    ]
    return f"?{urlencode(pairs)}" if pairs else ""


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _query_value(value: object) -> str:
    if isinstance(value, date):
        return write_instant(value)
    if isinstance(value, Decimal):
        return format(value, "f")
    return str(value)
