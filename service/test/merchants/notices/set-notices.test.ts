import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { enqueueWebhookEvent } from '#webhooks/events/outbox.ts';
import { runCli } from '../../commands/run-cli.ts';
import { eventually } from '../../support/eventually.ts';
import { type SmtpServer, startSmtpServer } from '../../support/mail/smtp-server.ts';
import { sampleOf } from '../../support/metric-samples.ts';
import { type Production, startProduction } from '../../support/service/production.ts';

let production: Production;
let server: SmtpServer;
let merchantId: string;

before(async () => {
  server = await startSmtpServer();
  const settings = { MAIL_SMTP_URL: server.url, MAIL_FROM: 'notices@pay.example' };
  production = await startProduction({ settings });
});
after(async () => {
  await production?.stop();
  await server?.close();
});
beforeEach(async () => {
  ({ merchantId } = await production.service.createMerchant({ name: 'Hafen Bücher' }));
});

const setNotices = (...options: string[]) => {
  const args = ['merchant', 'set-notices', '--merchant', merchantId, ...options];
  return runCli(args, production.service.env);
};

function audited() {
  return production.service.database.sql(
    `SELECT action, details FROM audit_log
     WHERE merchant_id = $1 AND action LIKE 'MERCHANT_NOTICES%' ORDER BY id`,
    [merchantId],
  );
}

/** Writes the event of returned money, as the report of a network does. */
async function returnMoney(): Promise<void> {
  const { id } = await production.createLink();
  await production.service.database.db.transaction((tx) =>
    enqueueWebhookEvent(tx, {
      merchantId,
      paymentRequestId: id,
      sequence: 1,
      eventType: 'PAYMENT-RETURNED',
      message: 'Money of the payment request was returned to the payer.',
      resource: JSON.stringify({ id, currency: 'CAD', refundSummary: { amountReturned: 12.34 } }),
      webhookUrl: null,
      createdAt: production.service.clock.now(),
    }),
  );
}

describe('payreq merchant set-notices', () => {
  it('sends a merchant an e-mail when money was returned', async () => {
    const ran = await setNotices('--email', 'desk@shop.example');
    assert.equal(ran.exitCode, 0, ran.stderr);
    assert.match(ran.stdout, /Notices go to desk@shop\.example\./);
    await returnMoney();
    const mail = await eventually(() => server.mails[0], 'the e-mail');
    assert.deepEqual(mail.to, ['desk@shop.example']);
    assert.match(mail.data, /Returned so far: 12\.34 CAD/);
  });

  it('is audited once for each change, and --none takes the address away', async () => {
    await setNotices('--email', 'desk@shop.example');
    await setNotices('--email', 'desk@shop.example');
    const none = await setNotices('--none', '--json');
    assert.deepEqual(none.json(), { merchantId, email: null });
    assert.deepEqual(await audited(), [
      { action: 'MERCHANT_NOTICES_CHANGED', details: { email: 'desk@shop.example' } },
      { action: 'MERCHANT_NOTICES_CHANGED', details: { email: null } },
    ]);
  });

  it('without it, an operator’s alert says that the merchant was not told', async () => {
    const alerts = async () => {
      const text = await (await fetch(`${production.service.opsUrl}/metrics`)).text();
      return sampleOf(text, 'operator_notices_total{kind="MERCHANT_NOT_NOTIFIED"}') ?? Number.NaN;
    };
    const before = await alerts();
    await returnMoney();
    await eventually(async () => (await alerts()) === before + 1, 'the alert');
  });

  it('refuses an address that is none, two at once, and an unknown merchant', async () => {
    const bad = [
      'desk',
      'a@shop.example,b@shop.example',
      'Desk <a@shop.example>',
      'a@shop.example\nBcc: b@shop.example',
      `a@${'b'.repeat(260)}.example`,
    ];
    for (const email of bad) {
      const { exitCode, stderr } = await setNotices('--email', email);
      assert.equal(exitCode, 1, email);
      assert.match(stderr, /--email must be one e-mail address/);
    }
    for (const options of [[], ['--none', '--email', 'a@shop.example']]) {
      const { exitCode, stderr } = await setNotices(...options);
      assert.equal(exitCode, 1);
      assert.match(stderr, /Give either --email ADDRESS or --none\./);
    }
    merchantId = 'mer_unknown';
    assert.match((await setNotices('--none')).stderr, /There is no merchant "mer_unknown"\./);
  });
});
