import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  findOpenRestore,
  noticeRestore,
  releaseRestore,
} from '#database/restores/restore-store.ts';
import { setWay } from '#e-transfer/bank-transfer/connection/sent-file-store.ts';
import { applyRejections } from '#e-transfer/bank-transfer/refunds-out/apply-rejections.ts';
import { formatOf } from '#e-transfer/bank-transfer/refunds-out/bank-refund.ts';
import {
  deliverPaymentFiles,
  writePaymentFileAgain,
} from '#e-transfer/bank-transfer/refunds-out/deliver-files.ts';
import { createRefundMatcher } from '#e-transfer/bank-transfer/refunds-out/match-refund-entries.ts';
import { createPaymentFiles } from '#e-transfer/bank-transfer/refunds-out/send-refunds.ts';
import { elementsAt, textAt } from '#e-transfer/bank-transfer/statements/xml-element.ts';
import type { NetworkRefund } from '#e-transfer/network-refunds.ts';
import { resumeMerchant, suspendMerchant } from '#merchants/suspend-merchant.ts';
import { readXml } from '../../support/bank/read-statement-file.ts';
import {
  MERCHANT,
  MERCHANT_IBAN,
  OTHER_MERCHANT_IBAN,
  OTHER_PAYER_IBAN,
  PAYER_IBAN,
  type StoredPayments,
  startStoredPayments,
} from '../../support/bank/stored-payments.ts';
import { writeRejections } from '../../support/bank/write-rejections.ts';

const SIGNAL = new AbortController().signal;
const NOTHING: readonly string[] = [];

function readFile(path: string) {
  const root = readXml(readFileSync(path, 'utf8'), { isKept: () => true });
  const [payment] = elementsAt(root, ['CstmrCdtTrfInitn', 'PmtInf']);
  const [header] = elementsAt(root, ['CstmrCdtTrfInitn', 'GrpHdr']);
  assert.ok(payment && header);
  return {
    messageId: textAt(header, 'MsgId'),
    count: textAt(header, 'NbOfTxs'),
    sum: textAt(header, 'CtrlSum'),
    debtor: textAt(payment, 'DbtrAcct', 'Id', 'IBAN'),
    transfers: elementsAt(payment, ['CdtTrfTxInf']).map((each) => ({
      endToEndId: textAt(each, 'PmtId', 'EndToEndId'),
      amount: textAt(each, 'Amt', 'InstdAmt'),
      name: textAt(each, 'Cdtr', 'Nm'),
      iban: textAt(each, 'CdtrAcct', 'Id', 'IBAN'),
      text: textAt(each, 'RmtInf', 'Ustrd'),
    })),
  };
}

/** The names in the folder but for the journal, which stays. */
const filesOf = (folder: string) =>
  readdirSync(folder).filter((name) => !name.startsWith('.payment-files-'));

const idOf = ({ refundId }: NetworkRefund) => refundId.replaceAll('-', '');

