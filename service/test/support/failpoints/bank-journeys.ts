import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HARBOUR_IBAN, putFile } from '../bank/bank-production.ts';
import { eventually } from '../eventually.ts';
import {
  AMOUNT_CENTS,
  createPaidByBank,
  filesOf,
  ORDINARY_ENTRIES,
  openLink,
  putPayment,
  queueOne,
  refundPart,
  refundsOf,
  showOne,
  statementOf,
  untilQueued,
} from './bank-trial.ts';
import { aroundLonger, aroundOwn, type Journey } from './journey.ts';
import { PROGRAM_CLAIM } from './program-journey.ts';
import { createOne, type Trial } from './trial.ts';

export const LINK: Journey<string> = {
  title: 'the opening of a payment link',
  role: 'api',
  failpoints: aroundOwn('network-request-insert', 'network-request-save-answer'),
  prepare: (trial) => createOne(trial, 'Ada Lovelace'),
  call: (trial, at, id) => openLink(trial, id, at),
  async finish(trial, id) {
    await openLink(trial, id);
    const rows = await trial.database.sql(
      `SELECT n.payer_url IS NOT NULL AS known FROM network_requests n
       JOIN bank_transfer_requests b USING (payment_request_id) WHERE payment_request_id = $1`,
      [id],
    );
    assert.deepEqual(rows, [{ known: true }]);
  },
};

export const NETWORK_POLL: Journey<string> = {
  title: 'a poll of the network',
  role: 'background',
  failpoints: aroundOwn('network-request-claim'),
  async prepare(trial) {
    const { id } = await showOne(trial);
    await trial.database.sql('UPDATE network_requests SET next_look_at = now()');
    return id;
  },
  async finish({ database }, id) {
    await eventually(async () => {
      const due = await database.sql(
        `SELECT FROM network_requests WHERE payment_request_id = $1
         AND (looks = 0 OR next_look_at <= now())`,
        [id],
      );
      return due.length === 0;
    }, 'the poll');
  },
};

export const BANK_FILE: Journey<{ readonly id: string; readonly before: number }> = {
  title: 'the import of a bank file of two parts',
  role: 'background',
  failpoints: [
    'bank-file-renamed',
    ...aroundOwn(
      'bank-file-receive',
      'bank-file-save-part',
      'bank-statement-insert',
      'bank-entries-insert',
    ),
    'before/bank-entries-insert:2',
    ...aroundOwn('bank-statement-complete', 'bank-file-mark-staged'),
    ...aroundLonger('bank-movements-insert', 'bank-entries-mark-matched'),
    ...aroundLonger('payment-request-save-moves', 'webhook-enqueue', 'ledger-insert'),
    ...aroundOwn('bank-movements-mark-reported', 'bank-file-mark-complete'),
    'bank-file-imported',
  ],
  async prepare(trial) {
    const { id, reference } = await showOne(trial);
    const before = await countEntries(trial);
    await putPayment(trial, reference, ORDINARY_ENTRIES);
    return { id, before };
  },
  async finish(trial) {
    await eventually(async () => (await readdir(filesOf(trial))).length === 0, 'an empty folder');
  },
  async check(trial, { id, before }) {
    const { json } = await trial.call('GET', `/payment-requests/${id}`);
    assert.equal(json.status, 'PAID');
    assert.equal(await countEntries(trial), before + ORDINARY_ENTRIES + 1);
    const { sql } = trial.database;
    const money = await sql(
      `SELECT outcome, amount_cents::int AS cents FROM bank_movements WHERE payment_request_id = $1`,
      [id],
    );
    assert.deepEqual(money, [{ outcome: 'EXACT', cents: AMOUNT_CENTS }]);
    assert.deepEqual(await sql('SELECT FROM bank_entries WHERE matched_at IS NULL'), []);
    assert.deepEqual(await sql('SELECT kind FROM operator_cases'), []);
  },
};

