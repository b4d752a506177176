import type { LoadRequest } from '../load/generate-load.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

/** A request of the load generator without its amount. */
export type Call = Pick<LoadRequest, 'url' | 'method' | 'headers' | 'others' | 'expectedStatus'> & {
  readonly body?: string;
};

const NEW_PAYMENT_REQUEST = JSON.stringify({
  merchantTransactionId: '0f8fad5bd9cb469fa165708677289501',
  amount: 25.5,
  type: 'ECOMM',
  payer: { name: 'Ada Payer', email: 'ada@example.com', preferredLanguage: 'en' },
  displayMessage: 'Thank you for your order',
  invoiceNumber: 'INV-20261',
});

export function createCall(service: ServiceUnderTest): Call & { readonly body: string } {
  return {
    url: `${service.url}/v1/payment-requests`,
    method: 'POST',
    headers: { ...service.headers, 'content-type': 'application/json' },
    body: NEW_PAYMENT_REQUEST,
    expectedStatus: 201,
  };
}

/** The smallest refund, so that one payment request has enough money for all rounds. */
const NEW_REFUND = JSON.stringify({ amount: 0.01, reason: 'OTHER' });

/** The call needs a new `Idempotency-Key` each time: `[<number>]`. */
export function refundCall({ url, headers }: ServiceUnderTest, id: string): Call {
  return {
    url: `${url}/v1/payment-requests/${id}/refunds`,
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'idempotency-key': 'bench-[<number>]',
    },
    body: NEW_REFUND,
    expectedStatus: 201,
  };
}

export function readCall({ url, headers }: ServiceUnderTest, id: string): Call {
  return { url: `${url}/v1/payment-requests/${id}`, method: 'GET', headers, expectedStatus: 200 };
}

export function listCall({ url, headers }: ServiceUnderTest): Call {
  return { url: `${url}/v1/payment-requests`, method: 'GET', headers, expectedStatus: 200 };
}

export function tokenCall({ url, merchant }: ServiceUnderTest): Call {
  const basic = Buffer.from(`${merchant.username}:${merchant.password}`).toString('base64');
  return {
    url: `${url}/oauth2/token`,
    method: 'POST',
    headers: {
      authorization: `Basic ${basic}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials&scope=payment_request%2Fall',
    expectedStatus: 200,
  };
}

export interface CreatedPaymentRequest {
  readonly id: string;
  readonly shortCode: string;
  readonly paymentLink: string;
}

/** Creates a payment request with the highest amount and pays it in the sandbox. @returns its id */
export async function createPaid({ url, headers }: ServiceUnderTest): Promise<string> {
  const post = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} answered ${await response.text()}`);
    return response.json() as Promise<{ readonly id: string }>;
  };
  const payer = { name: 'Ada Payer', email: 'ada@example.com' };
  const { id } = await post('/v1/payment-requests', { amount: 10_000, type: 'ECOMM', payer });
  await post(`/v1/sandbox/payment-requests/${id}/simulations`, { outcome: 'PAID' });
  return id;
}

/** Makes the call of `createCall` once. @throws Error when the answer is not 201 */
export async function createPaymentRequest(
  service: ServiceUnderTest,
): Promise<CreatedPaymentRequest> {
  const { url, method, headers, body } = createCall(service);
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`A create answered ${response.status}: ${text}`);
  return JSON.parse(text) as CreatedPaymentRequest;
}
