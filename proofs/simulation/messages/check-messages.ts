import { MAILER_LIMITS } from '#lib/mail/mailer.ts';
import type { MessageKind } from '#messages/model/kinds.ts';
import type { Status } from '#payment-requests/model/statuses.ts';
import type { RefundStatus } from '#refunds/model/statuses.ts';
import type { MessageRow } from '../memory/message-rows.ts';
import type { PaymentRequestRow } from '../memory/payment-request-rows.ts';
import { must, mustEqual } from '../run/broken-invariant.ts';
import { ERASED_EMAIL, type Exchange, type MessageWorld } from './message-world.ts';

/** The state that each kind of message needs: messages §2, written a second time. */
const TRUE_WHILE: Readonly<
  Record<MessageKind, { readonly status?: Status; readonly refund?: RefundStatus }>
> = {
  REQUEST: { status: 'CREATED' },
  REMINDER: { status: 'CREATED' },
  RECEIPT: { status: 'PAID' },
  CANCELLATION: { status: 'CANCELLED' },
  REFUND_RECEIPT: { refund: 'COMPLETED' },
  REFUND_RETURNED: { refund: 'FAILED' },
};

const UNDELIVERED = ['FAILED', 'BOUNCED', 'SUPPRESSED'];
/** A message that has ended stays as it is; one that was sent may come back. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  SCHEDULED: ['SENT', 'FAILED', 'SUPPRESSED', 'CANCELLED'],
  SENT: ['BOUNCED'],
};

/** Checks each recipient that is named, and every message after each step (messages §3). */
export class MessageChecks {
  readonly #world: MessageWorld;
  readonly #before = new Map<string, MessageRow>();
  readonly #wasTrue = new WeakMap<Exchange, boolean>();

  constructor(world: MessageWorld) {
    this.#world = world;
  }

  /** A change that is committed here comes before the last read. */
  onCheck(exchange: Exchange): void {
    this.#wasTrue.set(exchange, this.#isTrue(exchange, this.#requestOf(exchange)));
  }

  /** The recipient is named: under the lease, after a read at which the message was true. */
  onNamed(exchange: Exchange): void {
    const { message, address } = exchange.outgoing;
    const name = () => this.#nameOf(exchange);
    must(this.#wasTrue.get(exchange) === true, () => `${name()} was untrue before its last read`);
    const isRead = exchange.reads.some((row) => this.#isTrue(exchange, row));
    must(isRead, () => `${name()} leaves without a last read at which it was true`);
    must(address !== ERASED_EMAIL, () => `${name()} goes to a payer who was erased`);
    const others = this.#world.exchanges.filter(
      (each) => each !== exchange && each.outgoing.message.id === message.id,
    );
    must(
      others.every(({ stage }) => stage === 'CONNECTED'),
      () => `${name()} is sent by two processes at the same time`,
    );
    const earlier = this.#world.messages.rows.get(message.id);
    // An act at the same time may end the message right behind the read.
    const isOpen = earlier?.status === 'SCHEDULED' || earlier?.status === 'CANCELLED';
    must(isOpen, () => `${name()} is sent, and is ${earlier?.status}`);
  }

  /** The mail server has the whole mail. */
  onReceived(exchange: Exchange): void {
    const { boundFromMs } = exchange;
    const tookMs = this.#world.payments.clock.steadyMs() - boundFromMs;
    must(tookMs <= MAILER_LIMITS.wholeTimeoutMs, () => `${this.#nameOf(exchange)}: ${tookMs} ms`);
  }

  /** An answer was recorded, unless the database failed, or an erasure has ended the message. */
  onRecorded(id: string, isFault: boolean): void {
    const row = this.#world.messages.rows.get(id);
    const isKnown = row?.status === 'SENT' || row?.reason === 'NO_ADDRESS';
    must(isKnown || isFault, () => `${row?.kind} was taken, and is ${row?.status}`);
    if (!isKnown) this.#world.unrecorded.add(id);
  }

  check(): void {
    const { errors, messages } = this.#world;
    if (errors.length > 0) throw errors[0];
    for (const row of messages.rows.all()) {
      const before = this.#before.get(row.id);
      const name = `${row.kind} ${row.number}`;
      if (before && before.status !== row.status) {
        const isNext = NEXT[before.status]?.includes(row.status) ?? false;
        must(isNext, () => `${name} was ${before.status}, and is ${row.status}`);
      }
      this.#before.set(row.id, row);
    }
    for (const { id } of this.#world.payments.requests.rows.all()) this.#checkEvents(id);
  }

  /** The merchant learns of each link that did not arrive, once. */
  #checkEvents(id: string): void {
    const { messages, payments } = this.#world;
    const lost = messages
      .of(id)
      .filter(({ kind, status }) => kind === 'REQUEST' && UNDELIVERED.includes(status));
    const events = payments.events
      .of(id)
      .filter(({ event_type: type }) => type === 'MESSAGE-UNDELIVERED');
    mustEqual(events.length, lost.length, () => `${payments.nameOf(id)}: events of a lost link`);
  }

  #isTrue({ outgoing: { message } }: Exchange, row: PaymentRequestRow | undefined): boolean {
    const { clock, refunds } = this.#world.payments;
    const { status, refund } = TRUE_WHILE[message.kind];
    if (refund !== undefined) return refunds.rows.get(message.refundId ?? '')?.status === refund;
    if (!row || (status === 'CREATED' && row.expires_at <= clock.now())) return false;
    return row.status === status;
  }

  #requestOf({ outgoing }: Exchange): PaymentRequestRow | undefined {
    return this.#world.payments.requests.rows.get(outgoing.message.paymentRequestId);
  }

  #nameOf({ outgoing: { message } }: Exchange): string {
    return `${message.kind} of ${this.#world.payments.nameOf(message.paymentRequestId)}`;
  }
}

/** At the end each message has ended as it should, and no mail arrived twice without a reason. */
export function checkAllEnded({ messages, payments, received, unrecorded }: MessageWorld): void {
  for (const row of messages.rows.all()) {
    const name = () => `${row.kind} of ${payments.nameOf(row.paymentRequestId)}`;
    must(row.status !== 'SCHEDULED', () => `${name()} is SCHEDULED for ever`);
    const copies = received.filter(({ messageId }) => messageId === row.id).length;
    const hasLeft = row.status === 'SENT' || row.status === 'BOUNCED';
    if (hasLeft) must(copies > 0, () => `${name()} is ${row.status}, and did not arrive`);
    if (unrecorded.has(row.id)) continue;
    must(copies <= 1, () => `${name()} arrived ${copies} times`);
    const isErased = row.reason === 'NO_ADDRESS';
    if (!isErased) mustEqual(copies === 1, hasLeft, () => `${name()} is ${row.status}, arrived`);
  }
  for (const row of payments.requests.rows.all()) checkReceipt(messages.of(row.id), row);
}

/** A payment whose payer is asked to get a receipt has one row of it. */
function checkReceipt(rows: readonly MessageRow[], request: PaymentRequestRow): void {
  const receipts = rows.filter(({ kind }) => kind === 'RECEIPT');
  const isOwed = request.status === 'PAID' && request.message_plan?.receipt === true;
  must(receipts.length <= 1, () => `${receipts.length} receipts of a payment`);
  if (isOwed && request.payer_email !== ERASED_EMAIL) {
    mustEqual(receipts.length, 1, () => 'receipts of a payment');
    must(receipts[0]?.status !== 'CANCELLED', () => 'the receipt of a payment is CANCELLED');
  }
}
