import assert from 'node:assert/strict';
import { acceptCase } from '#cases/accept-case.ts';
import { assignCase } from '#cases/assign-case.ts';
import { refundCase } from '#cases/refund-case.ts';
import type { NetworkOutcome } from '#e-transfer/e-transfer-network.ts';
import { newId } from '#lib/new-id.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';
import type { CaseRow } from '../memory/case-rows.ts';
import type { LedgerRow } from '../memory/ledger-rows.ts';
import { CURRENCY, MERCHANT, PaymentWorld } from '../payments/payment-world.ts';
import { Random } from '../run/random.ts';
import { noteStatements } from './note-statements.ts';

export const ASKED = 1_000;
export const OTHER_MERCHANT = 'mer_2';
let count = 0;
/** The reference of a movement by its place; the last one without. */
export const referenceOf = (back = 0) => `N${count - back}`;

/** The real settlements of cases over tables in memory. */
export class CaseWorld extends PaymentWorld {
  readonly audited: { readonly action: string; readonly merchant: unknown; details: object }[] = [];
  /** The payment requests and cases that were locked, in their order. */
  readonly locked: string[] = [];
  /** The network references that were locked together. */
  readonly lockedReferences: unknown[] = [];
  /** Called before each statement of a settlement: another act at the same moment. */
  meanwhile: (statement: string) => void = () => {};
  readonly settling = {
    ...this.settleDeps,
    findShowing: null,
    db: noteStatements(this.db, (name, values) => this.#note(name, values)),
  };

  #note(name: string, values: readonly unknown[]): void {
    this.meanwhile(name);
    if (name === 'audit-log-insert') {
      const [, , action, merchant, details] = values;
      const read = typeof details === 'string' ? JSON.parse(details) : details;
      this.audited.push({ action: String(action), merchant, details: read });
    }
    if (/^(payment-request|cases)-lock$/.test(name)) this.locked.push(String(values[0]));
    if (name === 'network-reference-lock') this.lockedReferences.push(JSON.parse(`${values[0]}`));
  }

  request(cents = ASKED, changes: Partial<ReturnType<PaymentWorld['create']>> = {}): string {
    const { id } = this.create(new Random(1), cents);
    this.requests.rows.patch(id, { ...changes, expires_at: new Date('2027-01-01T00:00:00Z') });
    return id;
  }

  /** Money of several movements for a payment request, which the network reports at once. */
  async pay(paymentRequestId: string, ...amounts: readonly number[]): Promise<readonly string[]> {
    const movements = amounts.map((amountCents) => {
      count += 1;
      const networkReference = `N${count}`;
      return { networkReference, amountCents, bankReference: null, bookingDate: null };
    });
    const references = movements.map(({ networkReference }) => networkReference);
    const outcome: NetworkOutcome = {
      state: 'SUCCEEDED',
      amountCents: amounts.reduce((sum, each) => sum + each, 0),
      currency: CURRENCY,
      institution: 'A Bank',
      networkReference: references.at(-1) ?? '',
      completedAt: this.clock.now(),
      movements,
    };
    await this.report({ paymentRequestId, outcome, isRevocable: false });
    return references;
  }

  async part(paymentRequestId: string, amountCents: number): Promise<void> {
    count += 1;
    const movement = {
      ...{ networkReference: `N${count}`, amountCents },
      ...{ bankReference: null, bookingDate: null },
    };
    const outcome = { state: 'PART_RECEIVED', currency: CURRENCY, movement } as const;
    await this.report({ paymentRequestId, outcome, isRevocable: false });
  }

  /** A case that no report of this network opens. */
  open(changes: Partial<CaseRow>): string {
    const id = newId();
    this.cases.rows.put(id, {
      ...{ id, kind: 'REFUNDED_OUTSIDE', paymentRequestId: null, merchantId: MERCHANT.id },
      ...{ details: {}, openedAt: this.clock.now(), closedAt: null, settlement: null },
      ...changes,
    });
    return id;
  }

  /** A booking that fits no payment request. */
  book(reference: string, cents: number, changes: Partial<LedgerRow> = {}): void {
    const id = newId();
    this.ledger.rows.put(id, {
      ...{ id, merchant_id: MERCHANT.id, type: 'UNMATCHED', amount_cents: cents },
      ...{ currency: CURRENCY, payment_request_id: null, refund_id: null },
      ...{ network_reference: reference, bank_reference: 'B', booking_date: '2026-03-01' },
      created_at: this.clock.now(),
      ...changes,
    });
  }

  /** A booking NEW that may correct others, with its case. */
  correct(cents: number, named: readonly string[], details: object = {}): string {
    this.book('NEW', cents);
    return this.open({
      kind: 'AMBIGUOUS_REFERENCE',
      details: { networkReference: 'NEW', correctedReferences: named, ...details },
    });
  }

  /** The one open case. */
  get openCase(): string {
    const [found, ...others] = this.cases.open();
    assert.ok(found && others.length === 0, `${others.length} other open cases`);
    return found.id;
  }

  /** Status and money of a payment request. */
  money(id: string): readonly unknown[] {
    const row = this.requests.rows.get(id);
    return [row?.status, row?.received_cents, row?.refunding_cents, row?.refunded_cents];
  }

  get entries(): string[] {
    return this.ledger.rows
      .all()
      .map(
        ({ type, amount_cents: cents, network_reference: name, payment_request_id: id }) =>
          `${type} ${cents} ${name} ${id === null ? '-' : 'own'}`,
      );
  }

  get refundsTold(): readonly unknown[] {
    return this.refunds.rows
      .all()
      .map((row) => [row.amountCents, row.movementReference, row.isOfPayment, row.operatorCaseId]);
  }
}

export const accept = (world: CaseWorld, id: string, note: string | null = null) =>
  acceptCase(world.settling, id, note);
export const assign = (world: CaseWorld, id: string, paymentRequestId: string) =>
  assignCase(world.settling, id, { paymentRequestId, note: null });
export const refund = (world: CaseWorld, id: string, movement: string | null = null) =>
  refundCase(world.settling, id, { movement, note: null });
const faultOf = (pattern: RegExp) => (error: unknown) =>
  error instanceof OperatorFault && pattern.test(error.message);
export const refuses = (act: Promise<unknown>, pattern: RegExp) =>
  assert.rejects(act, faultOf(pattern));

/** Money of another amount than the one asked for, with its case. */
export async function mismatched(...amounts: readonly number[]) {
  const world = new CaseWorld();
  const request = world.request();
  const references = await world.pay(request, ...amounts);
  return { world, request, references, id: world.openCase };
}
