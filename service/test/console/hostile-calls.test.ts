import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { readConsoleRoutes } from '../support/console/console-routes.ts';
import { eventually } from '../support/eventually.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

/** More than fits into the buffers of a connection that nobody reads. */
const ENTRIES = 3_000;

describe('the console, called by hostile browsers', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let operator: ConsoleClient;
  let administrator: ConsoleClient;

  before(async () => {
    service = await startTestService({ roles: ['api'] });
    merchant = await service.createMerchant();
    operator = await signIn(service, { role: 'operator' });
    administrator = await signInAs('Ada');
  });
  after(() => service?.stop());

  const pathOf = (part: string) => `/console/m/${merchant.merchantId}/${part}`;
  const signInAs = (name: string) =>
    signIn(service, { role: 'administrator', merchantId: merchant.merchantId, name });

  it('answers a NUL in any part of a path as an unknown address', async () => {
    const routes = await readConsoleRoutes();
    for (const { path } of routes.filter(
      (each) => each.method === 'GET' && each.path.includes(':'),
    )) {
      const { status } = await operator.get(`/console${path.replace(/:\w+/g, 'a%00b')}`);
      assert.equal(status, path.endsWith('/live') && !path.includes(':merchant') ? 200 : 404, path);
    }
  });

  it('reads filters and forms without their NUL characters', async () => {
    for (const path of [
      '/console/approvals?merchant=%00',
      '/console/operator/cases?merchant=%00',
    ]) {
      const { status } = await operator.get(path);
      assert.ok(status < 500, `${path} ${status}`);
    }
    const view = { list: 'payment-requests', query: 'status=PAID', name: 'Pa\0id' };
    const { status } = await administrator.post(pathOf('views'), view);
    assert.equal(status, 303);
    const { html } = await administrator.get(pathOf('payment-requests'));
    assert.match(html, />Paid</);
  });

  it('answers a form that is too large with a page', async () => {
    const answer = await administrator.post(pathOf('views'), { name: 'x'.repeat(140_000) });
    assert.equal(answer.status, 413);
    assert.match(answer.html, /This form holds 24 kB and 200 fields at most/);
  });

  describe('with a long audit log', () => {
    before(() =>
      service.database.sql(
        `INSERT INTO audit_log (actor, action, merchant_id, details, occurred_at)
         SELECT 'test', 'CONSOLE_SIGNED_OUT', $1, jsonb_build_object('note', repeat('x', 4000)), now() FROM generate_series(1, ${ENTRIES})`,
        [merchant.merchantId],
      ),
    );

    /** A download of which nothing is read. */
    async function download(person: ConsoleClient, method = 'GET') {
      const ended = new AbortController();
      const answer = await fetch(service.url + pathOf('audit/export'), {
        ...{ method, signal: ended.signal },
        headers: { cookie: person.cookies() },
      });
      // `fetch` ends an answer that is collected as garbage: whoever has the result keeps the answer.
      return { answer, status: answer.status, end: () => ended.abort() };
    }

    // First, so that no abandoned download still reads.
    it('reads no entry for HEAD', async () => {
      const { db, sql } = service.database;
      await db.transaction(async (tx) => {
        await tx.query({ name: '', text: 'LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE' });
        const { status } = await download(administrator, 'HEAD');
        assert.equal(status, 200);
        await administrator.get('/console/account');
        const waiting = `SELECT pid FROM pg_locks WHERE relation = 'audit_log'::regclass AND NOT granted`;
        assert.deepEqual(await sql(waiting), []);
      });
    });

    it('sends a person one file at a time, and four people theirs', async () => {
      const people = [administrator, ...(await Promise.all(['B', 'C', 'D', 'E'].map(signInAs)))];
      const [ada, ...others] = people as [ConsoleClient, ...ConsoleClient[]];
      const first = await download(ada);
      assert.equal(first.status, 200);
      const second = await download(ada);
      assert.equal(second.status, 429);
      const more = [];
      for (const person of others) more.push(await download(person));
      assert.deepEqual(
        more.map(({ status }) => status),
        [200, 200, 200, 429],
      );
      for (const each of [first, ...more]) each.end();
      await eventually(async () => {
        const { status, end } = await download(ada);
        end();
        return status === 200 || undefined;
      }, 'the end of the abandoned downloads');
    });
  });
});
