"""The forms of calls from which the operations are made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from ._amounts import exact_amounts
from ._answers import Resource
from ._calls import MerchantCalls
from ._checks import idempotency_key as checked_key
from ._checks import write_query
from ._errors import InvalidArgumentError
from ._json import write_json
from ._lists import CsvExport, Page, PagedList
from ._send import Answer, Call, Limits, members_of, problem_of, resource_of

# A service that stops answers waiting calls at once. The pause keeps the loop from spinning.
_LEAST_PAUSE_SECONDS = 1.0


class OperationCalls:
    """Makes calls of the API."""

    def __init__(self, calls: MerchantCalls) -> None:
        self._calls = calls

    def _get(
        self,
        path: str,
        query: Mapping[str, Any],
        limits: Limits,
        *,
        if_none_match: str | None = None,
    ) -> Resource | None:
        """Reads a resource; None while the given version is the latest."""
        headers = _condition("if-none-match", if_none_match)
        answer = self._read(path, query, limits, headers)
        return None if answer.status == 304 else resource_of(answer)

    def _read(
        self, path: str, query: Mapping[str, Any], limits: Limits, headers: Mapping[str, str]
    ) -> Answer:
        wait_seconds = query.get("waitSeconds") or 0
        call = Call(
            "GET", path + write_query(query), headers, wait_seconds=wait_seconds, limits=limits
        )
        return self._calls.call(call)

    def _post(
        self,
        path: str,
        body: Mapping[str, Any],
        limits: Limits,
        *,
        idempotency_key: str | None,
        strict: bool | None,
        if_match: str | None = None,
        amounts: tuple[str, ...] = (),
    ) -> Resource:
        """Sends a POST under an idempotency key, so that the service does a repeated call once."""
        headers = {
            **self._calls.write_headers(strict, "application/json"),
            "idempotency-key": checked_key(idempotency_key),
            **_condition("if-match", if_match),
        }
        return self._write("POST", path, body, limits, headers, amounts, True)

    def _patch(
        self,
        path: str,
        body: Mapping[str, Any],
        limits: Limits,
        *,
        strict: bool | None,
        repeatable: bool,
        if_match: str | None = None,
    ) -> Resource:
        """Sends a JSON Merge Patch."""
        headers = {
            **self._calls.write_headers(strict, "application/merge-patch+json"),
            **_condition("if-match", if_match),
        }
        return self._write("PATCH", path, body, limits, headers, (), repeatable)

    def _write(
        self,
        method: Literal["POST", "PATCH"],
        path: str,
        body: Mapping[str, Any],
        limits: Limits,
        headers: Mapping[str, str],
        amounts: tuple[str, ...],
        repeatable: bool,
    ) -> Resource:
        text = write_json(exact_amounts(body, amounts))
        call = Call(method, path, headers, text.encode(), repeatable, limits=limits)
        return resource_of(self._calls.call(call))

    def _delete(self, path: str, limits: Limits) -> None:
        answer = self._calls.call(Call("DELETE", path, limits=limits))
        # An earlier attempt without an answer deleted the resource.
        is_done = answer.status == 404 and answer.attempts > 1
        if not answer.is_success and not is_done:
            raise problem_of(answer)

    def _list(
        self,
        path: str,
        query: Mapping[str, Any],
        cursor_name: Literal["cursor", "after"],
        cursor: str | None,
        limits: Limits,
    ) -> PagedList[Any]:
        """Makes a list that fetches a page after the page before is used up.

        The cursor `cursor` stands on every page but the last one. The cursor `after` stands on
        every page, also behind the latest entry.
        """

        def fetch_pages() -> Iterator[Page[Any]]:
            at = cursor
            while True:
                started = self._calls.clock.now()
                answer = self._read(path, {**query, cursor_name: at}, limits, {})
                members = members_of(answer)
                found, data = members.get("nextCursor"), members.get("data")
                # A cursor that stands still would make an endless loop.
                is_moved = isinstance(found, str) and found != at
                has_next = members.get("hasMore") is True and is_moved
                items = data if isinstance(data, list) else []
                if cursor_name == "cursor":
                    yield Page(items, found if has_next else None, answer.describe())
                elif is_moved:
                    yield Page(items, found, answer.describe())
                at = found if is_moved else at
                if has_next:
                    continue
                if cursor_name == "cursor" or query.get("waitSeconds") is None:
                    return
                if not items:
                    self._pause(started)

        return PagedList(fetch_pages)

    def _pause(self, started: float) -> None:
        """Sleeps until the least pause since a call has passed."""
        left = _LEAST_PAUSE_SECONDS - (self._calls.clock.now() - started)
        if left > 0:
            self._calls.clock.sleep(left)

    def _export(
        self, path: str, query: Mapping[str, Any], fallback_name: str, limits: Limits
    ) -> CsvExport:
        headers = {"accept": "text/csv, application/problem+json"}
        call = Call("GET", path + write_query(query), headers, is_streamed=True, limits=limits)
        answer = self._calls.call(call)
        if answer.stream is None:
            raise problem_of(answer)
        return CsvExport(
            answer.stream.pieces,
            answer.stream.close,
            disposition=answer.headers.get("content-disposition"),
            fallback_name=fallback_name,
            answer=answer.describe(),
        )


def _condition(header: str, tag: str | None) -> dict[str, str]:
    """Gives the header of a condition; none without an entity tag."""
    if tag is None:
        return {}
    if not tag.isprintable() or not tag.isascii():
        raise InvalidArgumentError("An entity tag is ASCII text, as `entity_tag_of` gives it.")
    return {header: tag}
