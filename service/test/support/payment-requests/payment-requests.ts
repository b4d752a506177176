import assert from 'node:assert/strict';
import type { Answer, TestMerchant, TestService } from '../service/service.ts';

/** The smallest body that creates a payment request. */
export const SMALLEST_BODY = {
  amount: 12.34,
  type: 'ECOMM',
  payer: { name: 'Ada Payer', email: 'ada@example.com' },
};

/** The settings of a deployment that answers show, for tests of a use case. */
export const PUBLIC_SETTINGS = {
  publicApiUrl: 'https://pay.test/v1',
  paymentLinkBase: 'https://pay.test/pay',
  currency: 'CAD',
};

export interface PaymentRequestCalls {
  /** Creates one, with these members beside the smallest body's, and gives the answer. */
  create(members?: object): Promise<Answer>;
  read(id: string): Promise<Answer>;
  cancel(id: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  update(id: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  simulate(id: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  advance(id: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  timeline(id: string, query?: string): Promise<Answer>;
}

/** The calls of one merchant about payment requests. */
export function paymentRequestCalls(
  { call }: Pick<TestService, 'call'>,
  merchant: Pick<TestMerchant, 'headers'>,
): PaymentRequestCalls {
  const base = '/v1/payment-requests';
  const sandbox = '/v1/sandbox/payment-requests';
  const headersWith = (more: Record<string, string> = {}) => ({ ...merchant.headers, ...more });
  return {
    async create(members = {}) {
      const body = { ...SMALLEST_BODY, ...members };
      const answer = await call('POST', base, { headers: merchant.headers, body });
      assert.equal(answer.status, 201, answer.text);
      return answer;
    },
    read: (id) => call('GET', `${base}/${id}`, { headers: merchant.headers }),
    cancel: (id, body, headers) =>
      call('POST', `${base}/${id}/cancellation`, { headers: headersWith(headers), body }),
    update: (id, body, headers) =>
      call('PATCH', `${base}/${id}`, { headers: headersWith(headers), body }),
    simulate: (id, body, headers) =>
      call('POST', `${sandbox}/${id}/simulations`, { headers: headersWith(headers), body }),
    advance: (id, body, headers) =>
      call('POST', `${sandbox}/${id}/advance`, { headers: headersWith(headers), body }),
    timeline: (id, query = '') =>
      call('GET', `${base}/${id}/timeline${query}`, { headers: merchant.headers }),
  };
}

/** The statuses that an answered payment request or refund has had. */
export function statusesOf({ json }: Answer): string[] {
  return json.events.map(({ status }: { status: string }) => status);
}

/** The field faults of a refused call: `[field, code]` each. */
export function faultsOf({ json }: Answer): [string, string][] {
  return (json.errors ?? []).map((fault: { field: string; code: string }) => [
    fault.field,
    fault.code,
  ]);
}
