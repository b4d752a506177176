"""Lists that the client fetches page by page, and only while you read on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from ._answers import CallAnswer

Item = TypeVar("Item")


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
