import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HARBOUR_IBAN } from '../bank/bank-production.ts';
import { eventually } from '../eventually.ts';
import { payreq, queueOne, refundsOf } from './bank-trial.ts';
import { aroundLonger, isCommitted, type Journey } from './journey.ts';
import type { Trial } from './trial.ts';

interface ClaimedFile {
  readonly token: string;
  readonly messageId: string;
  /** The program keeps it before it asks. */
  readonly claimId: string;
}

/** A call of the bank's program about its file. */
const step = (at: string, word: 'claim' | 'sent', { token, messageId, claimId }: ClaimedFile) =>
  fetch(`${at}/payment-files/${messageId}/${word}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ claimId }),
  });

/** The lines of the journal that name the file. */
function journalOf(trial: Trial, { messageId }: ClaimedFile): string[] {
  const names = readdirSync(refundsOf(trial)).filter((name) => name.endsWith('.jsonl'));
  const lines = names.flatMap((name) =>
    readFileSync(join(refundsOf(trial), name), 'utf8').split('\n'),
  );
  return lines.filter((line) => line.includes(messageId));
}

export const PROGRAM_CLAIM: Journey<ClaimedFile> = {
  title: 'the claim of a payment file by a program',
  role: 'background',
  failpoints: aroundLonger('bank-payment-file-note-claim'),
  async prepare(trial) {
    const scope = ['--scope', 'payment-files/send', '--account', HARBOUR_IBAN];
    const { token } = JSON.parse(await payreq(trial, 'token', 'create', ...scope, '--json'));
    const refundId = await queueOne(trial);
    await payreq(trial, 'bank', 'refunds');
    const [row] = await trial.database.sql<{ messageId: string }>(
      'SELECT message_id AS "messageId" FROM bank_refunds WHERE refund_id = $1',
      [refundId],
    );
    const { messageId = '' } = row ?? {};
    await payreq(trial, 'bank', 'payment-file', 'release', messageId, '--yes');
    return { token, messageId, claimId: randomUUID() };
  },
  call: (_trial, at, file) => step(at, 'claim', file),
  async finish(trial, file, failpoint) {
    const at = () => trial.backgroundOpsUrl();
    assert.deepEqual(journalOf(trial, file), []);
    let own = file;
    if (isCommitted(failpoint)) {
      const other = await step(at(), 'claim', { ...file, claimId: randomUUID() });
      assert.match(await other.text(), /"PAYMENT_FILE_CLAIMED"/);
      await untilCase(trial, file);
      const late = await step(at(), 'claim', file);
      assert.match(await late.text(), /"PAYMENT_FILE_UNCLEAR"/);
      // A person hears from the bank that it has no such file.
      const { messageId } = file;
      await payreq(trial, 'bank', 'payment-file', 'settle', messageId, '--as', 'lost', '--yes');
      own = { ...file, claimId: randomUUID() };
    }
    const given = await step(at(), 'claim', own);
    assert.equal(given.status, 200, await given.clone().text());
    assert.match(await given.text(), new RegExp(`<MsgId>${file.messageId}</MsgId>`));
    assert.equal((await step(at(), 'sent', own)).status, 204);
  },
  async check(trial, file) {
    assert.equal(journalOf(trial, file).length, 1);
    const { messageId } = file;
    const [row] = await trial.database.sql(
      `SELECT written_as AS way, unclear_at AS "unclearAt" FROM bank_payment_files
       WHERE message_id = $1`,
      [messageId],
    );
    assert.deepEqual(row, { way: 'program', unclearAt: null });
    const inFolder = readdirSync(refundsOf(trial)).filter((name) => name.includes(messageId));
    assert.deepEqual(inFolder, []);
  },
};

/** Lets an hour pass for the claim: the process looks at its start, and each minute. */
async function untilCase(trial: Trial, { messageId }: ClaimedFile): Promise<void> {
  const { sql } = trial.database;
  await trial.stopBackground();
  await sql(
    `UPDATE bank_payment_files SET renaming_at = renaming_at - interval '61 minutes'
     WHERE message_id = $1`,
    [messageId],
  );
  await trial.startBackground();
  await eventually(async () => {
    const unclear =
      'SELECT FROM bank_payment_files WHERE message_id = $1 AND unclear_at IS NOT NULL';
    return (await sql(unclear, [messageId])).length === 1;
  }, 'the case of the file');
}
