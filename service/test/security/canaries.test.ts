import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSignInLink } from '#console/sign-in/links.ts';
import { insertAuditEntry } from '#merchants/audit-log-store.ts';
import { HARBOUR_IBAN } from '../support/bank/bank-production.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { signIn, visitConsole } from '../support/console/console-client.ts';
import { collectCanaries } from '../support/privacy/canaries.ts';
import { seeDebtors } from '../support/privacy/see-debtors.ts';
import { watchPages } from '../support/privacy/watch-pages.ts';
import { startTestService, type TestService } from '../support/service/service.ts';

const PAYER = { name: 'Canary Tremblay', email: 'canary@example.com', mobileNumber: '5145550142' };
const DEBTOR_IBAN = 'NL91ABNA0417164300';

describe('a service under test', () => {
  for (const value of Object.values(PAYER)) {
    it(`fails when a log line shows ${value}, which a call sent`, async () => {
      const service = await startTestService();
      const merchant = await service.createMerchant();
      const body = { amount: 10, type: 'ECOMM', payer: PAYER };
      const { headers } = merchant;
      const created = await service.call('POST', '/v1/payment-requests', { headers, body });
      assert.equal(created.status, 201);
      service.logLines.push({ level: 'warn', msg: 'planted', detail: { deep: `<${value}>` } });
      await assert.rejects(service.stop(), /a log line shows payer\./);
    });
  }

  it('fails when a log line shows a secret of a merchant', async () => {
    const service = await startTestService();
    const { apiKey } = await service.createMerchant();
    service.logLines.push({ level: 'warn', msg: `planted ${apiKey}` });
    await assert.rejects(service.stop(), /a log line shows apiKey/);
  });

  it('stops when its log lines, metrics and refusals show neither', async () => {
    const service = await startTestService();
    const { headers } = await service.createMerchant();
    const body = { amount: -1, type: 'ECOMM', payer: PAYER };
    const refused = await service.call('POST', '/v1/payment-requests', { headers, body });
    assert.equal(refused.status, 400);
    await service.stop();
  });
});

describe('the files of a bank', () => {
  it('hand over the names and accounts of debtors, in every version', () => {
    const payment = { amountCents: 100, debtorName: 'Zoe Canary', debtorIban: DEBTOR_IBAN };
    for (const file of [{ version: 2 }, { version: 8, prefix: 'ns2' }]) {
      const canaries = collectCanaries();
      const statement = { iban: HARBOUR_IBAN, entries: [payment] };
      seeDebtors(canaries, writeStatement(statement, { kind: 'camt.053', ...file }));
      for (const [value, name] of [
        [payment.debtorName, /shows the name of a debtor/],
        [payment.debtorIban, /shows the account of a debtor/],
      ] as const) {
        assert.throws(() => canaries.assertAbsent(`a ${value} b`, 'a line'), name);
      }
      canaries.assertAbsent(`the account ${HARBOUR_IBAN} of the merchant`, 'a line');
    }
  });
});

