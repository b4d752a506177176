import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock } from '#lib/clock.ts';
import { setAccount } from '#merchants/accounts/set-account.ts';
import { HARBOUR_IBAN, putFile } from '../bank/bank-production.ts';
import { writeStatement } from '../bank/write-statement.ts';
import { eventually } from '../eventually.ts';
import { createPayer } from '../payment-requests/payer.ts';
import { COMMAND_LINE } from '../service/command-line.ts';
import { createOne, newKey, startTrial, type Trial } from './trial.ts';

export const AMOUNT_CENTS = 1_234;
const PAYER_IBAN = 'DE02120300000000202051';
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
/** Entries that name no payment request: with one more, a file is staged by two statements. */
export const ORDINARY_ENTRIES = 250;

export const filesOf = ({ folder }: Trial): string => join(folder, 'files');
export const refundsOf = ({ folder }: Trial): string => join(folder, 'refunds');

/** A production deployment on bank transfers, whose merchant has an account. */
export async function startBankTrial(more: Readonly<Record<string, string>> = {}): Promise<Trial> {
  const trial = await startTrial('production', (folder) => {
    for (const name of ['files', 'refunds']) mkdirSync(join(folder, name), { mode: 0o700 });
    return {
      E_TRANSFER_NETWORK: 'bank-transfer',
      CURRENCY: 'EUR',
      BANK_FILES_DIR: join(folder, 'files'),
      BANK_REFUNDS_DIR: join(folder, 'refunds'),
      ...more,
    };
  });
  const deps = { db: trial.database.db, clock: systemClock, actor: 'test' };
  const account = { holder: 'Harbour Books GmbH', iban: HARBOUR_IBAN, bic: null };
  await setAccount(deps, trial.merchant.merchantId, account);
  return trial;
}

export async function openLink(trial: Trial, id: string, at = trial.url): Promise<void> {
  const { json } = await trial.call('GET', `/payment-requests/${id}`);
  const page = await createPayer({ url: at }).request(json.paymentLink);
  assert.ok(page.status < 400, await page.text());
}

/** A payment request whose payer has opened the page with account and reference. */
export async function showOne(trial: Trial): Promise<{ id: string; reference: string }> {
  const id = await createOne(trial, 'Ada Lovelace');
  await openLink(trial, id);
  const [row] = await trial.database.sql<{ reference: string }>(
    'SELECT reference FROM bank_transfer_requests WHERE payment_request_id = $1',
    [id],
  );
  return { id, reference: row?.reference ?? '' };
}

/** The contents of a statement with the payer's transfer, among ordinary entries. */
export function paymentOf(reference: string, ordinary = 0) {
  const payment = {
    amountCents: AMOUNT_CENTS,
    reference,
    bankReference: newKey(),
    debtorName: 'Ada Lovelace',
    debtorIban: PAYER_IBAN,
  };
  const others = Array.from({ length: ordinary }, () => ({
    amountCents: 100,
    bankReference: newKey(),
  }));
  return { entries: [payment, ...others], date: YESTERDAY };
}

export const statementOf = (reference: string, ordinary = 0): Buffer =>
  writeStatement({ iban: HARBOUR_IBAN, ...paymentOf(reference, ordinary) });

/** Puts such a statement into the folder. */
export async function putPayment(trial: Trial, reference: string, ordinary = 0): Promise<void> {
  await putFile(filesOf(trial), statementOf(reference, ordinary));
}

/** A payment request that the living background process has seen paid. */
export async function createPaidByBank(trial: Trial): Promise<string> {
  const { id, reference } = await showOne(trial);
  await putPayment(trial, reference);
  await eventually(async () => {
    const { json } = await trial.call('GET', `/payment-requests/${id}`);
    return json.status === 'PAID';
  }, 'the payment');
  return id;
}

/** A refund of a part, due at the network at once. */
export async function refundPart(trial: Trial, paymentRequestId: string): Promise<string> {
  const key = newKey();
  const body = { merchantRefundId: key, amount: 2.34 };
  const path = `/payment-requests/${paymentRequestId}/refunds`;
  const answer = await trial.call('POST', path, { key, body });
  assert.equal(answer.status, 201, answer.text);
  await trial.database.sql('UPDATE refunds SET next_poll_at = now() WHERE id = $1', [
    answer.json.id,
  ]);
  return answer.json.id;
}

/** A refund that waits for a payment file; no background process lives. */
export async function queueOne(trial: Trial): Promise<string> {
  await trial.startBackground();
  const refundId = await refundPart(trial, await createPaidByBank(trial));
  await untilQueued(trial, refundId);
  await trial.stopBackground();
  return refundId;
}

export function untilQueued({ database }: Trial, refundId: string): Promise<unknown> {
  return eventually(async () => {
    const rows = await database.sql('SELECT FROM bank_refunds WHERE refund_id = $1', [refundId]);
    return rows.length === 1;
  }, 'the refund at the bank');
}

/** Runs `payreq`. @returns what it printed */
export async function payreq(trial: Trial, ...words: string[]): Promise<string> {
  const args = ['--', COMMAND_LINE, ...words];
  const ran = await promisify(execFile)(process.execPath, args, { env: { ...trial.settings } });
  return ran.stdout;
}
