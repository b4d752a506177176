import assert from 'node:assert/strict';
import { changeOrigins } from '#merchants/change-origins.ts';
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
 * failing endpoint, a refund, money in doubt, a bank file.
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
}

async function ask(answered: ReturnType<BankProduction['call']>, status: number): Promise<void> {
  const answer = await answered;
  assert.equal(answer.status, status, answer.text);
}
