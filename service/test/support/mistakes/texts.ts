import { SMALLEST_BODY } from '../payment-requests/payment-requests.ts';

import { type Mistake, REQUESTS } from './mistake.ts';
import { NOT_A_PARAMETER } from './names.ts';

const REFUNDS = `${REQUESTS}/{id}/refunds`;
const SIMULATE = '/v1/sandbox/payment-requests/{id}/simulations';

/** Lists, and texts of single fields and headers. */
export const TEXTS: Record<string, Mistake> = {
  'a refund in another currency': {
    call: ['POST', REFUNDS, { amount: 5, currency: 'EUR', merchantRefundId: '{new}' }],
    status: 400,
    before: '201 with "currency":"CAD"',
    after: /^Give currency as CAD, the currency of this service, or leave it out\.$/,
  },
  'a repeated list of the feed': {
    call: ['GET', '/v1/events?eventTypes=PAYMENT-FAILED&eventTypes=REFUND-FAILED'],
    status: 200,
    before: 'Give eventTypes as a string.',
    after: /^$/,
  },
  'statuses with commas': {
    call: ['GET', `${REQUESTS}?status=CREATED,PAID`],
    status: 200,
    before: 'For several values repeat the parameter.',
    after: /^$/,
  },
  'deliveries of two statuses': {
    call: ['GET', '/v1/webhook-deliveries?status=PENDING,EXHAUSTED'],
    status: 200,
    before: 'Give status as PENDING or SUCCEEDED or EXHAUSTED.',
    after: /^$/,
  },
  'the refunds of a payment request': {
    call: ['GET', '/v1/refunds?paymentRequestId={id}'],
    status: 200,
    before: NOT_A_PARAMETER,
    after: /^$/,
  },
  'an unknown reason of a simulated refund': {
    call: ['POST', REFUNDS, { amount: 1, message: 'refundFail:FOO', merchantRefundId: '{new}' }],
    status: 400,
    before: '201 with a warning; the refund is COMPLETED',
    after: /^Write refundFail:CODE with CODE as .*NETWORK_REJECTED.*\.$/,
  },
  'no seconds of a simulated refund': {
    call: ['POST', REFUNDS, { amount: 1, message: 'refundSlow', merchantRefundId: '{new}' }],
    status: 400,
    before: '201 with a warning; the refund is COMPLETED after 10 s',
    after: /^Write refundSlow:N with N as whole seconds from 0 to 3600\.$/,
  },
  'no type': {
    call: ['POST', REQUESTS, { ...SMALLEST_BODY, type: undefined }],
    status: 400,
    before: 'Give type.',
    after: /^Give type as ECOMM\.$/,
  },
  'a refund above what is available': {
    call: ['POST', REFUNDS, { amount: 99.5, merchantRefundId: '{new}' }],
    status: 422,
    before: 'The refund is above the amount that is available of the payment.',
    after: /^The refund is above the 12\.34 that is available of the payment\.$/,
  },
  'another amount expected to be available': {
    call: ['POST', REFUNDS, { expectedAmountAvailable: 3, merchantRefundId: '{new}' }],
    status: 412,
    before: 'The amount available differs from expectedAmountAvailable.',
    after: /^12\.34 is available, not expectedAmountAvailable\.$/,
  },
  'a media type that is not there': {
    call: ['GET', REQUESTS],
    headers: { accept: 'application/xml' },
    status: 406,
    before: 'The Accept header allows no media type of this answer.',
    after: /: application\/json or text\/csv\.$/,
  },
  'an instant as seconds': {
    call: ['POST', REQUESTS, { ...SMALLEST_BODY, expiryDateTime: 1_790_000_000 }],
    status: 400,
    before: 'Give expiryDateTime as a string.',
    after: /^Give expiryDateTime as a string, as an RFC 3339 date-time with its time zone, for /,
  },
  'a filter twice': {
    call: ['GET', `${REQUESTS}?merchantTransactionId=a&merchantTransactionId=b`],
    status: 400,
    before: 'Give merchantTransactionId as a string.',
    after: /^Give merchantTransactionId only once\.$/,
  },
  'a webhook URL without its scheme': {
    call: ['POST', REQUESTS, { ...SMALLEST_BODY, webhookUrl: 'shop.example.com/hook' }],
    status: 400,
    before: 'The webhook URL is not a URL.',
    after: /^The webhook URL is not a URL, as in https:\/\/shop\.example\.com\/hook\.$/,
  },
  'a token in quotation marks': {
    call: ['GET', REQUESTS],
    headers: { authorization: 'Bearer "eyJhbGciOiJFZERTQSJ9.e30.c2ln"' },
    status: 401,
    before: 'The access token is not valid in this environment.',
    after: /is no access token\. Send the access_token .* without quotation marks\.$/,
  },
  'Bearer at the token call': {
    call: ['POST', '/oauth2/token', 'grant_type=client_credentials'],
    headers: { authorization: 'Bearer abc', 'content-type': 'application/x-www-form-urlencoded' },
    status: 401,
    before: 'No valid username and password of the sandbox environment were sent.',
    after: /Send them by HTTP Basic \(Authorization: Basic\), or as client_id and client_secret/,
  },
  'an unknown member of a creation': {
    call: ['POST', REQUESTS, { ...SMALLEST_BODY, displaymessage: 'Hello' }],
    status: 201,
    before: '201, without a warning',
    after: /^Members of the body that are ignored: displaymessage\. Prefer: handling=strict /,
  },
  'an unknown member of a payer': {
    call: ['POST', REQUESTS, { ...SMALLEST_BODY, payer: { ...SMALLEST_BODY.payer, phone: '1' } }],
    status: 201,
    before: '201, without a warning',
    after: /ignored: payer\.phone\. /,
  },
  'an unknown member, asked for strictly': {
    call: ['POST', REQUESTS, { ...SMALLEST_BODY, displaymessage: 'Hello' }],
    headers: { prefer: 'handling=strict' },
    status: 400,
    before: 'displaymessage is not a field of this call.',
    after: /^displaymessage is not a field of this call\. Did you mean displayMessage\?$/,
  },
  'an unknown member of an endpoint': {
    call: ['POST', '/v1/webhook-endpoints', { url: 'https://8.8.8.8/', signingSecret: 'whsec_1' }],
    status: 201,
    before: '201, without a warning',
    after: /ignored: signingSecret\. /,
  },
  'the amount of a simulation': {
    call: ['POST', SIMULATE.replace('{id}', '{open}'), { outcome: 'PAID', amount: 1 }],
    status: 202,
    before: '202 and PAID in full, without a warning',
    after: /ignored: amount\. /,
  },
  'a report of a later year': {
    call: ['GET', '/v1/reports/reconciliation?date=2030-01-01'],
    status: 400,
    before: '200 and an empty report',
    after: /^Give date as a day that has begun\.$/,
  },
};