/** Another way has brought the file before, and its only account waits for a person. */
export const READ_ON: Journey<{ readonly id: string; readonly before: number }> = {
  ...BANK_FILE,
  title: 'the import of a file whose entries were withheld',
  failpoints: [
    ...aroundOwn('bank-file-receive', 'bank-file-save-part', 'bank-entries-insert'),
    'before/bank-entries-insert:2',
    ...aroundOwn('bank-statement-complete', 'bank-file-mark-staged'),
    ...aroundLonger('bank-movements-insert', 'bank-entries-mark-matched'),
    ...aroundOwn('bank-file-mark-complete'),
    'bank-file-imported',
  ],
  async prepare(trial) {
    const { id, reference } = await showOne(trial);
    const before = await countEntries(trial);
    const bytes = statementOf(reference, ORDINARY_ENTRIES);
    await trial.database.sql(
      `INSERT INTO bank_files (id, sha256, size_bytes, state, kind, completed_at, accounts, withheld)
       VALUES (gen_random_uuid(), sha256($1), length($1), 'COMPLETE', 'camt.053', now(), '{}', $2)`,
      [bytes, [HARBOUR_IBAN]],
    );
    await putFile(filesOf(trial), bytes);
    return { id, before };
  },
};

async function countEntries({ database }: Trial): Promise<number> {
  return (await database.sql('SELECT FROM bank_entries')).length;
}

export const HAND_OVER: Journey<string> = {
  title: 'the hand-over of a refund to the bank',
  role: 'background',
  failpoints: [...aroundOwn('refund-claim', 'bank-refund-insert'), 'refund-handed-over'],
  async prepare(trial) {
    await trial.startBackground();
    const id = await createPaidByBank(trial);
    await trial.stopBackground();
    return refundPart(trial, id);
  },
  async finish(trial, refundId) {
    await untilQueued(trial, refundId);
    // Payment files are written at a start, and each hour after it.
    await trial.stopBackground();
    await trial.startBackground();
    await untilWritten(trial, refundId);
  },
  check: checkPaidOnce,
};

export const PAYMENT_FILE: Journey<string> = {
  title: 'the writing of a payment file',
  role: 'background',
  failpoints: [
    ...aroundLonger('bank-payment-file-insert', 'refund-save-moves'),
    'payment-file-half-written',
    ...aroundOwn('bank-payment-file-mark-written'),
    'payment-file-named',
  ],
  prepare: queueOne,
  finish: untilWritten,
  check: checkPaidOnce,
};

/** The complete payment files that order the refund. */
async function filesWith(trial: Trial, refundId: string): Promise<string[]> {
  const names = await readdir(refundsOf(trial));
  const found: string[] = [];
  for (const name of names.filter((each) => each.endsWith('.xml'))) {
    const text = await readFile(join(refundsOf(trial), name), 'utf8');
    assert.match(text, /<\/Document>\s*$/, 'a payment file is complete');
    const orders = text.split(refundId.replaceAll('-', '')).length - 1;
    found.push(...Array.from({ length: orders }, () => name));
  }
  return found;
}

async function untilWritten(trial: Trial, refundId: string): Promise<void> {
  await eventually(async () => (await filesWith(trial, refundId)).length > 0, 'the payment file');
}

/**
 * Checks that a single order to pay the refund has left for the bank, and that the service knows
 * it.
 */
async function checkPaidOnce(trial: Trial, refundId: string): Promise<void> {
  assert.equal((await filesWith(trial, refundId)).length, 1);
  const { json } = await trial.call('GET', `/refunds/${refundId}`);
  assert.equal(json.status, 'PROCESSING');
  const rows = await trial.database.sql(
    `SELECT b.state, f.refunds::int, f.total_cents::int AS cents, f.written_at IS NOT NULL AS written
     FROM bank_refunds b JOIN bank_payment_files f USING (message_id) WHERE b.refund_id = $1`,
    [refundId],
  );
  assert.deepEqual(rows, [{ state: 'SENT', refunds: 1, cents: 234, written: true }]);
}

export const BANK_JOURNEYS = [LINK, NETWORK_POLL, BANK_FILE, READ_ON] as const;
export const REFUND_FILE_JOURNEYS = [HAND_OVER, PAYMENT_FILE, PROGRAM_CLAIM] as const;
