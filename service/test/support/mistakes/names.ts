import { SMALLEST_BODY } from '../payment-requests/payment-requests.ts';

import { type Mistake, REQUESTS } from './mistake.ts';

export const NOTHING = 'There is nothing at this address.';
const NO_REQUEST = 'There is no payment request with this id.';
export const NOT_A_PARAMETER = '… is not a parameter of this call.';
const LIST = /The parameters are status, networkReference, .*, limit, cursor\./;
const TOKEN_ADDRESS = /The address of the token call is https:\/\/pay\.test\/oauth2\/token\./;
const nearest = (path: string) => new RegExp(`The nearest address is [A-Z, ]+ ${path}\\. `);

/** Unknown addresses, and texts in place of an id. */
export const ADDRESSES: Record<string, Mistake> = {
  'the token call behind the base URL': {
    call: ['POST', '/v1/oauth2/token'],
    before: NOTHING,
    after: TOKEN_ADDRESS,
  },
  'the token call of another service': {
    call: ['POST', '/oauth/token'],
    before: NOTHING,
    after: TOKEN_ADDRESS,
  },
  'the singular': {
    call: ['POST', '/v1/payment-request', SMALLEST_BODY],
    before: NOTHING,
    after: nearest(REQUESTS),
  },
  'an underscore': {
    call: ['POST', '/v1/payment_requests', SMALLEST_BODY],
    before: NOTHING,
    after: nearest(REQUESTS),
  },
  'no version': { call: ['GET', '/payment-requests'], before: NOTHING, after: nearest(REQUESTS) },
  'a version that is not there': {
    call: ['GET', '/v2/payment-requests/{id}'],
    before: NOTHING,
    after: nearest(`${REQUESTS}/\\{id\\}`),
  },
  'two slashes': {
    call: ['GET', '/v1//payment-requests'],
    before: NOTHING,
    after: /two slashes in a row.* The nearest address is POST, GET \/v1\/payment-requests\./,
  },
  'an empty id': {
    call: ['GET', '/v1/payment-requests//timeline'],
    before: NOTHING,
    after: /the text between them is empty.* \/v1\/payment-requests\/\{id\}\/timeline\./,
  },
  'the verb of cancelling': {
    call: ['POST', `${REQUESTS}/{id}/cancel`],
    before: NOTHING,
    after: nearest(`${REQUESTS}/\\{id\\}/cancellation`),
  },
  'a single refund': {
    call: ['POST', `${REQUESTS}/{id}/refund`],
    before: NOTHING,
    after: nearest(`${REQUESTS}/\\{id\\}/refunds`),
  },
  'the start of an address': {
    call: ['GET', '/v1/reports'],
    before: NOTHING,
    after: nearest('/v1/reports/reconciliation'),
  },
  'the timeline of a refund': {
    call: ['GET', '/v1/refunds/{id}/timeline'],
    before: NOTHING,
    after: nearest('/v1/refunds/\\{id\\}'),
  },
  'an address that is near to none': {
    call: ['GET', '/v1/nothing/like/it'],
    before: NOTHING,
    after:
      /^There is nothing at this address\. All calls are listed at https:\/\/pay\.test\/docs\.$/,
  },
  'a short code': {
    call: ['GET', `${REQUESTS}/{code}`],
    before: NO_REQUEST,
    after: /short code in place of an id; GET \/payment-requests\?shortCode=… finds it/,
  },
  'an empty variable': {
    call: ['GET', `${REQUESTS}/undefined`],
    before: NO_REQUEST,
    after: /placeholder or an empty variable in place of an id\. An id is a UUID/,
  },
  'a placeholder': {
    call: ['POST', `${REQUESTS}/%7Bid%7D/cancellation`],
    before: NO_REQUEST,
    after: /placeholder or an empty variable in place of an id\. An id is a UUID/,
  },
  'the own id of a refund': {
    call: ['GET', '/v1/refunds/{ref}'],
    before: 'There is no refund with this id.',
    after: /is no id\. An id is a UUID.*GET \/refunds\?merchantRefundId=…/,
  },
};

/** Parameters that a call lacks. */
export const PARAMETERS: Record<string, Mistake> = Object.fromEntries(
  (
    [
      [`${REQUESTS}?page=2`, LIST],
      [`${REQUESTS}?after=x`, LIST],
      [`${REQUESTS}?sort=amount`, LIST],
      [`${REQUESTS}?fields=id`, LIST],
      [`${REQUESTS}?stauts=PAID`, /Did you mean status\? The parameters are/],
      ['/v1/webhook-deliveries?endpoint={id}', /Did you mean endpointId\?/],
      ['/v1/events?since=x', /The parameters are after, eventTypes, limit, waitSeconds\./],
      ['/v1/reports/reconciliation?from=2026-02-01', /The parameters are date, since\./],
      ['/v1/webhook-endpoints?limit=5', /The call has no parameters\./],
      [`${REQUESTS}?status[]=PAID`, /repeat status, as in status=…&status=…, without brackets/],
      [`${REQUESTS}?status%5B0%5D=PAID`, /repeat status, .* without brackets/],
      [`${REQUESTS}?metadata[order]=7`, LIST],
    ] as const
  ).map(([path, explanation]) => [
    path,
    { call: ['GET', path], status: 400, before: NOT_A_PARAMETER, after: explanation },
  ]),
);
