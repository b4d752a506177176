import type { PaymentRequestStatus } from '../payment-request.ts';
import type { AnyWebhookEventType } from '../webhooks/event.ts';
import { decimal } from './amounts.ts';
import { defaultExpiry, type Step } from './creation-rules.ts';
import { type Members, readInstant } from './find-faults.ts';
import { Problem } from './problem.ts';
import type { Schedule } from './schedule.ts';
import * as tables from './tables.ts';
import type { createWebhooks } from './webhooks.ts';

/** A payment request as the service of tests keeps it. */
export interface Payment {
  readonly id: string;
  readonly shortCode: string;
  /** The fields that the merchant gave. */
  fields: Members;
  readonly amountCents: number;
  readonly createdMs: number;
  expiresMs: number;
  status: PaymentRequestStatus;
  reason: string | null;
  paidLate: boolean;
  payment: Members | null;
  readonly sums: { received: number; returned: number; refunded: number; refunding: number };
  readonly events: { readonly status: string; readonly dateTime: string }[];
  version: number;
  sequence: number;
}

/** The parts that payments and refunds share. */
export interface Context {
  readonly schedule: Schedule;
  readonly emit: ReturnType<typeof createWebhooks>['emit'];
  readonly currency: string;
  readonly merchant: { readonly id: string; readonly name: string };
  readonly origin: string;
}

/** The money that counts towards the amount asked for. */
export function heldCents({ sums, payment }: Payment): number {
  const left = Math.max(0, sums.received - sums.returned);
  return payment === null ? left - sums.refunded - sums.refunding : left;
}

export function availableCents({ sums }: Payment): number {
  return Math.max(0, sums.received - sums.returned - sums.refunded - sums.refunding);
}

/** @throws Problem of the status, unless the payer can still begin to pay */
export function requireOpen({ status }: Payment): void {
  const refusal = tables.REFUSALS[status];
  if (refusal !== null) throw new Problem(refusal);
}

/** The payment requests of the service of tests, and what moves them. */
export class Payments {
  readonly all: Payment[] = [];
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  add(fields: Members, amountCents: number, steps: readonly Step[]): Payment {
    const id = crypto.randomUUID();
    const createdMs = this.#context.schedule.now().getTime();
    const asked = readInstant(fields.expiryDateTime);
    const payment: Payment = {
      ...{ id, shortCode: id.replaceAll('-', '').slice(0, 16), fields, amountCents, createdMs },
      expiresMs: asked ?? defaultExpiry(createdMs, fields.dueDate, createdMs),
      ...{ status: 'CREATED', reason: null, paidLate: false, payment: null },
      sums: { received: 0, returned: 0, refunded: 0, refunding: 0 },
      events: [{ status: 'CREATED', dateTime: this.#context.schedule.now().toISOString() }],
      ...{ version: 1, sequence: 0 },
    };
    this.all.push(payment);
    this.watchExpiry(payment);
    for (const { afterSeconds, cause, isLate, reason } of steps) {
      this.#context.schedule.at(createdMs + afterSeconds * 1000, () => {
        if (this.#find(payment, cause)?.[5] !== isLate) return;
        if (cause === 'EXPIRY_PASSED') this.expireNow(payment);
        else this.apply(payment, cause, reason);
      });
    }
    return payment;
  }

  /** Expires a payment request at the end of its link, unless the link's end moves. */
  watchExpiry(payment: Payment): void {
    const { expiresMs } = payment;
    this.#context.schedule.at(expiresMs, () => {
      if (payment.expiresMs === expiresMs) this.apply(payment, 'EXPIRY_PASSED');
    });
  }

  expireNow(payment: Payment): void {
    requireOpen(payment);
    payment.expiresMs = this.#context.schedule.now().getTime();
    payment.version += 1;
    this.apply(payment, 'EXPIRY_PASSED');
  }

  #find({ status }: Payment, cause: string) {
    return tables.TRANSITIONS.find((row) => row[0] === status && row[1] === cause);
  }

  /** Changes a status by the table. @returns false: the table has no such transition */
  apply(payment: Payment, cause: string, reason: string | null = null): boolean {
    const row = this.#find(payment, cause);
    if (!row) return false;
    const [, , to, rule, webhook, isLate] = row;
    const now = this.#context.schedule.now().toISOString();
    if (cause === 'PAYMENT_SUCCEEDED') {
      payment.sums.received += payment.amountCents - heldCents(payment);
      const networkReference = `SIM-${payment.id.slice(-12).toUpperCase()}`;
      const institution = 'Sandbox Simulator';
      payment.payment = { institution, networkReference, completedDateTime: now };
    }
    if (rule === 'CLEARED') payment.reason = null;
    else if (rule !== 'KEPT') payment.reason = rule === 'SET' ? (reason ?? 'PAYER_DECLINED') : rule;
    payment.status = to;
    payment.paidLate ||= isLate;
    payment.version += 1;
    payment.events.push({ status: to, dateTime: now });
    if (webhook) this.emit(payment, webhook);
    return true;
  }

  emit(payment: Payment, type: AnyWebhookEventType): void {
    const { name } = payment.fields.payer as { readonly name: string };
    payment.sequence += 1;
    this.#context.emit({
      type,
      message: tables.EVENT_TYPES[type][3] ?? tables.STATUS_REASONS[payment.reason ?? ''] ?? '',
      resource: this.render(payment),
      sequence: payment.sequence,
      ownUrl: payment.fields.webhookUrl ?? payment.fields.callbackUrl,
      misbehaviour: tables.MISBEHAVIOURS[name.split(':')[0] ?? ''],
    });
  }

  /** The members of every answer and webhook, in their order. */
  render(payment: Payment): object {
    const { id, fields, reason, sums, shortCode } = payment;
    const { currency, merchant, origin } = this.#context;
    const expiry = new Date(payment.expiresMs).toISOString();
    const link = `${origin}/pay`;
    const shown: Members = {
      ...fields,
      amount: decimal(payment.amountCents),
      currency,
      dueDate: fields.dueDate ?? expiry.slice(0, 10),
    };
    return {
      id,
      ...Object.fromEntries(tables.ANSWERED_FIELDS.map((name) => [name, shown[name]])),
      merchant,
      status: payment.status,
      statusReason: reason ? { code: reason, message: tables.STATUS_REASONS[reason] } : undefined,
      paidLate: payment.paidLate || undefined,
      payment: payment.payment
        ? { ...payment.payment, amountReceived: decimal(sums.received) }
        : undefined,
      refundSummary: payment.payment ? summaryOf(payment) : undefined,
      createdDateTime: new Date(payment.createdMs).toISOString(),
      expiryDateTime: expiry,
      shortCode,
      paymentLink: `${link}/${shortCode}`,
      qrCodeLink: `${link}/qr/${shortCode}`,
      events: payment.events,
      links: [{ rel: 'payment-request', href: `${origin}/v1/payment-requests/${id}` }],
    };
  }
}

function summaryOf(payment: Payment): object {
  const { received, returned, refunded, refunding } = payment.sums;
  const part = refunded < heldCents(payment) ? 'PARTIAL' : 'FULL';
  return {
    status: refunding > 0 ? 'PENDING' : refunded === 0 ? 'NONE' : part,
    amountReceived: decimal(received),
    amountReturned: decimal(returned),
    amountRefunded: decimal(refunded),
    amountAvailable: decimal(availableCents(payment)),
  };
}
