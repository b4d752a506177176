import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { readPrimary } from '#database/replica/overview-reads.ts';
import { streamRows } from '#merchants/lists/stream-rows.ts';
import { PaymentRequestSchema } from '#payment-requests/model/answer-schemas.ts';
import { paymentRequestList } from '#payment-requests/read/payment-request-list.ts';
import { eventually } from '../support/eventually.ts';
import { parseCsv } from '../support/payment-requests/parse-csv.ts';
import { PUBLIC_SETTINGS } from '../support/payment-requests/payment-requests.ts';
import { seedPaymentRequests } from '../support/payment-requests/seed.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { startServiceBeside } from '../support/service/service-beside.ts';

const GOOD = { amount: 12.34, type: 'ECOMM', payer: { name: 'Ada', email: 'ada@example.com' } };
const PATH = '/v1/payment-requests';
/** More text than the sockets of both sides take while nobody reads. */
const ROWS = 40_000;

let service: TestService;
let busy: TestMerchant;

before(async () => {
  service = await startTestService({ roles: ['api'] });
  busy = await service.createMerchant({ name: 'Busy Shop' });
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  const { merchantId } = busy;
  await seedPaymentRequests(client, { rows: ROWS, now: service.clock.now(), merchantId });
  await client.end();
});
after(() => service.stop());

function stream(query = '', as = busy, method = 'GET') {
  const headers = { ...as.headers, accept: 'text/csv' };
  return service.call(method, PATH + query, { headers });
}

/** A stream of which only the head has been read; the connection is the test's to close. */
async function openStream(from: TestService, { headers }: TestMerchant) {
  const request = http.get(from.url + PATH, { headers: { ...headers, accept: 'text/csv' } });
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('error', reject);
  });
  return { request, response };
}

async function countOf(where = 'true'): Promise<number> {
  const [row] = await service.database.sql<{ count: string }>(
    `SELECT count(*) FROM payment_requests WHERE merchant_id = $1 AND ${where}`,
    [busy.merchantId],
  );
  return Number(row?.count);
}

interface JsonSchema {
  readonly type?: string;
  readonly properties?: object;
}

/** The paths of the values in JSON, but for lists, which have no column. */
function pathsOf({ properties = {} }: JsonSchema): string[] {
  return Object.entries(properties as Readonly<Record<string, JsonSchema>>).flatMap(
    ([name, member]) => {
      if (member.type === 'array') return [];
      return member.properties ? pathsOf(member).map((path) => `${name}.${path}`) : [name];
    },
  );
}

describe('the list as CSV', () => {
  it('has a line of names and one for each payment request, with the values of the JSON', async () => {
    const merchant = await service.createMerchant();
    const body = {
      ...GOOD,
      merchantTransactionId: 'T-1',
      payer: { ...GOOD.payer, name: '=cmd|"/C calc"!A0', mobileNumber: '+1 (416) 555-0199' },
      displayMessage: 'Thanks, à bientôt',
      callbackUrl: 'https://listener.example/hook',
      metadata: { note: 'two\nlines', '=key': '"quoted"' },
    };
    const { headers } = merchant;
    const made = await service.call('POST', PATH, { headers, body });
    assert.equal(made.status, 201, made.text);
    const answer = await stream('', merchant);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    assert.equal(
      answer.headers.get('content-disposition'),
      'attachment; filename="payment-requests-20260301T120000Z.csv"',
    );
    assert.equal(answer.headers.get('vary'), 'Accept');
    const [names, row, ...more] = parseCsv(answer.text);
    assert.deepEqual(more, []);
    const cells = Object.fromEntries(names?.map((name, at) => [name, row?.[at]]) ?? []);
    const shown = pathsOf(PaymentRequestSchema);
    // What only the sandbox knows has no column.
    assert.deepEqual(
      names,
      shown.filter((name) => name !== 'sandboxAdvancedSeconds'),
    );
    for (const [name, cell] of Object.entries(cells)) {
      const value = name.split('.').reduce((part, key) => part?.[key], made.json);
      const text = name === 'amount' ? '12.34' : typeof value === 'object' ? undefined : value;
      if (name === 'metadata') assert.deepEqual(JSON.parse(cell as string), body.metadata);
      else if (name.startsWith('payer.') && /^[=+]/.test(value ?? '')) {
        assert.equal(cell, `'${value}`);
      } else assert.equal(cell, text ?? '', name);
    }
  });

  it('is only its first line where nothing matches', async () => {
    const answer = await stream('?invoiceNumber=none');
    assert.equal(answer.status, 200);
    assert.equal(parseCsv(answer.text).length, 1);
  });

  const filters: [query: string, where: string][] = [
    ['', 'true'],
    ['?status=PAID', "status = 'PAID'"],
    [
      '?status=EXPIRED',
      "(status = 'EXPIRED' OR status = 'CREATED' AND expires_at <= '2026-03-01T12:00Z')",
    ],
    ['?amountMin=600', 'amount_cents >= 60000'],
    ['?amountMin=150', 'amount_cents >= 15000'],
    [
      '?amountMin=150&status=FAILED&status=CANCELLED',
      "amount_cents >= 15000 AND status IN ('FAILED', 'CANCELLED')",
    ],
    ['?createdTo=2025-06-01T00:00:00Z', "created_at < '2025-06-01T00:00Z'"],
  ];
  for (const [query, where] of filters) {
    it(`gives all that match, once and newest first: ${query || 'no filter'}`, async () => {
      const [names = [], ...rows] = parseCsv((await stream(query)).text);
      assert.equal(rows.length, await countOf(where));
      const createdAt = names.indexOf('createdDateTime');
      const keys = rows.map((row) => `${row[createdAt]} ${row[0]}`);
      assert.ok(keys.length > 0);
      assert.ok(keys.every((key, at) => at === 0 || key < (keys[at - 1] as string)));
    });
  }

  it('takes no parameter of a page, and knows the filters’ rules', async () => {
    const answer = await stream('?limit=5&cursor=abc&color=red&amountMin=x');
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.json.errors.map(({ field }: { field: string }) => field).sort(), [
      'amountMin',
      'color',
      'cursor',
      'limit',
    ]);
    assert.equal(answer.headers.get('content-disposition'), null);
  });

  it('answers HEAD with its headers alone', async () => {
    const answer = await stream('', busy, 'HEAD');
    assert.equal(answer.status, 200);
    assert.equal(answer.text, '');
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    assert.equal((await stream('?color=red', busy, 'HEAD')).status, 400);
  });

  const accepts: [accept: string | null, status: number, type: string][] = [
    [null, 200, 'application/json'],
    ['*/*', 200, 'application/json'],
    ['application/*', 200, 'application/json'],
    ['text/csv', 200, 'text/csv'],
    ['TEXT/CSV; header=present', 200, 'text/csv'],
    ['text/*', 200, 'text/csv'],
    ['application/json, text/csv', 200, 'application/json'],
    ['application/json;q=0.5, text/csv', 200, 'text/csv'],
    ['text/html, */*;q=0.1', 200, 'application/json'],
    ['text/html', 406, 'application/problem+json'],
    ['application/json;q=0', 406, 'application/problem+json'],
    ['image/png, application/xml', 406, 'application/problem+json'],
  ];
  for (const [accept, status, type] of accepts) {
    it(`Accept ${accept ?? 'left out'} is answered with ${status} ${type}`, async () => {
      const query = `${PATH}?invoiceNumber=none`;
      // fetch adds an Accept of its own: a bare request is made by hand.
      const headers = { ...busy.headers, ...(accept !== null && { accept }) };
      const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
        http.get(service.url + query, { headers }, resolve).once('error', reject);
      });
      answer.resume();
      assert.equal(answer.statusCode, status);
      assert.ok(answer.headers['content-type']?.startsWith(type));
    });
  }
});

