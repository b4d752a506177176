import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { amountNumber } from '#lib/money.ts';
import { ANSWERED_FIELDS } from '#payment-requests/model/field-lists.ts';
import { PAYER_FIELDS } from '#payment-requests/model/fields.ts';
import type { PaymentRequest } from '#payment-requests/model/payment-request.ts';
import {
  type PublicSettings,
  paymentRequestMembers,
  renderPaymentRequest,
} from '#payment-requests/model/render-json.ts';
import { STATUSES } from '#payment-requests/model/statuses.ts';
import { anyCharacter } from '../../support/schemas/schema-arbitrary.ts';

const AT = '2026-03-01T10:00:00.000Z';
const SETTINGS: PublicSettings = {
  publicApiUrl: 'https://pay.example/v1',
  paymentLinkBase: 'https://pay.example/r',
  currency: 'CAD',
};
const SUMS = { receivedCents: 1_000, returnedCents: 200, refundedCents: 300, refundingCents: 50 };

const text = fc.string({
  unit: fc.oneof(anyCharacter, fc.constantFrom('"', '\\', '\n', '\ud800')),
});
const anyText = fc.oneof(text, fc.constant(null));

/** A payment request with a text, or null, in each field that has no form of its own. */
const paymentRequest = fc
  .record({
    fields: fc.array(anyText, { minLength: 40, maxLength: 40 }),
    name: text,
    status: fc.constantFrom(...STATUSES),
    isPaid: fc.boolean(),
    field: fc.constantFrom('webhookUrl', 'callbackUrl', null),
  })
  .map(({ fields, name, status, isPaid, field }) => {
    const filled = (names: readonly string[], first: number) =>
      names.map((each, at) => [each, fields[first + at] ?? null]);
    return {
      ...Object.fromEntries(filled(ANSWERED_FIELDS, 0)),
      payer: {
        ...Object.fromEntries(filled(Object.keys(PAYER_FIELDS), ANSWERED_FIELDS.length)),
        name,
      },
      id: '01900000-0000-7000-8000-000000000001',
      merchant: { id: 'mer_1', name },
      amountCents: 1_230,
      dueDate: null,
      emailTemplateId: fields[0] ?? null,
      webhook: field === null ? null : { field, url: name },
      status,
      statusReason: isPaid ? null : { code: 'REFUSED', message: name },
      paidLate: isPaid,
      payment: isPaid
        ? { institution: name, networkReference: name, completedAt: new Date(AT) }
        : null,
      sums: SUMS,
      shortCode: 'abc',
      createdAt: new Date(AT),
      expiresAt: new Date(AT),
      events: [status, status].map((each) => ({ status: each, occurredAt: new Date(AT) })),
    } as unknown as PaymentRequest;
  });

/** The members by contract §4, made without the rendering. */
function expectedMembers(p: PaymentRequest): object {
  const own: Readonly<Record<string, unknown>> = {
    amount: amountNumber(1_230),
    currency: 'CAD',
    dueDate: AT.slice(0, 10),
    emailTemplate: p.emailTemplateId === null ? undefined : { id: p.emailTemplateId },
    webhookUrl: p.webhook?.field === 'webhookUrl' ? p.webhook.url : undefined,
    callbackUrl: p.webhook?.field === 'callbackUrl' ? p.webhook.url : undefined,
  };
  const present = (source: object, names: readonly string[]) =>
    names.map((name) => [name, (source as Record<string, unknown>)[name] ?? undefined]);
  const payer = Object.fromEntries(present(p.payer, Object.keys(PAYER_FIELDS)));
  const amountReceived = amountNumber(1_000);
  return {
    id: p.id,
    ...Object.fromEntries(present(p, ANSWERED_FIELDS)),
    payer,
    ...own,
    merchant: p.merchant,
    status: p.status,
    statusReason: p.statusReason ?? undefined,
    paidLate: p.paidLate || undefined,
    payment: p.payment
      ? {
          institution: p.payment.institution,
          networkReference: p.payment.networkReference,
          completedDateTime: AT,
          amountReceived,
        }
      : undefined,
    createdDateTime: AT,
    expiryDateTime: AT,
    shortCode: 'abc',
    paymentLink: 'https://pay.example/r/abc',
    qrCodeLink: 'https://pay.example/r/qr/abc',
    events: p.events.map(({ status }) => ({ status, dateTime: AT })),
    links: [{ rel: 'payment-request', href: `https://pay.example/v1/payment-requests/${p.id}` }],
  };
}

describe('the JSON of a payment request', () => {
  it('has each member of contract §4 with its text, in any status', () => {
    fc.assert(
      fc.property(paymentRequest, (p) => {
        const { refundSummary, ...members } = JSON.parse(renderPaymentRequest(p, SETTINGS));
        assert.deepEqual(members, JSON.parse(JSON.stringify(expectedMembers(p))));
        assert.equal(refundSummary !== undefined, p.payment !== null);
      }),
    );
  });

  it('is the text that JSON.stringify makes of its members', () => {
    fc.assert(
      fc.property(paymentRequest, (p) => {
        const rendered = renderPaymentRequest(p, SETTINGS);
        assert.equal(JSON.stringify(paymentRequestMembers(p, SETTINGS)), rendered);
      }),
    );
  });
});
