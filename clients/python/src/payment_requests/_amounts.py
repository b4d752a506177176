"""Exact amounts of money."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, Union

from ._errors import InvalidArgumentError

Amount = Union[str, int, float, Decimal]
"""An amount of money: `"25.50"`, `Decimal("25.50")`, or a number with at most two decimals.

A float counts by its written form: `25.5` is valid; `0.1 + 0.2` is 0.30000000000000004.
"""

# 13 digits of units are 15 digits of cents, which a double of another program holds exactly.
_DECIMAL = re.compile(r"([0-9]{1,13})(?:\.([0-9]{1,2}))?")


def amount_to_cents(amount: Amount) -> int:
    """Reads an amount exactly, without arithmetic on fractions, and never rounds.

    >>> amount_to_cents("25.50")
    2550

    Raises InvalidArgumentError `INVALID_AMOUNT` for a value that is no amount with two decimals.
    """
    text = format(amount, "f") if isinstance(amount, Decimal) else str(amount)
    found = _DECIMAL.fullmatch(text)
    if found is None or isinstance(amount, bool):
        raise InvalidArgumentError(
            f"{amount!r} is not an amount: give a decimal string with at most two decimals, "
            "as in '25.50'.",
            "INVALID_AMOUNT",
        )
    return int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def cents_to_amount(cents: int) -> str:
    """Writes cents as an amount with two decimals.

    >>> cents_to_amount(3 * 850)
    '25.50'

    Raises InvalidArgumentError unless `cents` is a whole number, zero or more.
    """
    if not isinstance(cents, int) or isinstance(cents, bool) or cents < 0:
        raise InvalidArgumentError(f"{cents!r} is not a whole number of cents.", "INVALID_AMOUNT")
    return f"{cents // 100}.{cents % 100:02}"


def exact_amounts(body: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Gives the members of a body; amounts have two decimals, and no fraction is computed."""
    if not isinstance(body, dict):
        raise InvalidArgumentError("The body is a dict of fields.")
    exact = {
        name: Decimal(cents_to_amount(amount_to_cents(value)))
        for name, value in body.items()
        if name in names and value is not None
    }
    return {**body, **exact}