describe('refunds by bank transfer', () => {
  let stored: StoredPayments;
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'refunds-out-'));
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    stored = await startStoredPayments();
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
  });
  afterEach(() => stored.stop());

  async function send() {
    await createPaymentFiles(stored.deps);
    return deliverPaymentFiles(stored.deps, folder);
  }

  const entryOf = (refund: NetworkRefund, direction: 'CREDIT' | 'DEBIT', changes = {}) => ({
    entryId: `${direction} ${refund.refundId}`,
    refundIds: [refund.refundId],
    messageIds: NOTHING,
    direction,
    amountCents: refund.amountCents,
    feeCents: 0,
    statedCents: [] as readonly number[],
    currency: 'EUR',
    account: MERCHANT_IBAN,
    bankReference: null,
    bookingDate: '2026-03-02',
    bookedAt: new Date('2026-03-02T00:00:00.000Z'),
    isReturn: false,
    isOfRequest: false,
    ...changes,
  });

  it('go out together in one file, to the account that paid', async () => {
    const first = await stored.queue(
      { amountCents: 2_550, message: 'Défaut <Nr. 7> & "Grüße"' },
      { name: 'Zoë O’Näme' },
    );
    const second = await stored.queue({ amountCents: 99 }, { name: null, iban: OTHER_PAYER_IBAN });
    assert.equal(await stored.statusOf(first), 'CREATED');
    const [file, ...others] = await send();
    assert.ok(file && others.length === 0);
    assert.deepEqual([file.refunds, file.totalCents], [2, 2_649]);
    const written = readFile(file.path);
    assert.deepEqual(
      { ...written, transfers: new Set(written.transfers.map((each) => JSON.stringify(each))) },
      {
        messageId: file.messageId,
        count: '2',
        sum: '26.49',
        debtor: MERCHANT_IBAN,
        transfers: new Set(
          [
            {
              endToEndId: idOf(first),
              amount: '25.50',
              name: "Zoe O'Name",
              iban: PAYER_IBAN,
              text: "Defaut .Nr. 7. + 'Grusse'",
            },
            {
              endToEndId: idOf(second),
              amount: '0.99',
              name: 'NOTPROVIDED',
              iban: OTHER_PAYER_IBAN,
              text: 'Refund',
            },
          ].map((each) => JSON.stringify(each)),
        ),
      },
    );
    assert.equal(await stored.statusOf(first), 'PROCESSING');
    assert.deepEqual(await stored.refunds.askState(first.refundId, SIGNAL), {
      state: 'PROCESSING',
    });
    assert.equal(statSync(file.path).mode & 0o777, 0o600);
    assert.deepEqual(await send(), NOTHING);
    assert.equal(filesOf(folder).length, 1);
  });

  it('are queued once, however often they are handed over', async () => {
    const refund = await stored.queue();
    assert.deepEqual(await stored.refunds.start(refund, SIGNAL), { state: 'QUEUED' });
    const [file] = await send();
    assert.equal(readFile(file?.path ?? '').transfers.length, 1);
    assert.deepEqual(await stored.refunds.start(refund, SIGNAL), { state: 'PROCESSING' });
    assert.deepEqual(await send(), NOTHING);
  });

  it('fail at once when the bank named no account', async () => {
    for (const iban of [null, 'DE00370400440532013000', '1234567']) {
      const refund = await stored.refund(await stored.pay({ iban }));
      const failed = { state: 'FAILED', reason: 'PAYER_ACCOUNT_UNKNOWN' };
      assert.deepEqual(await stored.refunds.start(refund, SIGNAL), failed);
    }
    assert.deepEqual(await send(), NOTHING);
  });

  it('leave the choice to an operator when the payment came from several accounts', async () => {
    const paid = await stored.pay(
      { amountCents: 4_000, reference: 'PART-1' },
      { amountCents: 6_000, reference: 'PART-2', iban: OTHER_PAYER_IBAN },
    );
    const started = await stored.refunds.start(await stored.refund(paid), SIGNAL);
    assert.ok(started.state === 'ACCOUNT_UNCLEAR');
    assert.deepEqual(
      started.movements.map(({ networkReference }) => networkReference),
      ['PART-1', 'PART-2'],
    );
    const chosen = await stored.refund(paid, { movementReference: 'PART-2', amountCents: 6_000 });
    assert.deepEqual(await stored.refunds.start(chosen, SIGNAL), { state: 'QUEUED' });
    const more = await stored.refund(paid, { movementReference: 'PART-2', amountCents: 1 });
    const tooMuch = { state: 'FAILED', reason: 'NETWORK_REJECTED' };
    assert.deepEqual(await stored.refunds.start(more, SIGNAL), tooMuch);
    const [file] = await send();
    assert.equal(readFile(file?.path ?? '').transfers[0]?.iban, OTHER_PAYER_IBAN);
  });

  it('go back to the one account from which several parts came', async () => {
    const paid = await stored.pay({ amountCents: 4_000 }, { amountCents: 6_000 });
    const whole = await stored.refund(paid, { amountCents: 10_000 });
    assert.deepEqual(await stored.refunds.start(whole, SIGNAL), { state: 'QUEUED' });
  });

  it('leave the money of a second payment out', async () => {
    const paid = await stored.pay(
      { amountCents: 4_000 },
      { amountCents: 4_000, iban: OTHER_PAYER_IBAN, outcome: 'SECOND', isCase: true },
    );
    const refund = await stored.refund(paid);
    assert.deepEqual(await stored.refunds.start(refund, SIGNAL), { state: 'QUEUED' });
    const [file] = await send();
    assert.equal(readFile(file?.path ?? '').transfers[0]?.iban, PAYER_IBAN);
  });

  it('leave from the current account when the bank has closed the one that received', async () => {
    const refund = await stored.queue();
    await stored.closeAccount();
    const [file] = await send();
    assert.equal(readFile(file?.path ?? '').debtor, OTHER_MERCHANT_IBAN);
    const match = createRefundMatcher(stored.deps);
    const entry = entryOf(refund, 'DEBIT', { account: OTHER_MERCHANT_IBAN });
    assert.equal((await match([entry])).size, 1);
  });

  it('wait while the merchant is suspended', async () => {
    const { db, clock } = stored.deps;
    const operator = { db, clock, actor: 'test' };
    const refund = await stored.queue();
    await suspendMerchant(operator, MERCHANT);
    assert.deepEqual(await send(), NOTHING);
    assert.equal(await stored.statusOf(refund), 'CREATED');
    await resumeMerchant(operator, MERCHANT);
    const [file] = await send();
    assert.deepEqual(
      readFile(file?.path ?? '').transfers.map(({ endToEndId }) => endToEndId),
      [idOf(refund)],
    );
  });

  it('that fail between the list and the file are not in the file', async () => {
    const lost = await stored.queue();
    const kept = await stored.queue();
    stored.beforeReport = async () => {
      stored.beforeReport = null;
      await stored.database.sql(
        `UPDATE refunds SET status = 'FAILED', status_reason_code = 'PAYMENT_RETURNED'
         WHERE id = $1`,
        [lost.refundId],
      );
    };
    const [file, ...others] = await send();
    assert.equal(others.length, 0);
    assert.deepEqual(
      readFile(file?.path ?? '').transfers.map(({ endToEndId }) => endToEndId),
      [idOf(kept)],
    );
    assert.equal(await stored.statusOf(lost), 'FAILED');
  });

  it('stand in one file when two processes write at once', async () => {
    const refunds = await Promise.all([1, 2, 3].map(() => stored.queue()));
    await Promise.all([send(), send(), send()]);
    await send();
    const transfers = filesOf(folder).flatMap((name) => readFile(join(folder, name)).transfers);
    assert.deepEqual(
      transfers.map(({ endToEndId }) => endToEndId).sort(),
      refunds.map(idOf).sort(),
    );
  });

  it('lose nothing and double nothing by a crash between the commit and the file', async () => {
    const refund = await stored.queue();
    const [created] = await createPaymentFiles(stored.deps);
    assert.equal(await stored.statusOf(refund), 'PROCESSING');
    assert.deepEqual(filesOf(folder), NOTHING);
    // The process dies here; the next one writes the file and makes no other.
    const [file, ...others] = await send();
    assert.equal(others.length, 0);
    assert.equal(file?.messageId, created?.messageId);
    const bytes = readFileSync(file?.path ?? '');
    // The bank's program takes the file away; nothing brings it back but --again.
    rmSync(file?.path ?? '');
    assert.deepEqual(await send(), NOTHING);
    assert.deepEqual(filesOf(folder), NOTHING);
    const again = await writePaymentFileAgain(stored.deps, created?.messageId ?? '', folder);
    assert.deepEqual(readFileSync(again?.path ?? ''), bytes);
    // No program of a bank takes it as a second order.
    assert.deepEqual(filesOf(folder), [`${created?.messageId}.copy`]);
    assert.equal(await writePaymentFileAgain(stored.deps, 'PRS-OTHER', folder), null);
  });

  it('leave by one way, also when --again and a change of the way come at once', async () => {
    await stored.queue();
    const [created] = await createPaymentFiles(stored.deps);
    const { db } = stored.deps;
    const changing: typeof db = {
      ...db,
      async query(statement, values) {
        if (statement.name === 'bank-payment-file-mark-written') {
          await setWay(db, created?.messageId ?? '', 1);
        }
        return db.query(statement, values);
      },
    };
    const deps = { ...stored.deps, db: changing };
    const again = await writePaymentFileAgain(deps, created?.messageId ?? '', folder);
    assert.equal(again?.isCopy, true);
    assert.deepEqual(filesOf(folder), [`${created?.messageId}.copy`]);
    const left = await stored.database.sql(
      'SELECT FROM bank_payment_files WHERE written_at IS NOT NULL',
    );
    assert.deepEqual(left, []);
  });

  it('wait for a person before a program gets them, unless the bank asks for signatures', async () => {
    const { sql } = stored.database;
    await sql(
      `INSERT INTO bank_tokens
         (id, scope, secret_hash, accounts, created_by, approved_by, expires_at)
       VALUES (gen_random_uuid(), 'payment-files/send', sha256(''), $1, 'ada', 'ada', 'infinity')`,
      [[MERCHANT_IBAN]],
    );
    for (const programRelease of ['person', 'bank'] as const) {
      await stored.queue();
      const [created] = await createPaymentFiles({ ...stored.deps, programRelease });
      assert.deepEqual(filesOf(folder), NOTHING);
      const waits = `SELECT FROM bank_payment_files WHERE message_id = $1 AND released_at IS NULL`;
      const found = await sql(waits, [created?.messageId]);
      assert.equal(found.length, programRelease === 'person' ? 1 : 0);
    }
    await sql('DELETE FROM bank_tokens');
  });

  it('are not brought back by a writer that was second', async () => {
    await stored.queue();
    await createPaymentFiles(stored.deps);
    const { db } = stored.deps;
    let isFirst = true;
    const slow: typeof db = {
      ...db,
      async query(statement, values) {
        if (statement.name === 'bank-payment-file-mark-written' && isFirst) {
          isFirst = false;
          // Meanwhile another process writes the file, and the bank's program takes it away.
          const [file] = await send();
          rmSync(file?.path ?? '');
        }
        return db.query(statement, values);
      },
    };
    assert.deepEqual(await deliverPaymentFiles({ ...stored.deps, db: slow }, folder), NOTHING);
    assert.equal(isFirst, false);
    assert.deepEqual(filesOf(folder), NOTHING);
  });

  it('leave once by --again, also when another process ends the rename', async () => {
    await stored.queue();
    const [created] = await createPaymentFiles(stored.deps);
    const { db } = stored.deps;
    let isFirst = true;
    const slow: typeof db = {
      ...db,
      async query(statement, values) {
        if (statement.name === 'bank-payment-file-list-refunds' && isFirst) {
          isFirst = false;
          await send();
        }
        return db.query(statement, values);
      },
    };
    const deps = { ...stored.deps, db: slow };
    const again = await writePaymentFileAgain(deps, created?.messageId ?? '', folder);
    assert.deepEqual([again?.isCopy, isFirst], [false, false]);
    assert.deepEqual(filesOf(folder), [`${created?.messageId}.xml`]);
  });

  it('stay while a restore holds them, and leave when it is released', async () => {
    const first = await stored.queue();
    const [held] = await createPaymentFiles(stored.deps);
    const second = await stored.queue();
    await noticeRestore(stored.database.db, 'OPERATOR');
    assert.deepEqual(await send(), NOTHING);
    assert.deepEqual(filesOf(folder), NOTHING);
    const again = await writePaymentFileAgain(stored.deps, held?.messageId ?? '', folder);
    assert.equal(again?.isCopy, true);
    assert.equal(await stored.statusOf(second), 'CREATED');
    const restore = await findOpenRestore(stored.database.db);
    await releaseRestore(stored.database.db, restore?.id ?? '', []);
    assert.equal((await send()).length, 2);
    assert.equal(await stored.statusOf(first), 'PROCESSING');
    assert.equal(await stored.statusOf(second), 'PROCESSING');
  });

  it('finish a file whose writer died before its final name', async () => {
    await stored.queue();
    const [file] = await send();
    const [row] = await stored.database.sql<{ written_as: string }>(
      'SELECT written_as FROM bank_payment_files',
    );
    renameSync(file?.path ?? '', join(folder, row?.written_as ?? ''));
    // A writer that was not noted left its file behind, too: it must never become a payment.
    writeFileSync(join(folder, `.${file?.messageId}.0123456789abcdef.part`), 'other');
    assert.deepEqual(await send(), NOTHING);
    assert.equal(readFile(file?.path ?? '').messageId, file?.messageId);
    assert.equal(filesOf(folder).filter((name) => name.endsWith('.xml')).length, 1);
  });

  it('leave no part of a file for longer than an hour when its writer died', async () => {
    const nameOf = (n: number) => `.PRS-20260301-0123456789ABCDE${n}.0123456789abcdef.part`;
    const [old, young] = [join(folder, nameOf(1)), join(folder, nameOf(2))];
    for (const path of [old, young]) writeFileSync(path, '<Document');
    const now = stored.deps.clock.now().getTime() / 1_000;
    utimesSync(old, now, now - 3_601);
    utimesSync(young, now, now - 3_599);
    await send();
    assert.deepEqual(readdirSync(folder), [nameOf(2)]);
  });

  it('are COMPLETED by the debit in the statement, and RETURNED by the credit', async () => {
    const refund = await stored.queue();
    const match = createRefundMatcher(stored.deps);
    const debit = entryOf(refund, 'DEBIT');
    assert.equal((await match([debit])).size, 0, 'it has not left yet');
    await send();
    for (const changes of [
      { currency: 'CHF' },
      { account: OTHER_MERCHANT_IBAN },
      { isReturn: true },
    ]) {
      assert.equal((await match([{ ...debit, ...changes }])).size, 0, JSON.stringify(changes));
    }
    assert.deepEqual(await match([debit]), new Set([debit.entryId]));
    assert.equal(await stored.statusOf(refund), 'COMPLETED');
    assert.deepEqual(await stored.refunds.askState(refund.refundId, SIGNAL), {
      state: 'COMPLETED',
      movement: {
        networkReference: `${refund.refundId}-DEBIT`,
        amountCents: 2_500,
        bankReference: null,
        bookingDate: '2026-03-02',
      },
      completedAt: debit.bookedAt,
    });
    const credit = entryOf(refund, 'CREDIT', { isReturn: true });
    assert.equal((await match([credit])).size, 1);
    assert.equal(await stored.statusOf(refund), 'FAILED');
    // The debit of an older file comes later: the money stays returned.
    assert.equal((await match([debit])).size, 1);
    assert.equal((await stored.refunds.askState(refund.refundId, SIGNAL)).state, 'RETURNED');
  });

  it('are COMPLETED with charges that the bank states, and a case when it states none', async () => {
    const match = createRefundMatcher(stored.deps);
    const stated = [
      { amountCents: 2_500, feeCents: 35 },
      { amountCents: 2_535, statedCents: [2_500] },
      { amountCents: 2_535 },
      { amountCents: 2_499 },
      { amountCents: 2_465, statedCents: [2_500] },
    ];
    const refunds = await Promise.all(stated.map(() => stored.queue()));
    await send();
    const entries = refunds.map((refund, n) => entryOf(refund, 'DEBIT', stated[n]));
    assert.equal((await match(entries)).size, stated.length);
    const statuses = await Promise.all(refunds.map((refund) => stored.statusOf(refund)));
    const open = ['PROCESSING', 'PROCESSING', 'PROCESSING'];
    assert.deepEqual(statuses, ['COMPLETED', 'COMPLETED', ...open]);
    const fees = stored.reports.flatMap(({ outcome }) =>
      outcome.state === 'COMPLETED' ? [outcome.feeCents] : [],
    );
    assert.deepEqual(fees, [35, 35]);
    assert.deepEqual(
      stored.bookings.map(({ refundIds, movement }) => [...refundIds, movement.amountCents]),
      [2_535, 2_499, 2_465].map((booked, n) => [refunds[n + 2]?.refundId, booked]),
    );
  });

  it('are RETURNED by less than their amount, and a case when nothing explains it', async () => {
    const match = createRefundMatcher(stored.deps);
    const stated = [
      { amountCents: 2_500, feeCents: 250 },
      { amountCents: 2_250, isReturn: true },
      // A payer can write the EndToEndId; only the bank writes that money is returned.
      { amountCents: 2_250 },
      { amountCents: 2_750, isReturn: true },
    ];
    const refunds = await Promise.all(stated.map(() => stored.queue()));
    await send();
    await match(refunds.map((refund) => entryOf(refund, 'DEBIT')));
    await match(refunds.map((refund, n) => entryOf(refund, 'CREDIT', stated[n])));
    const fees = stored.reports.flatMap(({ outcome }) =>
      outcome.state === 'RETURNED' ? [outcome.feeCents] : [],
    );
    assert.deepEqual(fees, [250, 250]);
    assert.deepEqual(
      stored.bookings.map(({ refundIds, isBooked }) => [...refundIds, isBooked]),
      [true, false, false].map((isBooked, n) => [refunds[n + 1]?.refundId, isBooked]),
    );
  });

  it('are COMPLETED together by the debit of their payment file', async () => {
    const match = createRefundMatcher(stored.deps);
    const refunds = await Promise.all([1, 2, 3].map(() => stored.queue()));
    const [file] = await send();
    const [first] = refunds;
    assert.ok(first && file);
    const batch = { refundIds: NOTHING, messageIds: [file.messageId], bankReference: 'BATCH-7' };
    await match([entryOf(first, 'DEBIT', { ...batch, amountCents: 7_400 })]);
    assert.equal(await stored.statusOf(first), 'PROCESSING');
    assert.deepEqual(
      [...(stored.bookings[0]?.refundIds ?? [])].sort(),
      refunds.map(({ refundId }) => refundId).sort(),
    );
    const whole = entryOf(first, 'DEBIT', { ...batch, amountCents: 7_500, feeCents: 20 });
    assert.equal((await match([whole])).size, 1);
    for (const refund of refunds) assert.equal(await stored.statusOf(refund), 'COMPLETED');
    const count = stored.reports.length;
    assert.equal((await match([whole])).size, 1);
    assert.equal(stored.reports.length, count, 'a second time');
  });

  it('are FAILED by a rejection in pain.002, each for its reason', async () => {
    const refunds = await Promise.all([1, 2, 3].map(() => stored.queue()));
    const [file] = await send();
    const [first, second, third] = refunds;
    assert.ok(file && first && second && third);
    const { messageId } = file;
    const report = writeRejections({
      messageId,
      refunds: [
        { refundId: first.refundId, code: 'AC01' },
        { refundId: second.refundId, code: 'ZZ99' },
        { refundId: third.refundId, code: 'AC01', status: 'ACSC' },
      ],
    });
    assert.equal(await applyRejections(stored.deps, report), 2);
    assert.equal(await applyRejections(stored.deps, report), 0, 'a second time');
    assert.deepEqual(await stored.refunds.askState(first.refundId, SIGNAL), {
      state: 'FAILED',
      reason: 'PAYER_ACCOUNT_UNKNOWN',
    });
    assert.deepEqual(await stored.refunds.askState(second.refundId, SIGNAL), {
      state: 'FAILED',
      reason: 'NETWORK_REJECTED',
    });
    assert.equal(await stored.statusOf(third), 'PROCESSING');
    const whole = writeRejections({ messageId, whole: 'AM04' });
    assert.equal(await applyRejections(stored.deps, whole), 1);
    assert.deepEqual(await stored.refunds.start(third, SIGNAL), {
      state: 'FAILED',
      reason: 'INSUFFICIENT_FUNDS',
    });
    const foreign = writeRejections({ messageId: 'OTHER', whole: 'AM04' });
    await assert.rejects(applyRejections(stored.deps, foreign), /no payment file of this service/);
  });

  it('keep names and accounts encrypted in the database', async () => {
    await stored.queue({ message: 'Thank you' }, { name: 'Ada Lovelace' });
    await send();
    for (const table of ['bank_refunds', 'bank_payment_files']) {
      const rows = await stored.database.sql(`SELECT t::text FROM ${table} t`);
      const text = JSON.stringify(rows);
      assert.doesNotMatch(text, new RegExp(PAYER_IBAN));
      const name = Buffer.from('Lovelace').toString('hex');
      assert.doesNotMatch(text, new RegExp(`Lovelace|${name}`));
    }
  });
});

describe('the file of a refund', () => {
  for (const [format, currency, from, to] of [
    ['PAIN_001', 'EUR', 'DE89370400440532013000', PAYER_IBAN],
    ['PAIN_001', 'CAD', 'CA:00312345:0012345', 'CA:00498765:7654321'],
    ['PAIN_001', 'USD', 'US:021000021:1234', 'US:999999992:9876'],
    ['PAIN_001', 'GBP', 'GB29NWBK60161331926819', 'GB:999999:12345678'],
    ['PAIN_001', 'AUD', 'AU:062000:12345', 'AU:999999:54321'],
    // No scheme has a clearing code for the account.
    ['LIST', 'CAD', 'CA:00312345:0012345', '7654321'],
    ['LIST', 'CHF', 'CH9300762011623852957', 'CH5604835012345678009'],
    ['LIST', 'EUR', 'OTHER:BANK:1234', PAYER_IBAN],
    ['LIST', 'INR', 'OTHER:HDFC0000123:50100123456', 'OTHER:HDFC0000124:1234'],
  ] as const) {
    it(`is ${format} in ${currency} from ${from} to ${to}`, () =>
      assert.equal(formatOf(currency, from, to), format));
  }
});
