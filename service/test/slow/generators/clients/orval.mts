import { credentials, report } from './environment.mjs';
import {
  cancelPaymentRequest,
  createAccessToken,
  createPaymentRequest,
  getPaymentRequest,
  listPaymentRequests,
} from './generated/orval.js';

const { username, password, apiKey } = credentials;

const token = await createAccessToken(
  { grant_type: 'client_credentials' },
  { headers: { Authorization: `Basic ${btoa(`${username}:${password}`)}` } },
);
if (token.status !== 200) throw new Error(JSON.stringify(token.data));
const authorised = { Authorization: `Bearer ${token.data.access_token}`, 'x-api-key': apiKey };
const options = { headers: authorised };

const created = await createPaymentRequest(
  { amount: 10.5, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } },
  { headers: { ...authorised, 'Idempotency-Key': 'orval-1' } },
);
if (created.status !== 201) throw new Error(JSON.stringify(created.data));
const { id } = created.data;
const read = await getPaymentRequest(id, undefined, options);
const list = await listPaymentRequests({ status: ['CREATED', 'PAID'], limit: 5 }, options);
const cancelled = await cancelPaymentRequest(id, undefined, options);
const refused = await getPaymentRequest('none', undefined, options);

report({
  amount: created.data.amount,
  statuses: [
    read.status === 200 ? read.data.status : undefined,
    cancelled.status === 200 ? cancelled.data.status : undefined,
  ],
  // The type allows the other form of a list, too, which is CSV.
  listed:
    list.status === 200 &&
    typeof list.data !== 'string' &&
    list.data.data.map((each) => each.id).includes(id),
  refusal: refused.status === 404 ? refused.data.code : undefined,
});
