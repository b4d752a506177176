import { eventually } from '../support/eventually.ts';
import type { EnvironmentCredentials } from './local-project.ts';

/** Asks the token call of an environment. */
export function requestToken(credentials: EnvironmentCredentials, authUrl = credentials.authUrl) {
  const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
  return fetch(authUrl, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
}

/** The headers of an authorised call. */
async function headersOf(credentials: EnvironmentCredentials) {
  const answer = await eventually(async () => {
    const response = await requestToken(credentials);
    return response.ok && ((await response.json()) as { access_token: string });
  });
  return { 'x-api-key': credentials.apiKey, authorization: `Bearer ${answer.access_token}` };
}

/** Creates a payment request over 10.00. */
export async function askForPayment(credentials: EnvironmentCredentials): Promise<Response> {
  return fetch(`${credentials.baseUrl}/payment-requests`, {
    method: 'POST',
    headers: { ...(await headersOf(credentials)), 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: 10,
      type: 'ECOMM',
      payer: { name: 'Pat Payer', email: 'pat@example.com' },
    }),
  });
}

/** The status of the answer to a read. */
export async function readStatus(credentials: EnvironmentCredentials, id: string): Promise<number> {
  const headers = await headersOf(credentials);
  return (await fetch(`${credentials.baseUrl}/payment-requests/${id}`, { headers })).status;
}

/** Reads a path as the merchant. */
export async function readAt(credentials: EnvironmentCredentials, path: string) {
  const headers = await headersOf(credentials);
  const answer = await fetch(`${credentials.baseUrl}${path}`, { headers });
  return (await answer.json()) as { readonly status: string };
}

/** The payment request as its merchant reads it. */
export const readPaymentRequest = (credentials: EnvironmentCredentials, id: string) =>
  readAt(credentials, `/payment-requests/${id}`);

/** Asks for a refund. @returns its id */
export async function askForRefund(
  credentials: EnvironmentCredentials,
  paymentRequestId: string,
  amount: number,
): Promise<string> {
  const path = `/payment-requests/${paymentRequestId}/refunds`;
  const answer = await fetch(`${credentials.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...(await headersOf(credentials)), 'content-type': 'application/json' },
    body: JSON.stringify({ amount, merchantRefundId: `refund-${paymentRequestId}` }),
  });
  return ((await answer.json()) as { id: string }).id;
}

/** The addresses of the merchant's webhook endpoints. */
export async function endpointsOf(credentials: EnvironmentCredentials): Promise<string[]> {
  const headers = await headersOf(credentials);
  const answer = await fetch(`${credentials.baseUrl}/webhook-endpoints`, { headers });
  const { data } = (await answer.json()) as { data: { url: string }[] };
  return data.map(({ url }) => url);
}
