"""The call's answer behind a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class CallAnswer:
    """The call's answer behind a result: for logs, and for a question to the operator."""

    status: int
    request_id: str | None
    """The X-Request-Id, which identifies the call in the service's log."""
    entity_tag: str | None
    """The ETag: the version of the result, for `if_match` and `if_none_match`."""
    is_replayed: bool
    """True when the service repeated the stored answer of an earlier call with an equal key."""
    attempts: int
    """The number of attempts; above 1 after retries."""


class Resource(dict[str, Any]):
    """The members of an answer, with the answer behind them."""

    answer: CallAnswer


def answer_of(result: object) -> CallAnswer | None:
    """Gives the answer behind a result of the client: a resource, a page or a CSV export.

    Entries of a list and copies of a result have none.
    """
    answer = getattr(result, "answer", None)
    return answer if isinstance(answer, CallAnswer) else None


def entity_tag_of(result: object) -> str | None:
    """Gives the version of a result, for `if_match` and `if_none_match`.

    Store it beside the result: a copy of the result has none.
    """
    answer = answer_of(result)
    return answer.entity_tag if answer else None
