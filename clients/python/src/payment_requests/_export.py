"""A list as CSV, piece by piece."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from types import TracebackType

from ._answers import CallAnswer

_FILE_NAME = re.compile(r'filename="([\w.-]+)"', re.ASCII)


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
