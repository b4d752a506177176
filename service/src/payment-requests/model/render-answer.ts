import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { partedTag } from '#http/headers/entity-tag.ts';
import type { StoredAnswer } from '#idempotency/stored-answer.ts';
import type { PaymentRequest } from './payment-request.ts';
import { type PublicSettings, renderPaymentRequest } from './render-json.ts';

/** Two messages of one payment request have equal parts once in four thousand million cases. */
const PART_LENGTH = 8;

/** Renders a payment request as an answer that can be kept; 201 names its location. */
export function paymentRequestAnswer(
  status: 200 | 201 | 202,
  paymentRequest: PaymentRequest,
  settings: PublicSettings,
): StoredAnswer {
  const location = `${settings.publicApiUrl}/payment-requests/${paymentRequest.id}`;
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      etag: entityTagOf(paymentRequest),
      ...(status === 201 && { location }),
    },
    body: renderPaymentRequest(paymentRequest, settings),
  };
}

/** The version, and behind it what the answer shows of the message with the link (messages §1). */
export function entityTagOf({ version, linkMessage }: PaymentRequest): string {
  const part = linkMessage && hash('sha256', JSON.stringify(linkMessage)).slice(0, PART_LENGTH);
  return partedTag(version, part);
}

/** Answers 200 with a payment request and its entity tag. */
export function sendPaymentRequest(
  reply: FastifyReply,
  paymentRequest: PaymentRequest,
  settings: PublicSettings,
): FastifyReply {
  return reply
    .header('etag', entityTagOf(paymentRequest))
    .type('application/json; charset=utf-8')
    .send(renderShared(paymentRequest, settings));
}

/** The answer that was rendered last. */
let latest: {
  readonly of: PaymentRequest;
  readonly settings: PublicSettings;
  readonly text: string;
} | null = null;

/**
 * Renders a payment request once for all reads of one statement, which answer with one object right
 * after each other. Callers that wait for one change are answered so, too. An object never changes,
 * and each statement makes new objects, so that no text outlives a change.
 */
function renderShared(of: PaymentRequest, settings: PublicSettings): string {
  if (latest?.of !== of || latest.settings !== settings) {
    latest = { of, settings, text: renderPaymentRequest(of, settings) };
  }
  return latest.text;
}
