import { createHash } from 'node:crypto';
import type { Database } from '../../service/src/database/database.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { newId } from '../../service/src/lib/new-id.ts';
import { FIRST_MESSAGE_SETTINGS } from '../../service/src/merchants/model/message-settings.ts';
import { newPaymentRequest } from '../../service/src/payment-requests/create/check-fields.ts';
import {
  insertPaymentRequests,
  type NewRow,
} from '../../service/src/payment-requests/create/insert-store.ts';
import { CONTRACT_TIMES } from '../../service/src/payment-requests/model/expiry.ts';
import { newShortCode } from '../../service/src/payment-requests/model/short-code.ts';
import {
  type ChangeStatusDeps,
  changeStatus,
} from '../../service/src/payment-requests/status/change-status.ts';
import { expirePaymentRequests } from '../../service/src/payment-requests/status/expire-overdue.ts';
import { enqueueWebhookEvents } from '../../service/src/webhooks/events/outbox.ts';
import { OWNERS } from './seed-rows.ts';

/** The needs of a change of status; no sender and no waiter is notified. */
export function changeStatusDeps(db: Database): ChangeStatusDeps {
  return {
    db,
    clock: systemClock,
    settings: {
      publicApiUrl: 'https://api.example.com/v1',
      paymentLinkBase: 'https://api.example.com/pay',
      currency: 'CAD',
    },
    wakeSenders: () => {},
    onStatusChanged: () => {},
    onCaseOpened: () => {},
  };
}

/** Reports the payment of an inserted row, which writes the webhook event too. */
export function payRow(db: Database, { identity, asked }: NewRow) {
  return changeStatus(changeStatusDeps(db), identity.id, {
    name: 'PAYMENT_SUCCEEDED',
    amountCents: asked.amountCents,
    institution: 'Maple Bank',
    networkReference: 'REF-1',
    completedAt: new Date(),
  });
}

/** Writes the expiries that are due: real time goes on after the seed. */
export async function expireAll(db: Database): Promise<void> {
  const { signal } = new AbortController();
  while (await expirePaymentRequests(changeStatusDeps(db), signal));
}

/** Writes a webhook event of the usual size, as a change of status does. */
export async function enqueueEvent(db: Database, merchantId: string): Promise<void> {
  const paymentRequestId = newId();
  await enqueueWebhookEvents(db, [
    {
      merchantId,
      paymentRequestId,
      sequence: 1,
      eventType: 'PAYMENT-COMPLETED',
      message: 'The payer completed the transaction.',
      resource: JSON.stringify({ id: paymentRequestId, amount: 149.95, note: 'x'.repeat(900) }),
      webhookUrl: `https://hooks.${merchantId}.example/payments`,
      createdAt: new Date(),
    },
  ]);
}

/** Makes a row of the giant merchant with a value for every filter of the list. */
export function newRow(expiresInMs = 86_400_000): NewRow {
  const id = newId();
  const h = createHash('md5').update(id).digest('hex');
  const t = Number.parseInt(h.slice(0, 7), 16);
  const amountCents = 500 + (t % 60_000);
  const now = new Date();
  return {
    identity: {
      id,
      shortCode: newShortCode(1),
      merchantId: OWNERS.giant,
      requestId: null,
      traceparent: null,
    },
    isTransactionIdUnique: false,
    asked: newPaymentRequest(
      {
        merchantTransactionId: h,
        amount: amountCents / 100,
        type: 'ECOMM',
        payer: {
          name: `Payer ${t}`,
          email: `Payer${t % 2_000_003}@example.com`,
          mobileNumber: `+1 (416) ${1_000_000 + (t % 3_000_017)}`,
        },
        expiryDateTime: new Date(now.getTime() + expiresInMs).toISOString(),
        displayMessage: `Thank you for your order ${t}`,
        invoiceNumber: `INV-${t}`,
        businessUnit: 'web',
        metadata: { orderId: `${t}` },
      },
      { amountCents, now, times: CONTRACT_TIMES, messageSettings: FIRST_MESSAGE_SETTINGS },
    ),
  };
}

/** Inserts payment requests. @returns their rows */
export async function insertRows(
  db: Database,
  count: number,
  expiresInMs?: number,
): Promise<NewRow[]> {
  const rows = Array.from({ length: count }, () => newRow(expiresInMs));
  await insertPaymentRequests(db, rows);
  return rows;
}
