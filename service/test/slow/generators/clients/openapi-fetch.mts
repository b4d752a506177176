import createClient from 'openapi-fetch';
import { credentials, report } from './environment.mjs';
import type { paths } from './generated/openapi-typescript.js';

const { origin, username, password, apiKey } = credentials;
const client = createClient<paths>({ baseUrl: origin });

const basic = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const token = await client.POST('/oauth2/token', {
  headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
  body: { grant_type: 'client_credentials' },
  bodySerializer: (body) => new URLSearchParams(body as Record<string, string>).toString(),
});
if (!token.data) throw new Error(JSON.stringify(token.error));

client.use({
  onRequest({ request }) {
    request.headers.set('authorization', `Bearer ${token.data.access_token}`);
    request.headers.set('x-api-key', apiKey);
  },
});
const created = await client.POST('/v1/payment-requests', {
  params: { header: { 'Idempotency-Key': 'openapi-fetch-1' } },
  body: {
    amount: 10.5,
    type: 'ECOMM',
    payer: { name: 'Ada', email: 'ada@example.com' },
  },
});
if (!created.data) throw new Error(JSON.stringify(created.error));
const { id } = created.data;
const read = await client.GET('/v1/payment-requests/{id}', { params: { path: { id } } });
const list = await client.GET('/v1/payment-requests', {
  params: { query: { status: ['CREATED', 'PAID'], limit: 5 } },
});
const cancelled = await client.POST('/v1/payment-requests/{id}/cancellation', {
  params: { path: { id } },
});
const refused = await client.GET('/v1/payment-requests/{id}', { params: { path: { id: 'none' } } });

report({
  amount: created.data.amount,
  statuses: [read.data?.status, cancelled.data?.status],
  // The list is CSV for those who ask for CSV, so its type is both.
  listed: typeof list.data === 'object' && list.data.data.some((each) => each.id === id),
  refusal: refused.error?.code,
});
