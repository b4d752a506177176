import assert from 'node:assert/strict';
import { changeOrigins } from '#merchants/change-origins.ts';
import { archiveTemplate, setTemplate } from '#messages/templates/change-template.ts';
import { type BankProduction, HARBOUR_IBAN, startBankProduction } from '../bank/bank-production.ts';
import { writeStatement } from '../bank/write-statement.ts';
import { freePort } from '../free-port.ts';

/** A port without a listener: every delivery fails. */
const DEAD_LISTENER = 'https://127.0.0.1:9/webhooks';

export interface BusyConsole extends BankProduction {
  /** The origin of the pages, where the service listens. */
  readonly origin: string;
}

/**
 * A deployment in which something of every kind has happened: payment requests in several states, a
 * failing endpoint, a refund, money in doubt, a bank file, messages to payers.
 */
export async function startBusyConsole(): Promise<BusyConsole> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const bank = await startBankProduction({
    settings: {
      PORT: `${port}`,
      PUBLIC_API_URL: `${origin}/v1`,
      PUBLIC_AUTH_URL: `${origin}/oauth2/token`,
      PAYMENT_LINK_BASE: `${origin}/pay`,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.1/32',
      WEBHOOK_ALLOW_PORTS: '*',
      // Without a server there: each message waits.
      MAIL_SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'pay@pay.example',
    },
  });
  await happen(bank);
  return { ...bank, origin };
}

async function happen(bank: BankProduction): Promise<void> {
  const { call, service, merchant } = bank;
  await changeOrigins(
    { db: service.database.db, clock: service.clock, isLocal: true, actor: 'test' },
    { merchantId: merchant.merchantId, use: 'webhook', add: ['https://127.0.0.1:9'], remove: [] },
  );
  const endpoint = { url: DEAD_LISTENER, description: 'The shop' };
  await ask(call('POST', '/v1/webhook-endpoints', { body: endpoint }), 201);
  const paid = await bank.show({ invoiceNumber: 'INVOICE-1' });
  const short = await bank.show({ displayMessage: `Order ${'of many things '.repeat(15)}`.trim() });
  const cancelled = await bank.show();
  await bank.show();
  await bank.cancel(cancelled.id);
  const entries = [
    { amountCents: 10_000, reference: paid.reference, debtorName: 'Robin Payer' },
    { amountCents: 9_999, reference: short.reference, debtorName: 'Sam Short' },
    { amountCents: 4_200, text: 'thanks', debtorName: 'Una Unknown' },
    { amountCents: 700, direction: 'DEBIT' as const },
  ];
  await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries }, { kind: 'camt.053' }));
  assert.equal(await bank.statusOf(paid.id), 'PAID');
  // A transfer for two payment requests, which the bank then corrects.
  const [one, two] = [await bank.show({ amount: 120 }), await bank.show({ amount: 80 })];
  const text = `${one.reference} ${two.reference}`;
  for (const amountCents of [19_000, 20_000]) {
    const both = [{ amountCents, text, bankReference: 'FOR-TWO' }];
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: both }, { kind: 'camt.053' }));
  }
  await ask(
    call('POST', `/v1/payment-requests/${paid.id}/refunds`, {
      body: { amount: 25, merchantRefundId: 'R-1' },
    }),
    201,
  );
  await service.advance(60);
  for (let number = 0; number < 3; number += 1) await bank.createLink({ deliveryMode: 'EMAIL' });
  await messagesHappen(service.database.sql);
  await templatesHappen(bank);
}

/** A template in two languages, and one that is archived. */
async function templatesHappen({ service, merchant }: BankProduction): Promise<void> {
  const deps = { db: service.database.db, clock: service.clock, actor: 'test' };
  const { merchantId } = merchant;
  const french = { REQUEST: { subject: 'Votre commande {invoiceNumber} chez {merchant}' } };
  for (const id of ['autumn', 'winter']) {
    const texts = { en: { REQUEST: { introduction: 'Please pay {amount}.' } }, fr: french };
    const template = { id, footer: { en: 'Open from 9:30 to 17:00.' }, texts };
    await setTemplate(deps, { merchantId, template, version: null, isByMerchant: false });
  }
  await archiveTemplate(deps, merchantId, 'winter');
}

/** A link that did not arrive, a recipient who refused, and a message as the sandbox keeps one. */
async function messagesHappen(sql: BankProduction['service']['database']['sql']): Promise<void> {
  const [failed, refused, kept] = await sql<{ id: string }>('SELECT id FROM messages ORDER BY id');
  await sql(
    `UPDATE messages SET status = 'FAILED', reason = 'REFUSED_BY_SERVER', next_attempt_at = NULL,
       lease_token = NULL, leased_until = NULL, ended_at = service_now(), attempts = 1,
       attempt_log = '[{"endDateTime": "2026-03-01T12:00:01Z", "outcome": "SMTP_550"}]'
     WHERE id = $1`,
    [failed?.id],
  );
  await sql(
    `INSERT INTO message_suppressions (merchant_id, channel, address_hash, reason, message_id)
     SELECT merchant_id, channel, sha256('ada'), 'RECIPIENT_REFUSED', id FROM messages
     WHERE id = $1`,
    [refused?.id],
  );
  await sql(
    `INSERT INTO message_inbox (message_id, subject, text, html, headers) VALUES ($1,
       'Harbour Books asks you to pay', 'Pay here.', '<!doctype html><html lang="en"><head>
       <title>Pay</title></head><body><main><h1>Pay here.</h1></main></body></html>',
       'Subject: Harbour Books asks you to pay')`,
    [kept?.id],
  );
}

async function ask(answered: ReturnType<BankProduction['call']>, status: number): Promise<void> {
  const answer = await answered;
  assert.equal(answer.status, status, answer.text);
}
