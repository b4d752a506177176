import type { OpenApi } from '../openapi-document.ts';
import { describeCalls } from './describe-calls.ts';
import { bracketed, HEAD, literal } from './python-text.ts';

/** clients/python/src/payment_requests/models.py */
export function renderModels(document: OpenApi): string {
  const { types } = describeCalls(document);
  const definitions = types.definitions();
  const names = [...definitions.keys(), 'Amount', 'Day', 'Instant'].sort();
  return `${HEAD}
"""The bodies and answers of the API: dictionaries with the names of the wire.

A later version of the service may add members and values: ignore those that you do not know.
"""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Literal, NotRequired, TypedDict, Union

from ._amounts import Amount

Instant = Union[str, datetime]
"""An instant: text as in 2026-03-01T12:00:00Z, or a \`datetime\` with a time zone."""

Day = Union[str, date]
"""A day: text as in 2026-03-01, or a \`date\`."""

# Numbers of these members are read as \`Decimal\`.
${bracketed('AMOUNT_MEMBERS = frozenset(', [bracketed('{', [...types.amounts()].sort().map(literal), '}', 1)], ')')}


${[...definitions.values()].join('\n\n\n')}


${bracketed('__all__ = [', names.map(literal), ']')}
`;
}
