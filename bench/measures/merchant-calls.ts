import { insertedRows } from '../limits/inserted-rows.ts';
import type { LineMakers, Sample } from '../line.ts';
import { median } from '../median.ts';
import type { Bench } from '../open-bench.ts';
import { startOidcProvider } from '../peers/start-peer.ts';
import {
  type Call,
  createCall,
  createPaymentRequest,
  listCall,
  readCall,
  tokenCall,
} from '../service/calls.ts';
import { authorizeOthers, type ServiceUnderTest } from '../service/service-under-test.ts';
import { callLine, measureCall } from './call-line.ts';

/** The default length of a page (contract §4, List): the measured first page is full. */
const PAGE_LENGTH = 20;
/** More than the connections, so that no two calls of a moment are equal. */
const READ = 1_000;
const LISTED = 128;

/** The lines of the calls that a merchant's server makes. */
export function merchantCallLines(bench: Bench): LineMakers {
  return {
    create: () => createLine(bench),
    'create with Idempotency-Key': () => keyedCreateLine(bench),
    'create at half of its highest': async () => {
      const service = await bench.service();
      return callLine(bench, service, {
        name: 'create at half of its highest',
        call: createCall(service),
        rate: () => halfOfHighest(bench, service),
      });
    },
    read: async () => {
      const service = await bench.service();
      const { id } = await createPaymentRequest(service);
      return callLine(bench, service, { name: 'read', call: readCall(service, id) });
    },
    'read, of 1,000 payment requests': () => variedReadLine(bench),
    'list, first page': async () => {
      const service = await bench.service();
      await Promise.all(Array.from({ length: PAGE_LENGTH }, () => createPaymentRequest(service)));
      return callLine(bench, service, { name: 'list, first page', call: listCall(service) });
    },
    'list, first page, of 128 merchants': () => variedListLine(bench),
    'token call': () => tokenLine(bench),
  };
}

async function createLine(bench: Bench) {
  const service = await bench.service();
  const line = await callLine(bench, service, {
    name: 'create',
    call: createCall(service),
    beside: [await insertedRows(bench, service, 'create-rows.sql')],
  });
  return { ...line, ours: { name: 'ours', run: () => measureCreates(bench, service) } };
}

async function keyedCreateLine(bench: Bench) {
  const service = await bench.service();
  const call = createCall(service);
  return callLine(bench, service, {
    name: 'create with Idempotency-Key',
    call: { ...call, headers: { ...call.headers, 'idempotency-key': 'bench-[<number>]' } },
    beside: [await insertedRows(bench, service, 'create-rows-with-key.sql')],
  });
}

/** Equal reads and lists of a moment share their statement: these lines have none of them. */
async function variedReadLine(bench: Bench) {
  const service = await bench.service();
  const all = await Promise.all(Array.from({ length: READ }, () => createPaymentRequest(service)));
  const [call, ...others] = all.map(({ id }) => readCall(service, id)) as [Call, ...Call[]];
  return callLine(bench, service, {
    name: 'read, of 1,000 payment requests',
    call: { ...call, others },
  });
}

async function variedListLine(bench: Bench) {
  const service = await bench.service();
  const merchants = [];
  for (const headers of await authorizeOthers(service, LISTED)) {
    const merchant = { ...service, headers };
    await Promise.all(Array.from({ length: PAGE_LENGTH }, () => createPaymentRequest(merchant)));
    merchants.push(listCall(merchant));
  }
  const [call, ...others] = merchants as [Call, ...Call[]];
  return callLine(bench, service, {
    name: 'list, first page, of 128 merchants',
    call: { ...call, others },
  });
}

async function tokenLine(bench: Bench) {
  const service = await bench.service();
  const call = tokenCall(service);
  const peers = bench.hasPeers ? await oidcProviders(bench, service, call) : [];
  const beside = peers.map(({ name, run }) => ({ name, run }));
  const line = await callLine(bench, service, { name: 'token call', call, beside });
  return {
    ...line,
    async end() {
      await Promise.all(peers.map((peer) => peer.end()));
    },
  };
}

/** Starts a provider with signed tokens, as the service's are, and one with stored tokens. */
function oidcProviders(bench: Bench, service: ServiceUnderTest, call: Call) {
  const names = { jwt: 'oidc-provider, signed tokens', opaque: 'oidc-provider, opaque tokens' };
  return Promise.all(
    (['jwt', 'opaque'] as const).map(async (format) => {
      const peer = await startOidcProvider(service.merchant, format);
      const peerCall = { ...call, url: `${peer.url}/token` };
      return { name: names[format], run: () => measureCall(bench, peerCall, peer), end: peer.end };
    }),
  );
}

/** Measures a round of creates, and notes its result for the line at half of the highest rate. */
async function measureCreates(bench: Bench, service: ServiceUnderTest): Promise<Sample> {
  const sample = await measureCall(bench, createCall(service), service);
  bench.createsPerSecond.push(sample.perSecond ?? 0);
  return sample;
}

async function halfOfHighest(bench: Bench, service: ServiceUnderTest): Promise<number> {
  if (bench.createsPerSecond.length === 0) await measureCreates(bench, service);
  return (median(bench.createsPerSecond) ?? 0) / 2;
}
