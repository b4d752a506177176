import assert from 'node:assert/strict';
import { HARBOUR_IBAN } from '../bank/bank-production.ts';
import { FOLDER_MODE, type SftpBank, startSftpBank } from '../bank/sftp-bank.ts';
import { writeStatement } from '../bank/write-statement.ts';
import { eventually } from '../eventually.ts';
import { paymentOf, payreq, queueOne, showOne, startBankTrial } from './bank-trial.ts';
import { aroundOwn, type Journey } from './journey.ts';
import type { Trial } from './trial.ts';

/** A trial with a bank's SFTP server, whose files leave without a person. */
export interface SftpTrial extends Trial {
  readonly remote: SftpBank;
}

export async function startSftpTrial(): Promise<SftpTrial> {
  const remote = await startSftpBank();
  for (const folder of ['/out', '/in']) remote.put(folder, Buffer.alloc(0), FOLDER_MODE);
  const trial = await startBankTrial({
    ...remote.settings,
    BANK_SFTP_PAYMENTS: '/in',
    BANK_SFTP_ACCOUNTS: HARBOUR_IBAN,
    BANK_SFTP_RELEASE: 'bank',
    BANK_SFTP_AFTER: 'delete',
  });
  return {
    ...trial,
    remote,
    async close() {
      await trial.close();
      await remote.stop();
    },
  };
}

const remoteOf = (trial: Trial): SftpBank => (trial as SftpTrial).remote;

/** The round of a process that died holds its lease for two minutes. */
const letRoundBegin = ({ database }: Trial) =>
  database.sql('UPDATE bank_connections SET due_at = now(), leased_by = NULL, leased_until = NULL');

/** Waits for a condition, with a round each time. */
async function afterRounds(trial: Trial, isTrue: () => boolean | Promise<boolean>, what: string) {
  await eventually(async () => {
    if (await isTrue()) return true;
    const open = await trial.database.sql('SELECT FROM bank_connections WHERE leased_by IS NULL');
    if (open.length > 0) await letRoundBegin(trial);
    return false;
  }, what);
}

export const SFTP_FILE: Journey<string> = {
  title: 'the fetch of a statement from a bank’s server',
  role: 'background',
  failpoints: [
    'sftp-file-fetched',
    ...aroundOwn('bank-file-receive', 'bank-file-mark-staged'),
    'sftp-file-staged',
    ...aroundOwn('bank-connection-note-tried'),
  ],
  async prepare(trial) {
    await letRoundBegin(trial);
    const { id, reference } = await showOne(trial);
    const bytes = writeStatement({ iban: HARBOUR_IBAN, ...paymentOf(reference) });
    remoteOf(trial).put(`/out/${id}.xml`, bytes);
    return id;
  },
  async finish(trial, id) {
    await letRoundBegin(trial);
    const isGone = () => !remoteOf(trial).files.has(`/out/${id}.xml`);
    await afterRounds(trial, isGone, 'a file that is taken and removed');
  },
  async check(trial, id) {
    const { json } = await trial.call('GET', `/payment-requests/${id}`);
    assert.equal(json.status, 'PAID');
    const money = await trial.database.sql(
      'SELECT outcome FROM bank_movements WHERE payment_request_id = $1',
      [id],
    );
    assert.deepEqual(money, [{ outcome: 'EXACT' }]);
  },
};

/** The paths of the bank's files that order a refund. */
const ordersOf = (trial: Trial, refundId: string): string[] =>
  [...remoteOf(trial).files]
    .filter(([, { bytes }]) => bytes.includes(refundId.replaceAll('-', '')))
    .map(([path]) => path);

export const SFTP_PAYMENT: Journey<string> = {
  title: 'the sending of a payment file by SFTP',
  role: 'background',
  failpoints: [
    ...aroundOwn('bank-payment-file-note-putting'),
    'sftp-payment-put',
    ...aroundOwn('bank-payment-file-note-renaming'),
    'sftp-payment-named',
    ...aroundOwn('bank-payment-file-mark-sent-by-sftp'),
  ],
  async prepare(trial) {
    const refundId = await queueOne(trial);
    await letRoundBegin(trial);
    return refundId;
  },
  async finish(trial, refundId) {
    await letRoundBegin(trial);
    const isSent = async () => {
      const rows = await trial.database.sql(
        `SELECT FROM bank_refunds b JOIN bank_payment_files f USING (message_id)
         WHERE b.refund_id = $1 AND f.written_at IS NOT NULL`,
        [refundId],
      );
      return rows.length === 1;
    };
    await afterRounds(trial, isSent, 'a payment file that is sent');
  },
  async check(trial, refundId) {
    assert.deepEqual(
      ordersOf(trial, refundId).map((path) => /^\/in\/PRS-[\dA-F-]+\.xml$/.test(path)),
      [true],
    );
    const { json } = await trial.call('GET', `/refunds/${refundId}`);
    assert.equal(json.status, 'PROCESSING');
  },
};

export const SFTP_HOLD: Journey<string> = {
  title: 'the hold of a payment file whose refund has ended',
  role: 'background',
  failpoints: aroundOwn('bank-payment-file-hold'),
  async prepare(trial) {
    const refundId = await queueOne(trial);
    const fail = ['refund', 'fail', refundId, '--note', 'The payer asked for it', '--yes'];
    for (const words of [['bank', 'refunds'], fail]) await payreq(trial, ...words);
    await letRoundBegin(trial);
    return refundId;
  },
  async finish(trial, refundId) {
    await letRoundBegin(trial);
    const isHeld = async () => {
      const rows = await trial.database.sql(
        `SELECT FROM bank_refunds b JOIN bank_payment_files f USING (message_id)
         WHERE b.refund_id = $1 AND f.released_at IS NULL AND f.written_at IS NULL`,
        [refundId],
      );
      return rows.length === 1;
    };
    await afterRounds(trial, isHeld, 'a payment file that waits for a person');
  },
  async check(trial, refundId) {
    assert.deepEqual(ordersOf(trial, refundId), []);
    const { json } = await trial.call('GET', `/refunds/${refundId}`);
    assert.equal(json.status, 'FAILED');
  },
};

export const SFTP_JOURNEYS = [SFTP_FILE, SFTP_PAYMENT, SFTP_HOLD] as const;
