"""JSON whose amounts are exact: a number with decimals is a `Decimal` in both directions."""

from __future__ import annotations

import json
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

from ._errors import InvalidArgumentError
from .models import AMOUNT_MEMBERS

# Bodies of the API nest five deep; a body that refers to itself would never end.
_DEEPEST = 32


def read_json(text: bytes) -> Any:
    """Reads JSON; None for bytes that are no JSON, as of a proxy's page."""
    try:
        return json.loads(
            text.decode("utf-8"),
            parse_float=Decimal,
            parse_constant=_refuse_constant,
            object_pairs_hook=_with_amounts,
        )
    except (ValueError, RecursionError):
        # Too deeply nested and too long numbers are no answers either.
        return None


def _refuse_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _with_amounts(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # An amount of whole units may be written without decimals.
    return {
        name: Decimal(value) if type(value) is int and name in AMOUNT_MEMBERS else value
        for name, value in pairs
    }


def write_json(value: Any, depth: int = 0) -> str:
    """Writes a body as JSON; amounts keep their digits, instants are written in UTC.

    Raises InvalidArgumentError for a value that JSON cannot hold.
    """
    if depth > _DEEPEST:
        raise InvalidArgumentError("The body is nested too deeply.")
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            raise InvalidArgumentError("The names of members are text.")
        members = (
            f"{json.dumps(name)}:{write_json(each, depth + 1)}" for name, each in value.items()
        )
        return "{" + ",".join(members) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(write_json(each, depth + 1) for each in value) + "]"
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if isinstance(value, date):
        return json.dumps(write_instant(value))
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"JSON cannot hold {type(value).__name__}.") from error


def write_instant(value: date) -> str:
    """Writes a day, or an instant in UTC.

    Raises InvalidArgumentError for an instant without a time zone, which could be any hour.
    """
    if not isinstance(value, datetime):
        return value.isoformat()
    if value.tzinfo is None:
        raise InvalidArgumentError("An instant needs a time zone: datetime.now(timezone.utc).")
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
