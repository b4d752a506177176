import { KEPT_FIELDS } from '#payment-requests/model/field-lists.ts';
import type { Field, KeptValues } from '#payment-requests/model/field-types.ts';
import { FIELDS, PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import { NO_SUMS } from '#payment-requests/model/money/sums.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import { type PublicSettings, renderPaymentRequest } from '#payment-requests/model/render-json.ts';
import { NIL_PAYMENT_REQUEST } from '#webhooks/model/delivery.ts';
import { renderWebhookMessage } from '#webhooks/model/message.ts';

export interface TestWebhook {
  readonly id: string;
  readonly sequence: number;
  readonly createdAt: Date;
  readonly merchant: PaymentRequest['merchant'];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MESSAGE = 'This is a test. No payment took place.';
/** No payment link has it, as far as chance allows: 62^16 short codes exist. */
const SHORT_CODE = 'TESTtestTESTtest';
/** Parsed and written again, both lose their form: 10, and the letter itself. */
const AMOUNT_CENTS = 1000;
const ESCAPED_LETTER = ['é', '\\u00e9'] as const;

/**
 * Renders the body of a test (delivery §3): a whole payment request that failed, and `test` after
 * the members of a webhook. The bytes do not survive parsing and writing: a listener that verifies
 * a rewritten body would refuse every real amount that ends in 0.
 *
 * @param extra further members, as a later version may add
 */
export function renderTestWebhook(
  { merchant, ...event }: TestWebhook,
  settings: PublicSettings,
  extra: object = {},
): string {
  const failed = failedPaymentRequest(merchant, event.createdAt);
  const body = renderWebhookMessage({
    ...event,
    eventType: 'PAYMENT-FAILED',
    message: MESSAGE,
    resource: renderPaymentRequest(failed, settings).replaceAll(...ESCAPED_LETTER),
  });
  return `${body.slice(0, -1)},${JSON.stringify({ test: true, ...extra }).slice(1)}`;
}

/** A payment request with the examples of all fields, which failed. */
export function failedPaymentRequest(
  merchant: PaymentRequest['merchant'],
  now: Date,
): PaymentRequest {
  const createdAt = new Date(now.getTime() - MINUTE_MS);
  return {
    ...(examplesOf(FIELDS, KEPT_FIELDS) as KeptValues<typeof FIELDS>),
    payer: examplesOf(PAYER_FIELDS, Object.keys(PAYER_FIELDS)) as PaymentRequest['payer'],
    id: NIL_PAYMENT_REQUEST,
    merchant,
    amountCents: AMOUNT_CENTS,
    invoiceNumber: '1042',
    displayMessage: 'A test – one café au lait',
    emailTemplateId: null,
    messagePlan: null,
    linkMessage: null,
    webhook: null,
    shortCode: SHORT_CODE,
    status: 'FAILED',
    statusReason: { code: 'PAYER_DECLINED', message: MESSAGE },
    paidLate: false,
    payment: null,
    sums: NO_SUMS,
    createdAt,
    expiresAt: new Date(now.getTime() + DAY_MS),
    dueDate: null,
    events: [
      { status: 'CREATED', occurredAt: createdAt },
      { status: 'FAILED', occurredAt: now },
    ],
    traceparent: null,
    version: 2,
    webhookSequence: 1,
  };
}

/** The examples of the fields; null for a field without one, as a field that was not sent. */
function examplesOf(table: Readonly<Record<string, Field>>, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, table[name]?.example ?? null]));
}
