import { tableOf } from '#commands/cli/align-columns.ts';
import { defineCommand, defineNoun } from '#commands/cli/define-command.ts';
import { formatInstant } from '#lib/instant.ts';
import { listWaiting } from '#payment-requests/erasure/waiting-store.ts';
import { erase } from './erase.ts';

/** More wait for a single cause, such as a paused endpoint. */
const MOST = 1_000;

const erasures = defineCommand({
  summary: 'print the erasures of payers that wait, and what each waits for',
  run: async ({ db }) => ({ erasures: await listWaiting(db, MOST) }),
  print: ({ erasures: waiting }) =>
    tableOf(
      'No erasure waits.',
      ['ID', 'MERCHANT', 'WAITS FOR', 'ASKED', 'BY'],
      waiting.map(({ paymentRequestId, merchantId, because, askedAt, askedBy }) => [
        ...[paymentRequestId, merchantId, because, formatInstant(askedAt), askedBy],
      ]),
    ),
});

/** `payreq payer`: every command about payers. */
export const payerCommand = defineNoun('the people who pay', { erase, erasures });
