import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Cell, startTwoCells, type TwoCells } from '../../support/cells/two-cells.ts';
import { createPayer } from '../../support/payment-requests/payer.ts';
import { callAt } from '../../support/service/service.ts';

const NEW = {
  amount: '12.34',
  type: 'ECOMM',
  payer: { name: 'Ada Lovelace', email: 'ada@example.com' },
} as const;

let two: TwoCells;

before(async () => {
  two = await startTwoCells();
});
after(() => two?.stop());

const newPayer = () => createPayer({ url: two.router.url });

/** Sends one call, and gives the cell that the router chose. */
async function askedCell(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await two.ask(path, headers);
  return { ...answer, cell: await two.cellOf(answer) };
}

describe('the marks at the router of two cells', () => {
  it('crosses nothing by a stale or forged mark', async () => {
    for (const { number, client, mark } of two.cells) {
      const { shortCode, id } = await client.createPaymentRequest(NEW);
      const page = (await newPayer().open(`/pay/${shortCode}`)).address.split('/')[2] ?? '';
      const forged = mark === '' ? 'c2-' : '';
      const reached = `cell${3 - number}`;
      for (const path of [
        `/pay/${forged}${shortCode.slice(mark.length)}`,
        `/pay/qr/${forged}${shortCode.slice(mark.length)}`,
        `/pay/live/${forged}${id}?seen=0`,
        `/gateway/${forged}${page.slice(mark.length)}/choose`,
        `/gateway/${forged}${page.slice(mark.length)}/live?seen=0`,
      ]) {
        const answer = await askedCell(path);
        assert.deepEqual([answer.status, answer.cell], [404, reached], path);
      }
      const headers = headersOf(two.cells[number - 1]);
      const own = headers['x-api-key'] ?? '';
      const key = { ...headers, 'x-api-key': forged + own.slice(mark.length) };
      const refused = await askedCell(`/v1/payment-requests/${id}`, key);
      assert.deepEqual([refused.status, refused.cell], [401, reached]);
      assert.equal(refused.json.code, 'API_KEY_INVALID');
      // The token of one cell with the key of the other.
      const { apiKey } = two.cells[2 - number]?.merchant ?? assert.fail();
      const mixed = await two.ask(`/v1/payment-requests/${id}`, {
        ...headers,
        'x-api-key': apiKey,
      });
      assert.deepEqual([mixed.status, mixed.json.code], [401, 'ACCESS_TOKEN_INVALID']);
    }
  });

  it('reads an encoded or repeated mark as the cell that it reaches does', async () => {
    const [first, second] = two.cells;
    const { shortCode } = await second.client.createPaymentRequest(NEW);
    const encoded = await askedCell(`/pay/${shortCode.replace('c2', '%632')}`);
    // The first cell takes the link for a pasted one, and leads it to its own address.
    assert.deepEqual([encoded.status, encoded.cell], [308, 'cell1']);
    assert.equal(encoded.headers.get('location'), `/pay/${shortCode}`);
    const pasted = await askedCell(`/pay/${shortCode}).`);
    assert.deepEqual([pasted.status, pasted.headers.get('location')], [308, `/pay/${shortCode}`]);
    const keys = `${first.merchant.apiKey}, ${second.merchant.apiKey}`;
    const headers = { ...headersOf(first), 'x-api-key': keys };
    assert.equal((await two.ask('/v1/payment-requests', headers)).status, 401);
  });

  it('answers an unknown mark itself, as a cell answers an unknown name', async () => {
    const bare = 'abcdefghABCDEFGH';
    for (const mark of ['c3-', 'c1-', 'c0-', 'c02-', 'c999-', 'c1000-', 'c22-']) {
      const key = await askedCell('/v1/payment-requests', { 'x-api-key': `${mark}prd_x` });
      assert.deepEqual([key.status, key.cell, key.json.code], [401, 'unknown', 'API_KEY_INVALID']);
      for (const path of [`/pay/${mark}${bare}`, `/gateway/${mark}${bare}ijklmn/choose`]) {
        const answer = await askedCell(path, { accept: 'application/json' });
        assert.deepEqual([answer.status, answer.cell], [404, 'unknown'], path);
        assert.equal(answer.json.code, 'ROUTE_NOT_FOUND');
        const page = await askedCell(path, { accept: 'text/html,*/*;q=0.8' });
        assert.equal(page.status, 404);
        assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none';/);
        assert.doesNotMatch(page.text, /<script|src=/);
        assert.match(page.text, /This link does not exist[\s\S]*Ce lien n’existe pas/);
      }
    }
    const basic = Buffer.from('c3-prd_user_1:x').toString('base64');
    const token = await callAt(`${two.router.url}/oauth2/token`, 'POST', {
      headers: { authorization: `Basic ${basic}` },
    });
    assert.deepEqual([token.status, token.json.error], [401, 'invalid_client']);
    assert.match(token.headers.get('www-authenticate') ?? '', /^Basic realm="payment-requests"$/);
  });

  it('answers with the members and texts of the cells’ own problems', async () => {
    for (const [path, headers] of [
      ['/v1/payment-requests', { 'x-api-key': 'NAMEprd_x' }],
      ['/merchant-logos/NAMEabcdefghABCDEFGH.png', {}],
    ] as const) {
      const read = async (mark: string) => {
        const named = Object.entries(headers).map(([name, value]) => [
          name,
          value.replace('NAME', mark),
        ]);
        return two.ask(path.replace('NAME', mark), Object.fromEntries(named));
      };
      const [routed, own] = [await read('c3-'), await read('')];
      const still = ({ type, title, status, detail, code }: Record<string, unknown>) => ({
        type: String(type).replace(/^.*(?=\/problems)/, ''),
        title,
        status,
        detail,
        code,
      });
      assert.deepEqual(still(routed.json), still(own.json));
      assert.deepEqual(Object.keys(routed.json), Object.keys(own.json));
      assert.equal(routed.json.requestId, routed.headers.get('x-request-id'));
      assert.match(routed.json.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      for (const name of ['content-type', 'cache-control', 'www-authenticate']) {
        const kind = (answer: typeof own) => answer.headers.get(name)?.split(';')[0] ?? null;
        assert.equal(kind(routed), kind(own), name);
      }
    }
  });

  it('leads what has no mark to the first cell, and a cell’s host to that cell alone', async () => {
    for (const path of ['/openapi.json', '/docs', '/problems', '/checkout.js']) {
      const answer = await askedCell(path);
      assert.deepEqual([answer.status, answer.cell], [200, 'cell1'], path);
    }
    const [first] = two.cells;
    const { origin } = new URL(two.cells[1].service.env.PUBLIC_AUTH_URL ?? '');
    const answer = await callAt(`${origin}/v1/payment-requests`, 'GET', {
      headers: headersOf(first),
    });
    assert.deepEqual([answer.status, answer.json.code], [401, 'API_KEY_INVALID']);
    assert.equal(await two.cellOf(answer), 'cell2');
  });

  it('believes no address that a caller claims', async () => {
    const [, second] = two.cells;
    const claimed = { 'x-forwarded-for': '203.0.113.9', 'x-api-key': `c2-prd_${'x'.repeat(43)}` };
    assert.equal((await two.ask('/v1/payment-requests', claimed)).status, 401);
    const lines = second.service.logLines.filter(({ sourceAddress }) => sourceAddress);
    assert.ok(lines.length > 0);
    assert.ok(lines.every(({ sourceAddress }) => sourceAddress === '127.0.0.1'));
  });

  it('logs no link, no key and no path', async () => {
    const [, second] = two.cells;
    const { shortCode } = await second.client.createPaymentRequest(NEW);
    await two.ask(`/pay/${shortCode}`);
    const log = two.router.logLines.join('\n');
    for (const secret of [shortCode, second.merchant.apiKey, '/pay', '/v1', 'Bearer']) {
      assert.ok(!log.includes(secret), secret);
    }
  });
});

function headersOf(cell: Cell | undefined): Record<string, string> {
  return { ...(cell?.merchant.headers ?? assert.fail()) };
}
