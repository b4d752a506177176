import assert from 'node:assert/strict';
import { type BankProduction, HARBOUR_IBAN } from '../../support/bank/bank-production.ts';
import { queueRefund } from '../../support/bank/queue-refund.ts';
import { writeStatement } from '../../support/bank/write-statement.ts';
import { type Ran, runCli } from '../run-cli.ts';

/** Payment files of a deployment, each with one refund of 1.00, and the commands about them. */
export interface PaymentFiles {
  /** Commits a payment file, under further settings. */
  write(
    settings?: Readonly<Record<string, string>>,
  ): Promise<{ readonly messageId: string; readonly refundId: string }>;
  /** Runs `payreq bank payment-file`. */
  actOn(...args: string[]): Promise<Ran>;
  /** The state of a file, with its reason behind a colon. */
  stateOf(messageId: string): Promise<string>;
}

export function paymentFilesOf(bank: () => BankProduction): PaymentFiles {
  let paid: string | undefined;
  const run = (...args: string[]) => runCli(['bank', ...args], bank().service.env);
  const actOn = (...args: string[]) => run('payment-file', ...args);
  async function pay(): Promise<string> {
    const { id, reference } = await bank().show();
    const payer = { debtorIban: 'FR1420041010050500013M02606', debtorName: 'Ada' };
    const entries = [{ amountCents: 100_00, reference, bankReference: 'IN-1', ...payer }];
    await bank().deliver(writeStatement({ iban: HARBOUR_IBAN, entries }));
    return id;
  }
  return {
    actOn,
    async write(settings) {
      paid ??= await pay();
      const refundId = await queueRefund(bank(), paid, 1);
      const env = { ...bank().service.env, ...settings };
      const wrote = await runCli(['bank', 'refunds'], env);
      assert.equal(wrote.exitCode, 0, wrote.stderr);
      const [row] = await bank().service.database.sql<{ messageId: string }>(
        'SELECT message_id AS "messageId" FROM bank_refunds WHERE refund_id = $1',
        [refundId],
      );
      return { messageId: row?.messageId ?? '', refundId };
    },
    async stateOf(messageId) {
      const listed = await actOn('list', '--json');
      const file = listed
        .json()
        .find((each: { messageId: string }) => each.messageId === messageId);
      return [file.state, file.reason].filter(Boolean).join(': ');
    },
  };
}
