import assert from 'node:assert/strict';
import type { RefundStart, RefundState } from '#e-transfer/network-refunds.ts';
import { newId } from '#lib/new-id.ts';
import { createRefunds } from '#refunds/create/create-refunds.ts';
import { handOverRefunds } from '#refunds/network/hand-over.ts';
import { MERCHANT, PaymentWorld } from '../payments/payment-world.ts';
import { Random } from '../run/random.ts';
import { noteStatements } from './note-statements.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** The real use cases of refunds over tables in memory, with a network that answers as told. */
export class RefundWorld extends PaymentWorld {
  startAnswer: RefundStart | Error = { state: 'PROCESSING' };
  state: RefundState | Error = { state: 'PROCESSING' };
  readonly handedOver: string[] = [];
  /** The signals to the rest of the process after the commits, and the notices. */
  told: string[] = [];
  /** The statements of all transactions, with their values. */
  ran: (readonly [name: string, values: readonly unknown[]])[] = [];
  readonly logged: object[] = [];
  readonly deps = {
    ...this.refundDeps,
    db: noteStatements(this.db, (...statement) => void this.ran.push(statement)),
    wakeSenders: () => void this.told.push('senders'),
    onRefundChanged: ({ from, to }: { from: string | null; to: string }) =>
      void this.told.push(`${from} ${to}`),
    onCaseOpened: ({ kind }: { kind: string }) => void this.told.push(kind),
    noticeOfFailure: async () => void this.told.push('notice'),
    log: {
      warn: (fields: object) => this.#log('warning', fields),
      error: (fields: object) => this.#log('error', fields),
    } as never,
    calls: {
      startRefund: async ({ refundId }: { refundId: string }) => {
        this.handedOver.push(refundId);
        if (this.startAnswer instanceof Error) throw this.startAnswer;
        return this.startAnswer;
      },
      askRefundState: async () => {
        if (this.state instanceof Error) throw this.state;
        return this.state;
      },
    } as never,
  };

  #log(level: string, fields: object): void {
    this.told.push(level);
    this.logged.push(fields);
  }

  /** The values of each statement of a name. */
  valuesOf(statement: string): (readonly unknown[])[] {
    return this.ran.filter(([name]) => name === statement).map(([, values]) => values);
  }

  paid(cents = 100): string {
    const row = this.create(new Random(1), cents);
    this.requests.rows.patch(row.id, { status: 'PAID', received_cents: cents });
    return row.id;
  }

  async refund(paymentRequestId: string, ...amounts: readonly number[]): Promise<string[]> {
    const asked = amounts.map((amountCents) => ({
      merchant: MERCHANT,
      paymentRequestId,
      merchantRefundId: null,
      bodyHash: Buffer.alloc(32),
      identity: { id: newId(), requestId: null, traceparent: null },
      validated: {
        amountCents,
        expectedAvailableCents: null,
        reason: 'OTHER' as const,
        message: null,
        webhookUrl: null,
      },
    }));
    const created = await this.deps.db.transaction((tx) => createRefunds(tx, this.deps, asked));
    created.publish();
    return asked.map(({ identity }) => identity.id);
  }

  async handOver(signal = new AbortController().signal): Promise<boolean> {
    this.told = [];
    return handOverRefunds(this.deps, signal);
  }

  /** Status, seconds until the next poll, and the polls in this status. */
  row(id = ''): readonly [string, number | null, number] {
    const row = this.refunds.rows.get(id);
    assert.ok(row);
    const { status, nextPollAt, polls } = row;
    const seconds = nextPollAt && (nextPollAt.getTime() - this.clock.now().getTime()) / 1_000;
    return [status, seconds, polls];
  }
}

export const movement = (networkReference: string, bankReference: string | null = null) => ({
  networkReference,
  amountCents: 40,
  bankReference,
  bookingDate: '2026-03-02',
});

/** A world with one refund of 40 cents. */
export async function worldWithRefund() {
  const world = new RefundWorld();
  const paymentRequestId = world.paid();
  const [id = ''] = await world.refund(paymentRequestId, 40);
  return { world, id, paymentRequestId };
}
