import { amountToCents, centsToAmount } from '../amounts.ts';
import type { ReadOptions } from '../call-options.ts';
import { pathSegment } from '../calls/check-options.ts';
import { limitsOf, type MerchantCalls, resourceOf } from '../calls/merchant-calls.ts';
import { readPages } from '../calls/read-pages.ts';
import { writeQuery } from '../calls/write-query.ts';
import { startExport } from '../csv-export.ts';
import { InvalidArgumentError } from '../errors/invalid-argument-error.ts';
import { NoAnswerError } from '../errors/no-answer-error.ts';
import type { NewRefund, Refund } from '../refund.ts';
import type { RefundCalls, WaitForRefundOptions } from './refund-calls.ts';

const PATH = '/refunds';
/** The longest wait of one call (contract §4, Read). */
const LONGEST_WAIT_SECONDS = 30;
/** A service that stops answers waiting calls at once. The pause keeps the loop from spinning. */
const LEAST_PAUSE_MS = 1_000;
const GIVE_UP_AFTER_SECONDS = 60;
const LONGEST_GIVE_UP_SECONDS = 86_400;

export function createRefundCalls(calls: MerchantCalls): RefundCalls {
  async function getRefund(id: string, options?: ReadOptions): Promise<Refund>;
  async function getRefund(
    id: string,
    { waitSeconds, ifNoneMatch, ...options }: ReadOptions = {},
  ): Promise<Refund | null> {
    const answer = await calls.call({
      method: 'GET',
      path: `${PATH}/${pathSegment(id)}${writeQuery({ waitSeconds })}`,
      headers: ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch },
      waitMs: (waitSeconds ?? 0) * 1000,
      ...limitsOf(options),
    });
    return answer.status === 304 ? null : resourceOf<Refund>(answer);
  }

  return {
    getRefund,

    async createRefund(paymentRequestId, newRefund = {}, options = {}) {
      const path = refundsOf(paymentRequestId);
      return resourceOf<Refund>(await calls.post(path, writeNewRefund(newRefund), options));
    },

    waitForRefund: (id, options = {}) => waitForRefund(calls, getRefund, id, options),

    listRefunds(filters = {}, { pageSize, cursor: first, ...options } = {}) {
      const fetchPage = (cursor: string | undefined) =>
        calls.get(`${PATH}${writeQuery({ ...filters, limit: pageSize, cursor })}`, options);
      return readPages<Refund>(fetchPage, first);
    },

    listRefundsOfPaymentRequest(paymentRequestId, { pageSize, cursor: first, ...options } = {}) {
      const path = refundsOf(paymentRequestId);
      const fetchPage = (cursor: string | undefined) =>
        calls.get(`${path}${writeQuery({ limit: pageSize, cursor })}`, options);
      return readPages<Refund>(fetchPage, first);
    },

    async simulateRefund(id, simulation, options = {}) {
      const path = `/sandbox${PATH}/${pathSegment(id)}/simulations`;
      return resourceOf<Refund>(await calls.post(path, JSON.stringify(simulation), options));
    },

    exportRefunds: (filters = {}, options = {}) =>
      startExport(calls, `${PATH}${writeQuery({ ...filters })}`, 'refunds.csv', options),
  };
}

function refundsOf(paymentRequestId: string): string {
  return `/payment-requests/${pathSegment(paymentRequestId)}${PATH}`;
}

/** Writes the body of a refund. Amounts keep their own digits; no fraction is computed. */
function writeNewRefund({ amount, expectedAmountAvailable, ...others }: NewRefund): string {
  const amounts = Object.entries({ amount, expectedAmountAvailable }).flatMap(([name, value]) =>
    value === undefined ? [] : [`"${name}":${centsToAmount(amountToCents(value))}`],
  );
  const rest = JSON.stringify(others).slice(1, -1);
  return `{${[...amounts, ...(rest === '' ? [] : [rest])].join(',')}}`;
}

async function waitForRefund(
  { transport: { clock } }: MerchantCalls,
  getRefund: (id: string, options: ReadOptions) => Promise<Refund>,
  id: string,
  { giveUpAfterSeconds = GIVE_UP_AFTER_SECONDS, signal }: WaitForRefundOptions,
) {
  if (!(giveUpAfterSeconds >= 1 && giveUpAfterSeconds <= LONGEST_GIVE_UP_SECONDS)) {
    const message = `giveUpAfterSeconds is ${giveUpAfterSeconds}: give 1 to 86400 seconds.`;
    throw new InvalidArgumentError(message);
  }
  const endsAt = clock.now() + giveUpAfterSeconds * 1000;
  let waitSeconds: number | undefined;
  for (;;) {
    const startedAt = clock.now();
    const refund = await getRefund(id, { waitSeconds, signal });
    if (refund.status === 'COMPLETED' || refund.status === 'FAILED') return refund;
    const left = endsAt - clock.now();
    if (left <= 0) {
      const message = `The refund is ${refund.status} after ${giveUpAfterSeconds} s.`;
      throw new NoAnswerError('TIMEOUT', message, undefined);
    }
    const tookMs = clock.now() - startedAt;
    if (waitSeconds !== undefined && tookMs < LEAST_PAUSE_MS) {
      await clock.sleep(LEAST_PAUSE_MS - tookMs, signal);
    }
    waitSeconds = Math.max(1, Math.min(LONGEST_WAIT_SECONDS, Math.ceil(left / 1000)));
  }
}
