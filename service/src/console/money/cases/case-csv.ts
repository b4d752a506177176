import { Readable } from 'node:stream';
import type { OperatorCase } from '#cases/model/operator-case.ts';
import { NO_READ_AHEAD } from '#console/shell/file-streams.ts';
import type { ConsoleFile } from '#console/shell/visit.ts';
import { csvLine } from '#lib/csv.ts';
import { formatInstant } from '#lib/instant.ts';
import { formatAmount } from '#lib/money.ts';
import { centsOfCase, currencyOfCase, stateOfCase, textOf } from './case-facts.ts';

const HEADER = [
  'id',
  'state',
  'kind',
  'openedDateTime',
  'closedDateTime',
  'merchantId',
  'paymentRequestId',
  'amount',
  'currency',
  'networkReference',
];

/** The cases of a list as CSV, a batch at a time: without names and account numbers of payers. */
export function caseFile(
  batches: AsyncIterable<readonly OperatorCase[]>,
  currency: string,
): ConsoleFile {
  async function* lines(): AsyncGenerator<string> {
    yield csvLine(HEADER);
    for await (const cases of batches) {
      yield cases.map((found) => lineOf(found, currency)).join('');
    }
  }
  return {
    fileName: 'cases.csv',
    type: 'text/csv; charset=utf-8',
    content: Readable.from(lines(), NO_READ_AHEAD),
  };
}

function lineOf(found: OperatorCase, currency: string): string {
  const cents = centsOfCase(found);
  return csvLine([
    found.id,
    stateOfCase(found),
    found.kind,
    formatInstant(found.openedAt),
    found.closedAt && formatInstant(found.closedAt),
    found.merchantId,
    found.paymentRequestId,
    cents === null ? null : { decimal: formatAmount(cents) },
    currencyOfCase(found, currency),
    textOf(found, 'networkReference'),
  ]);
}
