"""Lists: page by page, which the client fetches only while you read on, and as CSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, TypeVar

from ._answers import CallAnswer

Item = TypeVar("Item")

_FILE_NAME = re.compile(r'filename="([\w.-]+)"', re.ASCII)


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A page of a list."""

    items: list[Item]
    next_cursor: str | None
    """Store it after your work on `items`, to continue the list later; None on the last page."""
    answer: CallAnswer | None = None


class PagedList(Generic[Item]):
    """A list: iterate over it, or over its pages. Each iteration begins at the beginning."""

    def __init__(self, fetch_pages: Callable[[], Iterator[Page[Item]]]) -> None:
        self._fetch_pages = fetch_pages

    def pages(self) -> Iterator[Page[Item]]:
        """Iterates over whole pages, each with the cursor of the next page."""
        return self._fetch_pages()

    def __iter__(self) -> Iterator[Item]:
        for page in self._fetch_pages():
            yield from page.items


class CsvExport:
    """A list as CSV: iterate over its pieces (UTF-8), each once.

    An export that breaks off raises a NoAnswerError, so that half a file never looks complete. Read
    it to its end, or close it, as `with` does: until then the call holds a connection.
    """

    def __init__(
        self,
        pieces: Iterator[bytes],
        close: Callable[[], None],
        *,
        disposition: str | None,
        fallback_name: str,
        answer: CallAnswer,
    ) -> None:
        found = _FILE_NAME.search(disposition or "")
        self.file_name = found[1] if found else fallback_name
        """The name that the service proposes, such as `payment-requests-20260301T120000Z.csv`."""
        self.answer = answer
        self._pieces = pieces
        self.close = close
        """Ends the call before its end."""

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def __enter__(self) -> CsvExport:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
