import { insertedRows } from '../limits/inserted-rows.ts';
import type { LineMakers, Sample } from '../line.ts';
import { median } from '../median.ts';
import type { Bench } from '../open-bench.ts';
import { startOidcProvider } from '../peers/start-peer.ts';
import type { Stage } from '../service/service-under-test.ts';
import { type Call, callLine, loadCall } from './call-line.ts';

const BODY = JSON.stringify({
  merchantTransactionId: '0f8fad5bd9cb469fa165708677289501',
  amount: 25.5,
  type: 'ECOMM',
  payer: { name: 'Ada Payer', email: 'ada@example.com', preferredLanguage: 'en' },
  displayMessage: 'Thank you for your order',
  invoiceNumber: 'INV-20261',
});
/** A first page that is full (contract §4, List). */
const PAGE = 20;

/** The calls of a merchant's server. */
export function merchantCallLines(bench: Bench): LineMakers {
  return {
    create: async () => {
      const stage = await bench.stage();
      const rows = await insertedRows(bench, stage, 'create-rows.sql');
      const line = await callLine(bench, stage, {
        name: 'create',
        call: createCall(stage),
        beside: [rows],
      });
      return { ...line, ours: { name: 'ours', run: () => createAtFull(bench, stage) } };
    },
    'create with Idempotency-Key': async () => {
      const stage = await bench.stage();
      const rows = await insertedRows(bench, stage, 'create-rows-with-key.sql');
      const call = createCall(stage);
      return callLine(bench, stage, {
        name: 'create with Idempotency-Key',
        call: { ...call, headers: { ...call.headers, 'idempotency-key': 'bench-[<number>]' } },
        beside: [rows],
      });
    },
    'create at half of its highest': async () => {
      const stage = await bench.stage();
      return callLine(bench, stage, {
        name: 'create at half of its highest',
        call: createCall(stage),
        rate: () => halfOfHighest(bench, stage),
      });
    },
    read: async () => {
      const stage = await bench.stage();
      const { id } = await createOne(stage);
      const call = readCall(stage, `/v1/payment-requests/${id}`);
      return callLine(bench, stage, { name: 'read', call });
    },
    'list, first page': async () => {
      const stage = await bench.stage();
      await Promise.all(Array.from({ length: PAGE }, () => createOne(stage)));
      const call = readCall(stage, '/v1/payment-requests');
      return callLine(bench, stage, { name: 'list, first page', call });
    },
    'token call': async () => {
      const stage = await bench.stage();
      const call = tokenCall(stage);
      const peers = bench.hasPeers ? await oidcProviders(bench, stage, call) : [];
      const beside = peers.map(({ name, run }) => ({ name, run }));
      const line = await callLine(bench, stage, { name: 'token call', call, beside });
      return {
        ...line,
        async end() {
          await Promise.all(peers.map((peer) => peer.end()));
        },
      };
    },
  };
}

/** With tokens that it signs, as we do, and with those it only remembers. */
function oidcProviders(bench: Bench, stage: Stage, call: Call) {
  const names = { jwt: 'oidc-provider, signed tokens', opaque: 'oidc-provider, opaque tokens' };
  return Promise.all(
    (['jwt', 'opaque'] as const).map(async (format) => {
      const peer = await startOidcProvider(stage.merchant, format);
      const peerCall = { ...call, url: `${peer.url}/token` };
      return { name: names[format], run: () => loadCall(bench, peerCall, peer), end: peer.end };
    }),
  );
}

async function createAtFull(bench: Bench, stage: Stage): Promise<Sample> {
  const sample = await loadCall(bench, createCall(stage), stage);
  bench.creates.push(sample.perSecond ?? 0);
  return sample;
}

async function halfOfHighest(bench: Bench, stage: Stage): Promise<number> {
  if (bench.creates.length === 0) await createAtFull(bench, stage);
  return (median(bench.creates) ?? 0) / 2;
}

function createCall(stage: Stage): Call & { readonly body: string } {
  return {
    url: `${stage.url}/v1/payment-requests`,
    method: 'POST',
    headers: { ...stage.headers, 'content-type': 'application/json' },
    body: BODY,
    expectedStatus: 201,
  };
}

function readCall(stage: Stage, path: string): Call {
  return { url: `${stage.url}${path}`, method: 'GET', headers: stage.headers, expectedStatus: 200 };
}

function tokenCall({ url, merchant }: Stage): Call {
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

/** Creates a payment request like those that are measured. */
export async function createOne(stage: Stage): Promise<{ id: string; paymentLink: string }> {
  const { url, method, headers, body } = createCall(stage);
  const response = await fetch(url, { method, headers, body });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`A create answered ${text}`);
  return JSON.parse(text);
}