describe('a CSV stream', () => {
  it('waits for its reader, alone for its merchant, and ends when the reader goes away', async () => {
    const { request, response } = await openStream(service, busy);
    assert.equal(response.statusCode, 200);
    // Without a reader the stream pauses, holds no connection to the database, and is the only one.
    for (let attempt = 0; attempt < 3; attempt++) {
      const second = await stream();
      assert.equal(second.status, 429);
      assert.equal(second.json.code, 'RATE_LIMITED');
      assert.match(second.headers.get('retry-after') ?? '', /^\d+$/);
    }
    await eventually(async () => {
      const busyOnes = await service.database.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'
         AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return busyOnes.length === 0;
    }, 'no statement and no transaction');
    const other = await service.createMerchant();
    assert.equal((await stream('', other)).status, 200);
    assert.equal((await service.call('GET', PATH, { headers: busy.headers })).status, 200);
    request.destroy();
    const next = await eventually(async () => {
      const answer = await stream('?status=PROCESSING');
      return answer.status === 200 && answer;
    }, 'the next stream');
    assert.equal(parseCsv(next.text)[0]?.[0], 'id');
    const leases = await service.database.sql('SELECT FROM payment_request_streams');
    assert.deepEqual(leases, []);
  });

  it('is called too slow when a batch is not taken within a minute, and not before', async (t) => {
    const { db } = service.database;
    const reads = readPrimary(db);
    const { csv, readAll } = paymentRequestList(service.clock, PUBLIC_SETTINGS);
    let tooSlow = 0;
    const { merchantId } = busy;
    const rows = { merchantId, csv, all: readAll(merchantId, {}, []) };
    const found = await streamRows({ db, reads }, rows, {
      checkAgain: async () => {},
      onTooSlow: () => tooSlow++,
    });
    const chunks = found.chunks[Symbol.asyncIterator]();
    try {
      t.mock.timers.enable({ apis: ['setTimeout'] });
      for (let batch = 0; batch < 3; batch++) {
        assert.equal((await chunks.next()).done, false);
        t.mock.timers.tick(59_999);
        assert.equal(tooSlow, 0);
      }
      t.mock.timers.tick(1);
      assert.equal(tooSlow, 1);
    } finally {
      t.mock.timers.reset();
      await chunks.return?.();
      await found.end();
    }
  });

  it('after a killed process begins when that process’s lease has ended', async () => {
    const merchant = await service.createMerchant();
    await service.database.sql(
      `INSERT INTO payment_request_streams VALUES ($1, gen_random_uuid(),
         service_now() + interval '90 s')`,
      [merchant.merchantId],
    );
    assert.equal((await stream('', merchant)).status, 429);
    await service.advance(90);
    assert.equal((await stream('', merchant)).status, 200);
  });

  it('that cannot go on is cut off, so that its reader sees that something is missing', async () => {
    const { response } = await openStream(service, busy);
    await service.database.sql('DELETE FROM payment_request_streams');
    const failure = await new Promise((resolve) => {
      response.once('error', resolve).once('end', () => resolve(null));
      response.resume();
    });
    assert.equal((failure as NodeJS.ErrnoException | null)?.code, 'ECONNRESET');
    const line = await eventually(() =>
      service.logLines.find(({ route, aborted }) => route === PATH && aborted),
    );
    assert.equal(line.status, 200);
  });

  it('is ended by the end of the service, which does not wait for its reader', async () => {
    const beside = await startServiceBeside(service, { roles: ['api'] });
    const { response } = await openStream(beside, busy);
    response.on('error', () => {});
    const startedMs = performance.now();
    await beside.stop();
    assert.ok(performance.now() - startedMs < 5_000);
  });
});
