import pg from 'pg';
import type { Line, LineMakers } from '../line.ts';
import { NUMBERS } from '../load/render-requests.ts';
import type { Bench } from '../open-bench.ts';
import { type Call, createCall, createPaid, refundCall } from '../service/calls.ts';
import {
  authorizeOthers,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '../service/service-under-test.ts';
import { callLine, measureCall } from './call-line.ts';

const MERCHANTS = 128;

/** Copies of a payment request, which differ in the last twelve digits of their ids. */
const COPY = `INSERT INTO payment_requests
  SELECT (jsonb_populate_record(p, jsonb_build_object(
    'id', left(p.id::text, 24) || lpad(n::text, 12, '0'), 'short_code', left(md5(n::text), 16)))).*
  FROM payment_requests p, generate_series(0, ${NUMBERS - 1}) n WHERE p.id = $1`;

interface RefundCalls {
  /** The bare server gives the answer of this call. */
  readonly single: Call;
  /** Left out: the same call. */
  readonly measured?: Call;
}

type MakeCalls = (service: ServiceUnderTest) => Promise<RefundCalls>;

/**
 * The lines of refunds, beside creates with a key. Refunds of one payment request wait for its row,
 * and refunds of one merchant for the lock of its limit of a day.
 */
export function refundLines(bench: Bench): LineMakers {
  const lines: Readonly<Record<string, MakeCalls>> = {
    refund: async (service) => ({ single: refundCall(service, await createPaid(service)) }),
    'refund, each of its own payment request': async (service) => {
      const id = await createPaid(service);
      await copyPaymentRequest(service, id);
      const measured = refundCall(service, `${id.slice(0, 24)}[<number>]`);
      return { single: refundCall(service, id), measured };
    },
    'refund, of 128 merchants': async (service) => {
      const others: Call[] = [];
      for (const headers of await authorizeOthers(service, MERCHANTS)) {
        const merchant = { ...service, headers };
        others.push(refundCall(merchant, await createPaid(merchant)));
      }
      const [single] = others as [Call];
      return { single, measured: { ...single, others } };
    },
  };
  return Object.fromEntries(
    Object.entries(lines).map(([name, make]) => [name, () => refundLine(bench, name, make)]),
  );
}

/**
 * The service has the role `api` alone: the sandbox would complete the refunds of earlier rounds in
 * the measured process.
 */
async function refundLine(bench: Bench, name: string, makeCalls: MakeCalls): Promise<Line> {
  const service = await startServiceUnderTest(bench.serverUrl, {}, ['--roles', 'api']);
  const create = createCall(service);
  const headers = { ...create.headers, 'idempotency-key': 'bench-create-[<number>]' };
  const { single, measured = single } = await makeCalls(service);
  const line = await callLine(bench, service, {
    name,
    call: single,
    beside: [
      {
        name: 'create with Idempotency-Key',
        run: () => measureCall(bench, { ...create, headers }, service),
      },
    ],
  });
  const run = () => measureCall(bench, measured, service);
  return { ...line, ours: { name: 'ours', run }, end: service.end };
}

/** The triggers that guard the first status are passed by: the copies are PAID, too. */
async function copyPaymentRequest({ databaseUrl }: ServiceUnderTest, id: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(`SET session_replication_role = 'replica'`);
    await client.query(COPY, [id]);
    await client.query('VACUUM (ANALYZE) payment_requests');
  } finally {
    await client.end();
  }
}