describe('a browser at the console of a service under test', () => {
  /** An administrator types a payer into the form of a new payment request. */
  async function typePayer(service: TestService) {
    const { merchantId } = await service.createMerchant();
    const ada = await signIn(service, { role: 'administrator', merchantId });
    const fields = { 'payer.name': PAYER.name, 'payer.email': PAYER.email.toUpperCase() };
    await ada.post(`/console/m/${merchantId}/payment-requests/new`, fields);
    return { ada, merchantId };
  }

  it('hands over its cookies, tokens, secrets that are shown once, and payers', async () => {
    const service = await startTestService();
    const { database, clock, canaries } = service;
    const { ada, merchantId } = await typePayer(service);
    await ada.post('/console/search', { q: '+1 (416) 555-0199' });
    const page = await ada.get(`/console/m/${merchantId}/credentials/new`);
    const seen = /name="seen" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    const fields = { scope: 'payment_request/read', seen };
    const { html } = await ada.post(`/console/m/${merchantId}/credentials/new`, fields);
    const grant = { role: 'operator', merchantId: null } as const;
    const link = { name: 'Olive', grant, actor: 'test' };
    const { token } = await createSignInLink({ db: database.db, clock }, link);
    const olive = visitConsole(service);
    await olive.get('/console/sign-in/link');
    await olive.post('/console/sign-in/link', { link: `https://pay.test/link#${token}` });
    const secrets = {
      'the cookie of a session': /(?:^|; )__Host-console=([^;]+)/.exec(ada.cookies())?.[1],
      'the cookie of a form': /__Host-console-form=([^;]+)/.exec(olive.cookies())?.[1],
      'the token of a form': /name="csrf" value="([^"]+)"/.exec(page.html)?.[1],
      'the token of a link': token,
      'a password': /<code id="API_PASSWORD">([^<]+)/.exec(html)?.[1],
      'a typed name': PAYER.name,
      'a typed e-mail address': PAYER.email,
      'a searched number': '+1 (416) 555-0199',
    };
    for (const [name, value] of Object.entries(secrets)) {
      assert.ok(value, name);
      for (const text of [`a ${value} b`, `?next=${encodeURIComponent(`/a?b=${value}`)}`]) {
        assert.throws(() => canaries.assertAbsent(text, 'a line'), /a line shows/, name);
      }
    }
    await service.stop();
  });

  it('fails when the audit log holds what a person typed', async () => {
    const service = await startTestService();
    const { merchantId } = await typePayer(service);
    const { db } = service.database;
    await insertAuditEntry(db, {
      actor: 'console (Ada, link)',
      action: 'PAYMENT_REQUEST_CREATED',
      merchantId,
      details: { deep: [{ planted: PAYER.name }] },
      occurredAt: service.clock.now(),
    });
    await assert.rejects(service.stop(), /the audit log shows payer\.name/);
  });

  it('fails when a proposal holds the token of a form', async () => {
    const service = await startTestService();
    const { ada } = await typePayer(service);
    const { html } = await ada.get('/console/account');
    const token = /name="csrf" value="([^"]+)"/.exec(html)?.[1];
    await service.database.sql(
      `INSERT INTO proposals (id, kind, target, params, facts_before, facts_after, payload_hash,
                              proposer, proposed_at, expires_at)
       VALUES (gen_random_uuid(), 'REFUND', 'planted', jsonb_build_object('planted', $1::text),
               '{}', '{}', sha256('planted'), 'Ada', now(), now() + interval '1 h')`,
      [token],
    );
    await assert.rejects(service.stop(), /a proposal shows the token of a form/);
  });

  it('fails when a saved view holds what a person filtered by', async () => {
    const service = await startTestService();
    const { ada, merchantId } = await typePayer(service);
    await ada.get(`/console/m/${merchantId}/payment-requests?payerMobileNumber=4165550123`);
    await service.database.sql(
      `INSERT INTO console_saved_views
         (id, issuer, subject, merchant_id, list, name, query, created_at)
       VALUES (gen_random_uuid(), 'payreq', 'Ada', $1, 'payment-requests', 'Planted',
               'payerMobileNumber=4165550123', now())`,
      [merchantId],
    );
    await assert.rejects(service.stop(), /a saved view shows payerMobileNumber/);
  });

  const FORM = `<input name="csrf" value="${'f'.repeat(43)}">`;
  const answerOf = (html: string, location: string | null = null) => {
    const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' });
    return { headers, html, location };
  };
  const watch = () => {
    const pages = watchPages(collectCanaries());
    pages.seeCookie('__Host-console', 's'.repeat(43));
    pages.seeSent('/console/search', { q: PAYER.email });
    pages.seeSent('/console/sign-in/link', { link: 'l'.repeat(43) });
    pages.check('/console', answerOf(FORM));
    return pages;
  };

  for (const [what, html, location, fault] of [
    ['a redirect with a searched value', '', '/console?q=canary%40example.com', /redirect shows q/],
    ['a redirect with a token', '', `/console?csrf=${'f'.repeat(43)}`, /redirect shows the token/],
    ['a redirect with the cookie', '', `/a#${'s'.repeat(43)}`, /redirect shows the cookie/],
    [
      'a title with a payer',
      '<title>Of canary@example.com</title>',
      null,
      /title of a page shows q/,
    ],
    ['a page with the cookie', `<p>${'s'.repeat(43)}</p>`, null, /shows the cookie/],
    ['a page with the token of a link', `<p>${'l'.repeat(43)}</p>`, null, /shows the token of a/],
  ] as const) {
    it(`fails at ${what}`, () => {
      const pages = watch();
      assert.throws(() => pages.check('/console/account', answerOf(html, location)), fault);
    });
  }

  it('hands over the signing secret that a page shows', () => {
    const canaries = collectCanaries();
    const secret = `whsec_${'A'.repeat(40)}`;
    const page = answerOf(`<pre><code>SIGNING_SECRET&#61;${secret}</code></pre>`);
    watchPages(canaries).check('/console', page);
    const showIt = () => canaries.assertAbsent(`a ${secret} b`, 'a line');
    assert.throws(showIt, /a line shows SIGNING_SECRET/);
  });

  it('lets a list repeat the filters of its own address, and no secret', () => {
    const pages = watch();
    const path = '/console/m/a/payment-requests?payerEmail=canary%40example.com&status=';
    pages.seeSent(path);
    pages.check(
      path,
      answerOf('', '/console/m/a/payment-requests?payerEmail=canary%40example.com'),
    );
    const secret = 's'.repeat(43);
    const withSecret = () => pages.check(`/a?b=${secret}`, answerOf('', `/a?b=${secret}`));
    assert.throws(withSecret, /redirect shows the cookie/);
  });
});
