import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { elementsAt, textAt } from '#e-transfer/bank-transfer/statements/xml-element.ts';
import { runCli } from '../commands/run-cli.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../support/bank/bank-production.ts';
import { readXml } from '../support/bank/read-statement-file.ts';
import { writeRejections } from '../support/bank/write-rejections.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { eventually } from '../support/eventually.ts';

const PAYER_IBAN = 'FR1420041010050500013M02606';

describe('real money, from the link to the last refund', () => {
  let bank: BankProduction;
  let refundsFolder: string;
  before(async () => {
    refundsFolder = mkdtempSync(join(tmpdir(), 'bank-refunds-'));
    bank = await startBankProduction({ settings: { BANK_DEMO: 'yes' } });
    await bank.service.database.sql('UPDATE deployment SET is_bank_demo = true');
  });
  after(async () => {
    await bank?.stop();
    rmSync(refundsFolder, { recursive: true });
  });

  const payreq = async (...args: string[]) => {
    const ran = await runCli(args, bank.service.env);
    assert.equal(ran.exitCode, 0, `${args.join(' ')}: ${ran.stdout} ${ran.stderr}`);
    return ran;
  };

  async function createRefund(id: string, body: Readonly<Record<string, unknown>>) {
    const created = await bank.call('POST', `/v1/payment-requests/${id}/refunds`, { body });
    assert.equal(created.status, 201, created.text);
    return created.json;
  }

  const readRefund = async (id: string) => (await bank.call('GET', `/v1/refunds/${id}`)).json;

  /** Wakes the loops until the bank's part has the refund, then writes the payment files. */
  async function sendRefunds() {
    await bank.service.advance(0);
    const { sql } = bank.service.database;
    await eventually(async () => {
      await bank.service.advance(1);
      const [row] = await sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM refunds r WHERE r.status = 'CREATED' AND NOT EXISTS
           (SELECT FROM bank_refunds b WHERE b.refund_id = r.id)`,
      );
      return row?.n === 0;
    });
    return (await payreq('bank', 'refunds', '--out', refundsFolder, '--json')).json();
  }

  /** The sums of the payment request equal those of its ledger entries. */
  async function checkSums(id: string): Promise<void> {
    const [sums] = await bank.service.database.sql(
      `SELECT p.received_cents - p.returned_cents - p.refunded_cents AS own,
         (SELECT sum(amount_cents) FROM ledger_entries l WHERE l.payment_request_id = p.id)
           AS ledger
       FROM payment_requests p WHERE p.id = $1`,
      [id],
    );
    assert.equal(Number(sums?.own), Number(sums?.ledger));
  }

  it('is paid by a statement, and refunded in part by a file and the next statement', async () => {
    const link = await bank.show();
    await payreq('bank', 'demo-pay', link.paymentLink);
    await eventually(async () => {
      await bank.service.advance(0);
      return (await bank.statusOf(link.id)) === 'PAID';
    });
    const refund = await createRefund(link.id, { amount: 40, merchantRefundId: 'r-1' });
    assert.equal(refund.status, 'CREATED');
    const [file, ...others] = await sendRefunds();
    assert.equal(others.length, 0);
    assert.deepEqual([file.refunds, file.total], [1, '40.00']);
    assert.equal((await readRefund(refund.id)).status, 'PROCESSING');
    const root = readXml(readFileSync(file.path, 'utf8'), { isKept: () => true });
    const [transfer] = elementsAt(root, ['CstmrCdtTrfInitn', 'PmtInf', 'CdtTrfTxInf']);
    assert.ok(transfer);
    assert.equal(textAt(transfer, 'PmtId', 'EndToEndId'), refund.id.replaceAll('-', ''));
    assert.equal(textAt(transfer, 'CdtrAcct', 'Id', 'IBAN'), PAYER_IBAN);

    await payreq('bank', 'demo-pay', '--refunds');
    await eventually(async () => {
      await bank.service.advance(0);
      return (await readRefund(refund.id)).status === 'COMPLETED';
    });
    assert.deepEqual(await bank.ledger(), ['PAYMENT 100.00', 'REFUND -40.00']);
    await checkSums(link.id);
    const { refundSummary } = await bank.read(link.id);
    assert.equal(refundSummary.status, 'PARTIAL');
    assert.equal(refundSummary.amountAvailable, 60);

    const day = bank.service.clock.now().toISOString().slice(0, 10);
    const reconciled = (await payreq('bank', 'reconcile', '--day', day, '--json')).json();
    assert.deepEqual(reconciled.faults, []);
    assert.deepEqual(
      reconciled.lines.map(({ state, amount, refundId }: Record<string, string>) => [
        state,
        amount,
        refundId,
      ]),
      [
        ['MATCHED', '100.00', null],
        ['MATCHED', '-40.00', refund.id],
      ],
    );
  });

  it('is available again when the money of a refund comes back', async () => {
    const link = await bank.show();
    const entry = { debtorIban: PAYER_IBAN, debtorName: 'Ada', debtorAgent: 'BNPAFRPPXXX' };
    const paid = { ...entry, amountCents: 10_000, reference: link.reference };
    await bank.deliver(
      writeStatement({ iban: HARBOUR_IBAN, entries: [{ ...paid, bankReference: 'BACK-1' }] }),
    );
    assert.equal(await bank.statusOf(link.id), 'PAID');
    const refund = await createRefund(link.id, { merchantRefundId: 'r-2' });
    await sendRefunds();
    const endToEndId = refund.id.replaceAll('-', '');
    const back = { amountCents: 10_000, endToEndId };
    await bank.deliver(
      writeStatement({
        iban: HARBOUR_IBAN,
        entries: [
          { ...back, direction: 'DEBIT', bankReference: 'BACK-2' },
          { ...back, direction: 'CREDIT', bankReference: 'BACK-3', returned: 'AC04' },
        ],
      }),
    );
    await eventually(async () => (await readRefund(refund.id)).status === 'FAILED');
    assert.equal((await readRefund(refund.id)).statusReason.code, 'REFUND_RETURNED');
    const { refundSummary } = await bank.read(link.id);
    assert.equal(refundSummary.amountAvailable, 100);
    await checkSums(link.id);
  });

  it('keeps a refund FAILED that the bank rejects, and refuses answers to foreign files', async () => {
    const link = await bank.show();
    const paid = { debtorIban: PAYER_IBAN, amountCents: 10_000, reference: link.reference };
    await bank.deliver(
      writeStatement({ iban: HARBOUR_IBAN, entries: [{ ...paid, bankReference: 'REJ-1' }] }),
    );
    const refund = await createRefund(link.id, { merchantRefundId: 'r-3' });
    const [file] = await sendRefunds();
    const rejections = writeRejections({
      messageId: file.messageId,
      refunds: [{ refundId: refund.id, code: 'AC04' }],
    });
    assert.equal((await bank.deliver(rejections)).state, 'COMPLETE');
    const failed = await readRefund(refund.id);
    assert.deepEqual([failed.status, failed.statusReason.code], ['FAILED', 'ACCOUNT_RESTRICTED']);
    const foreign = await bank.deliver(writeRejections({ messageId: 'OTHER', whole: 'AC04' }));
    assert.equal(foreign.state, 'REFUSED');
    assert.match(foreign.reason ?? '', /answers no payment file of this service/);
    await checkSums(link.id);
  });

  it('fails a refund at once when the statement names no account', async () => {
    const link = await bank.show();
    const paid = { amountCents: 10_000, reference: link.reference, bankReference: 'NONE-1' };
    await bank.deliver(writeStatement({ iban: HARBOUR_IBAN, entries: [paid] }));
    const refund = await createRefund(link.id, { merchantRefundId: 'r-4' });
    await eventually(async () => {
      await bank.service.advance(1);
      return (await readRefund(refund.id)).status === 'FAILED';
    });
    assert.equal((await readRefund(refund.id)).statusReason.code, 'PAYER_ACCOUNT_UNKNOWN');
  });
});
