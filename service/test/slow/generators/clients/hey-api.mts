import { credentials, report } from './environment.mjs';
import { client } from './generated/hey-api/client.gen.js';
import {
  cancelPaymentRequest,
  createAccessToken,
  createPaymentRequest,
  getPaymentRequest,
  listPaymentRequests,
} from './generated/hey-api/sdk.gen.js';

const { origin, username, password, apiKey } = credentials;
client.setConfig({ baseUrl: origin });

const token = await createAccessToken({
  auth: () => `${username}:${password}`,
  body: { grant_type: 'client_credentials' },
});
if (!token.data) throw new Error(JSON.stringify(token.error));
const { access_token: accessToken } = token.data;

client.setConfig({
  auth: ({ type }) => (type === 'apiKey' ? apiKey : accessToken),
});
const created = await createPaymentRequest({
  headers: { 'Idempotency-Key': 'hey-api-1' },
  body: {
    amount: 10.5,
    type: 'ECOMM',
    payer: { name: 'Ada', email: 'ada@example.com' },
  },
});
if (!created.data) throw new Error(JSON.stringify(created.error));
const { id } = created.data;
const read = await getPaymentRequest({ path: { id } });
const list = await listPaymentRequests({ query: { status: ['CREATED', 'PAID'], limit: 5 } });
const cancelled = await cancelPaymentRequest({ path: { id } });
const refused = await getPaymentRequest({ path: { id: 'none' } });

report({
  amount: created.data.amount,
  statuses: [read.data?.status, cancelled.data?.status],
  listed: list.data?.data.map((each) => each.id).includes(id),
  refusal: refused.error?.code,
});
