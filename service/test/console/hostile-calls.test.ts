import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ruleOf } from '#console/model/access-matrix.ts';
import { type ConsoleRoute, FORM_BYTES } from '#console/shell/console-routes.ts';
import { FORM_TYPE } from '#http/forms/read-forms.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { readConsoleRoutes } from '../support/console/console-routes.ts';
import { eventually } from '../support/eventually.ts';
import { rawCall } from '../support/network/raw-call.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

/** More than fits into the buffers of a connection that nobody reads. */
const ENTRIES = 3_000;
const UNKNOWN_ID = '0199a1b2-0000-7000-8000-000000000000';

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

  describe('before a form is read', () => {
    let forms: readonly ConsoleRoute[];
    before(async () => {
      forms = (await readConsoleRoutes()).filter(({ method }) => method === 'POST');
    });

    const addressOf = ({ path }: ConsoleRoute) =>
      `/console${path.replace(':merchant', merchant.merchantId).replace(/:\w+/g, UNKNOWN_ID)}`;
    const personOf = ({ action }: ConsoleRoute) =>
      ruleOf(action).roles.includes('operator') ? operator : administrator;

    /** Sends a head alone. The answer comes before the body, which is never sent. */
    async function sendHead(path: string, headers: Readonly<Record<string, string>>) {
      const all = { host: 'localhost', 'content-type': FORM_TYPE, ...headers };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
      const [answer] = await rawCall(service.url, head, { answers: 1 });
      assert.ok(answer, path);
      return answer;
    }
    const post = (path: string, body: URLSearchParams | FormData, cookie: string) =>
      fetch(service.url + path, { method: 'POST', redirect: 'manual', headers: { cookie }, body });

    it('refuses callers without a session, 120 of an address in a minute, and nobody else', async () => {
      const strangers = ['', 'console=x', `__Host-console=${'A'.repeat(43)}`];
      const called = [
        ...forms.map((form) => [addressOf(form), FORM_BYTES[form.form ?? 'choice']] as const),
        ['/console/sign-out', 131_072],
        ['/console/sign-in/link', 131_072],
      ] as const;
      for (const [path, bytes] of called) {
        for (const cookie of path.endsWith('/link') ? [''] : strangers) {
          await service.advance(1);
          const { status } = await sendHead(path, { cookie, 'content-length': `${bytes}` });
          assert.equal(status, path.endsWith('/link') ? 403 : 303, `${path} ${cookie}`);
        }
      }
      await service.advance(60);
      const [[path]] = called;
      const statuses: number[] = [];
      for (let count = 0; count < 121; count += 1) {
        const answer = await sendHead(path, { 'content-length': '10' });
        statuses.push(answer.status);
        if (answer.status === 429) assert.ok(Number(answer.headers.get('retry-after')) <= 60);
      }
      assert.deepEqual(statuses, [...Array(120).fill(303), 429]);
      assert.equal((await sendHead('/console/sign-in/link', {})).status, 429);
      const views = await administrator.post(pathOf('views'), { list: 'refunds', name: 'x' });
      assert.equal(views.status, 303, 'a session of the same address');
      await signInAs('Grace');
      await service.advance(60);
    });

    it('refuses a form over its own bound by the length alone', async () => {
      for (const form of forms) {
        const mostBytes = FORM_BYTES[form.form ?? 'choice'];
        for (const cookie of [personOf(form).cookies(), `console=${'A'.repeat(43)}`]) {
          const headers = { cookie, 'content-length': `${mostBytes + 1}` };
          assert.equal((await sendHead(addressOf(form), headers)).status, 413, form.path);
        }
      }
      const cookie = administrator.cookies();
      for (const path of ['/console/sign-out', '/console/sign-in/link']) {
        const { status } = await sendHead(path, { cookie, 'content-length': '4097' });
        assert.equal(status, 413, path);
      }
    });

    it('refuses 201 fields, and files but for the logo and bank files', async () => {
      const fields = (count: number) =>
        new URLSearchParams(Array.from({ length: count }, (): [string, string] => ['a', '']));
      const file = (parts: number) => {
        const form = new FormData();
        for (let part = 0; part < parts; part += 1) form.append('a', '');
        return form;
      };
      const cookie = operator.cookies();
      for (const path of ['/console/sign-out', '/console/sign-in/link']) {
        assert.equal((await post(path, fields(201), cookie)).status, 413, path);
        assert.equal((await post(path, fields(200), cookie)).status, 403, path);
        assert.equal((await post(path, file(1), cookie)).status, 415, path);
      }
      for (const form of forms) {
        const own = personOf(form).cookies();
        const path = addressOf(form);
        const statuses = [];
        // A form of files over 4 kB is refused by its length, unless the form may hold a file.
        const hasFile = form.form === 'logo' || form.form === 'statement';
        const files = hasFile ? [file(201), file(200)] : [file(1), file(2)];
        for (const body of [fields(201), fields(200), ...files]) {
          statuses.push((await post(path, body, own)).status);
        }
        const ofFiles = hasFile ? [413, 403] : [415, 415];
        assert.deepEqual(statuses, [413, 403, ...ofFiles], form.path);
      }
    });
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
