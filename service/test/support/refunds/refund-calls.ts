import assert from 'node:assert/strict';
import type { Answer, TestMerchant, TestService } from '../service/service.ts';

/** The calls of one merchant about refunds. */
export interface RefundCalls {
  /** A refund; an object is sent as JSON, text as it is. */
  refund(
    paymentRequestId: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** A refund that must be created. */
  created(paymentRequestId: string, members?: object): Promise<Answer>;
  read(refundId: string, query?: string, headers?: Record<string, string>): Promise<Answer>;
  list(query?: string, headers?: Record<string, string>): Promise<Answer>;
  ofPayment(paymentRequestId: string, query?: string): Promise<Answer>;
  simulate(refundId: string, body: unknown): Promise<Answer>;
}

const JSON_TYPE = { 'content-type': 'application/json' };
let count = 0;

/** A merchantRefundId that no test has used. */
export function newRefundId(): string {
  count += 1;
  return `refund-${count}`;
}

export function refundCalls(
  { call }: Pick<TestService, 'call'>,
  merchant: Pick<TestMerchant, 'headers'>,
): RefundCalls {
  const withHeaders = (more: Record<string, string> = {}) => ({ ...merchant.headers, ...more });
  const refund: RefundCalls['refund'] = (id, body, headers) =>
    call('POST', `/v1/payment-requests/${id}/refunds`, {
      headers: withHeaders({ ...(typeof body === 'string' && JSON_TYPE), ...headers }),
      body,
    });
  return {
    refund,
    async created(id, members = {}) {
      const answer = await refund(id, { merchantRefundId: newRefundId(), ...members });
      assert.equal(answer.status, 201, answer.text);
      return answer;
    },
    read: (id, query = '', headers) =>
      call('GET', `/v1/refunds/${id}${query}`, { headers: withHeaders(headers) }),
    list: (query = '', headers) =>
      call('GET', `/v1/refunds${query}`, { headers: withHeaders(headers) }),
    simulate: (id, body) =>
      call('POST', `/v1/sandbox/refunds/${id}/simulations`, { headers: merchant.headers, body }),
    ofPayment: (id, query = '') =>
      call('GET', `/v1/payment-requests/${id}/refunds${query}`, { headers: merchant.headers }),
  };
}

/** A sandbox payment request that is PAID. */
export async function createPaid(
  service: Pick<TestService, 'call'>,
  { headers }: Pick<TestMerchant, 'headers'>,
  amount = 12.34,
): Promise<string> {
  const payer = { name: 'Ada Payer', email: 'ada@example.com' };
  const created = await service.call('POST', '/v1/payment-requests', {
    headers,
    body: { amount, type: 'ECOMM', payer, invoiceNumber: 'ORDER-7' },
  });
  const { id } = created.json;
  const paid = await service.call('POST', `/v1/sandbox/payment-requests/${id}/simulations`, {
    headers,
    body: { outcome: 'PAID' },
  });
  assert.equal(paid.json?.status, 'PAID', paid.text);
  return id;
}
