import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type ConsoleAnswer,
  type ConsoleClient,
  signIn,
  visitConsole,
} from '../support/console/console-client.ts';
import { readConsoleRoutes } from '../support/console/console-routes.ts';
import { isPage } from '../support/console/crawl.ts';
import { paymentRequestCalls } from '../support/payment-requests/payment-requests.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';

const UNKNOWN_ID = '0199a1b2-0000-7000-8000-000000000000';
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];
/** The page beside a mail shows it in a frame of this origin, which runs and opens nothing. */
const MAIL_FRAME = /<iframe class="mail"[^>]* sandbox [^>]*src="\/(?!\/)[^>]*><\/iframe>/g;

/** The policy of a mail in such a frame. */
const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  'sandbox',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
];

describe('the answers of the console', () => {
  let service: TestService;
  let shop: TestMerchant;
  let merchantId: string;
  let administrator: ConsoleClient;
  let operator: ConsoleClient;
  const answers: (readonly [string, ConsoleAnswer])[] = [];

  before(async () => {
    service = await startTestService();
    shop = await service.createMerchant();
    ({ merchantId } = shop);
    administrator = await signIn(service, { role: 'administrator', merchantId });
    operator = await signIn(service, { role: 'operator' });
    const live = /\/live$/;
    for (const { method, path } of await readConsoleRoutes()) {
      if (method !== 'GET' || live.test(path)) continue;
      const address = `/console${path}`
        .replace(':merchant', merchantId)
        .replaceAll(/:\w+/g, UNKNOWN_ID);
      for (const person of [administrator, operator]) {
        answers.push([address, await person.get(address)]);
      }
    }
    const nobody = visitConsole(service);
    for (const address of ['/console/sign-in', '/console/sign-in/link']) {
      answers.push([address, await nobody.get(address)]);
    }
  });
  after(() => service?.stop());

  const isMail = ({ headers }: ConsoleAnswer) =>
    /; sandbox;/.test(headers.get('content-security-policy') ?? '');
  const pages = () => answers.filter(([, answer]) => isPage(answer) && !isMail(answer));

  it('show mails in frames of their own policy', () => {
    const mails = answers.filter(([, answer]) => isMail(answer));
    assert.ok(mails.length > 0);
    for (const [address, { headers }] of mails) {
      const policy = headers.get('content-security-policy') ?? '';
      assert.deepEqual(policy.split('; '), MAIL_POLICY, address);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', address);
      assert.equal(headers.get('cache-control'), 'no-store', address);
    }
  });

  it('load files of this origin alone, and are framed and cached by nobody', () => {
    assert.ok(pages().length > 50);
    for (const [address, { headers, html }] of pages()) {
      const policy = headers.get('content-security-policy') ?? '';
      const framed = html.includes('<iframe') ? ["frame-src 'self'"] : [];
      assert.deepEqual(policy.split('; '), [...POLICY, ...framed], address);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8', address);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', address);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', address);
      assert.equal(headers.get('cache-control'), 'no-store', address);
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', address);
      assert.match(headers.get('strict-transport-security') ?? '', /^max-age=31536000/, address);
      assert.equal(headers.get('access-control-allow-origin'), null, address);
    }
  });

  it('hold no script or style, no handler, and no address of another origin that loads', () => {
    for (const [address, { html }] of pages()) {
      for (const [tag] of html.matchAll(/<script[^>]*>[^<]*/g)) {
        assert.match(tag, /^<script type="module" src="\/page-scripts\/[^"]+">$/, address);
      }
      const rest = html.replaceAll(MAIL_FRAME, '');
      assert.doesNotMatch(rest, /<style|\sstyle="|<(?:iframe|object|embed|base)[\s>]/, address);
      assert.doesNotMatch(html, /<[^>]+\son\w+=|"javascript:/, address);
      for (const [, from = ''] of html.matchAll(
        /<(?:img|link|script)[^>]+(?:src|href)="([^"]*)/g,
      )) {
        assert.match(from, /^(?:\/(?!\/)|data:(?:,$|image\/))/, address);
      }
    }
  });

  it('have the sign-out on each page of a signed-in person, refusals too', () => {
    for (const [address, { html, status }] of pages()) {
      if (address.startsWith('/console/sign-in')) continue;
      assert.ok(status < 500, address);
      assert.match(html, /<form method="post" action="\/console\/sign-out"/, address);
    }
  });

  it('show a character that turns the direction as a mark, and keep it in fields and files', async () => {
    const SIGNS = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
    const members = {
      payer: { name: `Eve ${SIGNS}00.1`, email: 'eve@example.ca' },
      displayMessage: `Two \u202echairs`,
      invoiceNumber: `INV-\u202e1`,
    };
    const calls = paymentRequestCalls(service, shop);
    const { id } = (await calls.create(members)).json;
    const other = (await calls.create(members)).json;
    const own = `/console/m/${merchantId}/payment-requests`;
    const search = await administrator.post('/console/search', { q: 'eve@example.ca' });
    const addresses = [own, search.location ?? '', `${own}/${id}`, `${own}/${id}/receipt`];
    const filtered = `${own}?invoiceNumber=${encodeURIComponent(members.invoiceNumber)}`;
    for (const address of [...addresses, `${own}/${other.id}/share-link`, filtered]) {
      const { html, status } = await administrator.get(address);
      assert.equal(status, 200, address);
      const shown = html.replaceAll(/<textarea[\s\S]*?<\/textarea>|<[^>]*>/g, '');
      assert.doesNotMatch(shown, /\p{Bidi_Control}/u, address);
      assert.match(shown, /⟨U\+202E⟩/, address);
    }
    const list = await administrator.get(own);
    const marks = Array.from(SIGNS, (sign) => sign.codePointAt(0)?.toString(16).toUpperCase());
    const name = `Eve ${marks.map((code) => `⟨U+${code?.padStart(4, '0')}⟩`).join('')}00.1`;
    assert.ok(list.html.includes(name), list.html);
    const inField = await administrator.get(filtered);
    assert.ok(inField.html.includes(`value="${members.invoiceNumber}"`));
    const mail = await administrator.get(`${own}/${other.id}/share-link`);
    assert.match(mail.html, /data-value="[^"]*Two \u202echairs/);
    const csv = await administrator.get(`${own}.csv`);
    assert.ok(csv.html.includes(members.payer.name));
  });

  it('count what stands in the form, and nothing of the address', async () => {
    const { html } = await administrator.get('/console/account');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const path = '/console/account/sign-out-everywhere';
    const inAddress = await administrator.post(`${path}?csrf=${csrf}`, { csrf: '' });
    assert.equal(inAddress.status, 403);
    const body = new URLSearchParams([
      ['csrf', 'wrong'],
      ['csrf', csrf],
    ]);
    const headers = { cookie: administrator.cookies() };
    const repeated = await fetch(service.url + path, { method: 'POST', headers, body });
    assert.equal(repeated.status, 403);
  });

  it('refuse a form of more than 128 kB, with and without a file', async () => {
    const { html } = await operator.get('/console/account');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const file = new FormData();
    file.append('csrf', csrf);
    file.append('logo', new Blob([new Uint8Array(131_072)]), '../../etc/passwd');
    for (const body of [file, new URLSearchParams({ csrf, name: 'x'.repeat(131_072) })]) {
      const answer = await fetch(
        `${service.url}/console/operator/merchants/${merchantId}/profile`,
        {
          method: 'POST',
          headers: { cookie: operator.cookies() },
          body,
        },
      );
      assert.equal(answer.status, 413);
    }
  });

  it('leave a log line with session and source for each refused person', async () => {
    const path = `/console/m/mer_${'0'.repeat(24)}/overview`;
    assert.equal((await administrator.get(path)).status, 404);
    assert.equal((await administrator.get('/console/operator/merchants')).status, 403);
    const nobody = visitConsole(service);
    await nobody.get('/console/sign-in/link');
    await nobody.post('/console/sign-in/link', { link: 'A'.repeat(43) });
    const [{ id } = { id: '' }] = await service.database.sql<{ id: string }>(
      `SELECT id FROM console_sessions WHERE 'administrator@' || $1 = ANY (grants)`,
      [merchantId],
    );
    const refused = service.logLines
      .filter(({ status }) => status === 403 || status === 404)
      .slice(-3)
      .map(({ route, status, sessionId, sourceAddress }) => [
        ...[route, status, sessionId, sourceAddress],
      ]);
    assert.deepEqual(refused, [
      ['/console/m/:merchant/overview', 404, id, '127.0.0.1'],
      ['/console/operator/merchants', 403, id, '127.0.0.1'],
      ['/console/sign-in/link', 403, undefined, '127.0.0.1'],
    ]);
    await administrator.get('/console/account');
    assert.equal(service.logLines.at(-1)?.sessionId, id);
    assert.equal(service.logLines.at(-1)?.sourceAddress, undefined);
  });
});
