import assert from 'node:assert/strict';
import { CASE_KINDS } from '#cases/model/case-kinds.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import type { BankProduction } from '../support/bank/bank-production.ts';
import { eventually } from '../support/eventually.ts';
import { centsOf, type ReadEntry, readCases, readEntries, readRefunds } from './read-money.ts';
import type { RequestModel } from './request-model.ts';

const COUNTED = new Set(['PAYMENT', 'LATE_PAYMENT', 'PART_PAYMENT', 'ASSIGNED', 'ADJUSTMENT']);

/**
 * The ledger shows an entry when every transaction before it has ended, so that a cursor misses
 * none: it may come later than the answer of the act.
 */
function inTime(compare: () => Promise<void>): Promise<true> {
  return eventually(async () => {
    await compare();
    return true as const;
  }, 'the ledger');
}

/** Status, sums and refunds of a payment request, as the service shows them. */
async function readState(bank: BankProduction, id: string) {
  const body = await bank.read(id);
  const refunds = await readRefunds(bank, id);
  const { refundSummary: sums } = body;
  return {
    status: body.status,
    isLate: body.paidLate === true,
    ...(body.status === 'PAID' && {
      sums: {
        received: centsOf(sums.amountReceived),
        returned: centsOf(sums.amountReturned),
        refunded: centsOf(sums.amountRefunded),
        available: centsOf(sums.amountAvailable),
      },
    }),
    refunds: refunds
      .map(({ id: refund, amount, status }) => `${refund} ${amount} ${status}`)
      .sort(),
  };
}

function stateOf(model: RequestModel): Awaited<ReturnType<typeof readState>> {
  return {
    status: model.status,
    isLate: model.isLate,
    ...(model.status === 'PAID' && {
      sums: {
        received: model.receivedCents,
        returned: model.returnedCents,
        refunded: model.refundedCents,
        available: model.availableCents,
      },
    }),
    refunds: model.refunds.map(({ id, cents, status }) => `${id} ${cents / 100} ${status}`).sort(),
  };
}

async function compareLedger(bank: BankProduction, model: RequestModel): Promise<void> {
  const { entries } = await readEntries(bank, `&paymentRequestId=${model.id}`);
  const sum = (isWanted: (entry: ReadEntry) => boolean) =>
    entries.filter(isWanted).reduce((cents, { amount }) => cents + centsOf(amount), 0);
  const found = {
    counted: sum(({ type }) => COUNTED.has(type)),
    second: sum(({ type }) => type === 'SECOND_PAYMENT'),
    returned: 0 - sum(({ type }) => type === 'RETURN'),
    refunds: sum(({ type }) => type === 'REFUND' || type === 'REFUND_RETURN'),
  };
  assert.deepEqual(found, {
    counted: model.receivedCents,
    second: model.secondLedgerCents,
    returned: model.returnedCents,
    refunds: model.refundLedgerCents,
  });
}

/** @throws AssertionError where the service and the model differ about a payment request */
export async function compareRequest(bank: BankProduction, model: RequestModel): Promise<void> {
  assert.deepEqual(await readState(bank, model.id), stateOf(model));
  await inTime(() => compareLedger(bank, model));
  if (!model.needsAct) return;
  const cases = await readCases(bank, model.id);
  const allowed = cases.flatMap(({ kind }) => CASE_KINDS[kind as OperatorCaseKind].allows);
  assert.ok(allowed.length > 0, 'an open case allows an act on the money that waits');
}

/** The books of the merchant: the ledger and the report of the day have what the bank has. */
export class Books {
  #cursor = '';
  #cents = 0;

  compare(bank: BankProduction, bankCents: number): Promise<true> {
    return inTime(() => this.#compare(bank, bankCents));
  }

  async #compare(bank: BankProduction, bankCents: number): Promise<void> {
    const { entries, cursor } = await readEntries(bank, '', this.#cursor);
    this.#cursor = cursor;
    this.#cents += entries.reduce((cents, { amount }) => cents + centsOf(amount), 0);
    assert.equal(this.#cents, bankCents, 'the ledger and the bank');
    const today = bank.service.clock.now().toISOString().slice(0, 10);
    const { json } = await bank.call('GET', `/v1/reports/reconciliation?date=${today}`);
    const totals = json.totals.reduce(
      (cents: number, { amount }: ReadEntry) => cents + centsOf(amount),
      0,
    );
    assert.equal(centsOf(json.openingSum) + totals, centsOf(json.closingSum), 'the report');
    assert.equal(centsOf(json.closingSum), bankCents, 'the report and the bank');
  }
}
