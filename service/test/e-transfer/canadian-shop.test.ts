import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readProposal } from '#approvals/read-proposals.ts';
import { recordPolicy } from '#approvals/record-policy.ts';
import { createAccountNames } from '#e-transfer/bank-transfer/entries/account-names.ts';
import { runCli } from '../commands/run-cli.ts';
import { approvalDepsFor, approve, person } from '../support/approvals/approving.ts';
import {
  type BankProduction,
  startBankProduction,
  type TransferLink,
} from '../support/bank/bank-production.ts';
import type { EntryOptions } from '../support/bank/statement-options.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { eventually } from '../support/eventually.ts';

const SHOP = 'CA:00312345:0012345';
const PAYER = 'CA:00498765:7654321';
const ADDRESS = 'pay@harbour-books.example';
const ACCOUNT = { scheme: 'CA', bank: '003-12345', number: '0012345', bic: 'ROYCCAT2' };

describe('a Canadian shop on bank transfer', () => {
  let bank: BankProduction;
  let refundsFolder: string;
  let entries = 0;
  before(async () => {
    refundsFolder = mkdtempSync(join(tmpdir(), 'bank-refunds-'));
    bank = await startBankProduction({ settings: { CURRENCY: 'CAD', BANK_DEMO: 'yes' } });
    await bank.service.database.sql('UPDATE deployment SET is_bank_demo = true');
    await bank.setOther(ACCOUNT);
  });
  after(async () => {
    await bank?.stop();
    rmSync(refundsFolder, { recursive: true });
  });

  const payreq = async (...args: string[]) => {
    const ran = await runCli([...args, '--json'], bank.service.env);
    assert.equal(ran.exitCode, 0, `${args.join(' ')}: ${ran.stdout} ${ran.stderr}`);
    return ran.json();
  };

  /** The demo's bank writes a statement, which is imported at once. */
  async function playBank(...args: string[]): Promise<void> {
    const { path } = await payreq('bank', 'demo-pay', ...args);
    await payreq('bank', 'import', path);
  }

  /** The HTML of a transfer page. */
  async function pageOf({ reference }: TransferLink, language = 'en'): Promise<string> {
    const [row] = await bank.service.database.sql<{ key: string }>(
      'SELECT page_key AS key FROM bank_transfer_requests WHERE reference = $1',
      [reference],
    );
    const headers = { 'accept-language': language };
    return (await fetch(`${bank.service.url}/transfer/${row?.key}`, { headers })).text();
  }

  /** A statement of the shop's account with one entry. */
  function deliver(
    entry: Partial<EntryOptions>,
    statement: { readonly iban?: string; readonly servicer?: string | null } = {},
  ) {
    entries += 1;
    const money = { amountCents: 10_000, bankReference: `RBC-${entries}`, ...entry };
    const file = { iban: SHOP, currency: 'CAD', ...statement, entries: [money] };
    return bank.deliver(writeStatement(file));
  }

  async function createRefund(id: string, merchantRefundId: string, amount = 40) {
    const body = { amount, merchantRefundId };
    return bank.call('POST', `/v1/payment-requests/${id}/refunds`, { body });
  }

  const readRefund = async (id: string) => (await bank.call('GET', `/v1/refunds/${id}`)).json;

  async function sendRefunds() {
    await eventually(async () => {
      await bank.service.advance(1);
      const [row] = await bank.service.database.sql<{ n: number }>(
        `SELECT count(*)::int AS n FROM refunds r WHERE r.status = 'CREATED' AND NOT EXISTS
           (SELECT FROM bank_refunds b WHERE b.refund_id = r.id)`,
      );
      return row?.n === 0;
    });
    const files = await payreq('bank', 'refunds', '--out', refundsFolder);
    return files.map(({ path }: { path: string }) => readFileSync(path, 'utf8'));
  }

  it('shows payers the lines of its account, and no payment code', async () => {
    const link = await bank.show();
    for (const [language, labels] of [
      ['en', ['Institution number', 'Transit number', 'Account number']],
      ['fr', ['Numéro d’institution', 'Numéro de transit', 'Numéro de compte']],
    ] as const) {
      const html = await pageOf(link, language);
      for (const label of labels) assert.ok(html.includes(`<dt>${label}</dt>`), label);
      assert.match(html, /data-value="003".*data-value="12345".*data-value="0012345"/s);
      assert.match(html, /data-reference="RF\d{19}"/);
      assert.doesNotMatch(html, /IBAN|qr\.svg|Interac/);
    }
  });

  for (const [words, statement, state] of [
    ['names its bank by the clearing id', {}, 'COMPLETE'],
    ['names its bank without zeros', { servicer: '312345' }, 'COMPLETE'],
    ['names its bank by the BIC', { servicer: 'ROYCCAT2XXX' }, 'COMPLETE'],
    ['writes the number without zeros', { iban: 'CA:00312345:12345' }, 'COMPLETE'],
    ['names another bank', { servicer: '000412345' }, 'REFUSED'],
    ['names another BIC', { servicer: 'BOFMCAM2' }, 'REFUSED'],
    ['names no bank', { servicer: null }, 'REFUSED'],
    ['has another number', { iban: 'CA:00312345:99999' }, 'REFUSED'],
  ] as const) {
    it(`is ${state === 'COMPLETE' ? 'paid' : 'not paid'} by a statement that ${words}`, async () => {
      const link = await bank.show();
      const file = await deliver({ text: `Order ${link.reference}` }, statement);
      assert.equal(file.state, state);
      assert.equal(await bank.statusOf(link.id), state === 'COMPLETE' ? 'PAID' : 'CREATED');
    });
  }

  it('lists the accounts of refused files, whose text an operator gives for the account', async () => {
    const { files } = await payreq('bank', 'accounts-seen');
    const seen = files.flatMap(({ accounts }: { accounts: string[] }) => accounts);
    assert.deepEqual(seen.sort(), [
      '0012345',
      '0012345 (000412345)',
      '0012345 (BOFMCAM2)',
      '99999 (000312345)',
    ]);
    await bank.setOther({ ...ACCOUNT, statementId: 'RBC 12345 CAD' });
    const link = await bank.show();
    const named = { iban: 'OTHER::RBC 12345 CAD', servicer: null };
    assert.equal((await deliver({ reference: link.reference }, named)).state, 'COMPLETE');
    assert.equal(await bank.statusOf(link.id), 'PAID');
    const [row] = await bank.service.database.sql(
      'SELECT DISTINCT account FROM bank_statements WHERE kind = $1',
      ['camt.053'],
    );
    assert.deepEqual(row, { account: 'CA:00312345:12345' });
    await bank.setOther(ACCOUNT);
  });

  it('is named without a bank by the list of a connection, and in Britain by the IBAN', async () => {
    const { db } = bank.service.database;
    const nameOf = async (account: string, listed: readonly string[] | null) => {
      const names = createAccountNames(db, listed);
      return (await names.give([{ account, servicer: [] }]))[0]?.account;
    };
    assert.equal(await nameOf('0012345', ['CA:00312345:12345']), 'CA:00312345:12345');
    assert.equal(await nameOf('0012345', ['CA:00312345:99999']), '0012345');
    assert.equal(await nameOf('0012345', null), '0012345');
    await bank.setOther({ scheme: 'GB', bank: '60-16-13', number: '31926819' });
    assert.equal(await nameOf('GB29NWBK60161331926819', null), 'GB:601613:31926819');
    assert.equal(await nameOf('DE89370400440532013000', null), 'DE89370400440532013000');
    await bank.setOther(ACCOUNT);
  });

  it('is not paid by a statement that writes this service’s own name of the account', async () => {
    const link = await bank.show();
    const entries = [{ amountCents: 10_000, reference: link.reference }];
    const file = { iban: 'OTHER::MINE', servicer: null, currency: 'CAD', entries };
    const text = writeStatement(file).toString().replace('MINE', 'CA:00312345:12345');
    assert.equal((await bank.deliver(Buffer.from(text))).state, 'REFUSED');
    assert.equal(await bank.statusOf(link.id), 'CREATED');
  });

  it('is paid beside a shop at another bank whose text is the same number', async () => {
    const { merchantId } = await payreq('merchant', 'create', '--name', 'Prairie');
    const account = ['--scheme', 'CA', '--bank', '004-54321', '--number', '7777777'];
    const text = ['--holder', 'Prairie Ltd', '--statement-id', '0012345'];
    await payreq('merchant', 'set-account', '--merchant', merchantId, ...account, ...text);
    const link = await bank.show();
    assert.equal((await deliver({ reference: link.reference })).state, 'COMPLETE');
    assert.equal(await bank.statusOf(link.id), 'PAID');
  });

  it('shows an Interac address first, once a statement proves it', async () => {
    const proof = ['bank', 'etransfer-proof', '--merchant', bank.merchant.merchantId];
    const none = await runCli(proof, bank.service.env);
    assert.match(none.stderr, /The merchant has no Interac address/);
    await bank.setOther({ ...ACCOUNT, etransferAddress: ADDRESS });
    const link = await bank.show();
    const { reference } = await payreq(...proof);
    assert.deepEqual((await payreq(...proof)).reference, reference);
    assert.doesNotMatch(await pageOf(link), /Interac/);
    // On another account the message proves nothing.
    await bank.setAccount('DE89370400440532013000');
    await deliver({ amountCents: 100, text: reference }, { iban: 'DE89370400440532013000' });
    await bank.setOther({ ...ACCOUNT, etransferAddress: ADDRESS });
    assert.doesNotMatch(await pageOf(link), /Interac/);
    // Another sum may be any money of a payer who has seen the reference.
    await deliver({ amountCents: 150, text: reference });
    assert.doesNotMatch(await pageOf(link), /Interac/);
    await deliver({ amountCents: 100, text: reference });
    assert.deepEqual(await bank.openCases(), []);
    const html = await pageOf(link);
    const words = html.replaceAll(/<[^>]*>/g, '');
    const shown = link.reference.replaceAll(/.{4}(?=.)/g, '$& ');
    const lead = `Send an Interac e-Transfer of $100.00 to ${ADDRESS}, with ${shown} as its message`;
    assert.ok(words.includes(lead), words);
    assert.ok(html.indexOf(ADDRESS) < html.indexOf('Institution number'));
    assert.match(await pageOf(link, 'fr'), /Envoyez un Virement Interac de/);
  });

  it('is paid by an e-Transfer, which can go back to no account', async () => {
    const link = await bank.show();
    await playBank(link.paymentLink, '--etransfer');
    assert.equal(await bank.statusOf(link.id), 'PAID');
    const { status, json } = await createRefund(link.id, 'etransfer');
    assert.deepEqual([status, json.code], [409, 'REFUNDS_NOT_SUPPORTED']);
    // The merchant sends the money back, with the reference as the message.
    const back = { direction: 'DEBIT', amountCents: 10_000, text: link.reference } as const;
    await deliver(back);
    const [found] = await bank.openCases();
    assert.deepEqual([found?.kind, found?.paymentRequestId], ['REFUNDED_OUTSIDE', link.id]);
    // The operator records it as refunded outside.
    const [{ id: caseId }] = (await payreq('cases', 'list')).cases;
    assert.equal((await payreq('cases', 'accept', caseId)).outcome, 'REFUND_RECORDED');
    const { refundSummary } = (await bank.call('GET', `/v1/payment-requests/${link.id}`)).json;
    assert.deepEqual([refundSummary.amountRefunded, refundSummary.amountAvailable], [100, 0]);
    assert.equal((await bank.ledger()).at(-1), 'REFUND -100.00');
  });

  it('refunds a Canadian account by its clearing code, and its books agree', async () => {
    const link = await bank.show();
    await playBank(link.paymentLink);
    assert.equal(await bank.statusOf(link.id), 'PAID');
    const { json: refund } = await createRefund(link.id, 'clearing');
    const [file] = await sendRefunds();
    for (const [element, value] of [
      ['DbtrAcct', '0012345'],
      ['DbtrAgt', 'ROYCCAT2 CACPA 000312345'],
      ['CdtrAgt', 'CACPA 099899999'],
      ['CdtrAcct', '7654321'],
      ['SvcLvl', 'NURG'],
    ]) {
      const inside = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(file)?.[1] ?? '';
      assert.equal(
        inside
          .replaceAll(/<[^>]*>|\s+/g, ' ')
          .trim()
          .replaceAll(/ +/g, ' '),
        value,
      );
    }
    assert.match(file, /<InstdAmt Ccy="CAD">40\.00</);
    await playBank('--refunds');
    assert.equal((await readRefund(refund.id)).status, 'COMPLETED');
    const day = bank.service.clock.now().toISOString().slice(0, 10);
    const { lines } = await payreq('bank', 'reconcile', '--day', day);
    const own = lines.filter((each: Record<string, string>) =>
      [each.paymentRequestId, each.refundId].some((id) => id === link.id || id === refund.id),
    );
    assert.deepEqual(
      own.map(({ state, amount }: Record<string, string>) => `${state} ${amount}`).sort(),
      ['MATCHED -40.00', 'MATCHED 100.00'],
    );
  });

  it('refunds a number without a bank by a list, whose reference completes the refund', async () => {
    const links = [await bank.show(), await bank.show()];
    const refunds: string[] = [];
    for (const [n, { id, reference }] of links.entries()) {
      await deliver({ reference, debtorName: '=Ada', debtorIban: 'OTHER::7654321' });
      refunds.push((await createRefund(id, `list-${n}`)).json.id);
    }
    const [file, ...others] = await sendRefunds();
    assert.deepEqual(others, []);
    const [header, ...lines] = file.trim().split('\r\n');
    assert.equal(header, 'reference,amount,currency,name,scheme,bank,number,message,from');
    assert.match(
      lines.join('\n'),
      /^(PRS\d{9},40\.00,CAD,'=Ada,,,7654321,,CA:00312345:0012345\n?){2}$/,
    );
    const [first = '', second = ''] = lines.map((line: string) => line.slice(0, 12));
    const debit = { direction: 'DEBIT', amountCents: 4_000 } as const;
    await deliver({ ...debit, text: `${first.slice(0, 6)} ${first.slice(6)}` });
    const states = async () =>
      Promise.all(refunds.map(async (id) => (await readRefund(id)).status));
    await eventually(async () => (await states()).includes('COMPLETED'));
    assert.deepEqual((await states()).sort(), ['COMPLETED', 'PROCESSING']);
    const rest = refunds[(await states()).indexOf('PROCESSING')] ?? '';
    const done = await payreq('refund', 'complete', rest, '--bank-reference', 'RBC-BY-HAND');
    assert.equal(done.status, 'COMPLETED');
    const again = await runCli(
      ['refund', 'complete', rest, '--bank-reference', 'RBC-BY-HAND'],
      bank.service.env,
    );
    assert.match(again.stderr, /The refund is COMPLETED; only a PROCESSING one can be completed/);
    // The statement of the next day has the debit, with the reference: it is the same money.
    const before = await bank.ledger();
    const cases = await bank.openCases();
    await deliver({ ...debit, text: second });
    assert.deepEqual(await bank.openCases(), cases);
    assert.deepEqual(await bank.ledger(), before);
  });

  it('refunds by a list a number that the payer’s bank writes as a name of this service', async () => {
    const link = await bank.show();
    const debtor = { debtorName: 'Ada', debtorIban: 'OTHER::MINE' };
    const entries = [{ amountCents: 10_000, reference: link.reference, ...debtor }];
    const file = writeStatement({ iban: SHOP, currency: 'CAD', entries }).toString();
    await bank.deliver(Buffer.from(file.replace('MINE', 'RBC:1:2')));
    const { json: refund } = await createRefund(link.id, 'odd-number');
    const [list, ...others] = await sendRefunds();
    assert.deepEqual(others, []);
    assert.match(list, /,40\.00,CAD,Ada,,,RBC 1 2,/);
    // The transfer that a person made ends the refund, once two people say so.
    const { db } = bank.service.database;
    const policy = (isOn: boolean) =>
      recordPolicy({ db, clock: bank.service.clock }, { isOn, refundsAboveCents: 0 });
    const complete = ['refund', 'complete', refund.id, '--bank-reference', 'RBC-ODD'];
    await policy(true);
    const asked = await runCli([...complete, '--json'], bank.service.env);
    assert.equal(asked.exitCode, 3, asked.stderr);
    const deps = approvalDepsFor(bank.service);
    const { id } = asked.json().proposal;
    const proposal = await readProposal(deps, id);
    assert.ok(proposal);
    const { refundStatus, refundCents } = proposal.factsBefore;
    assert.deepEqual([refundStatus, refundCents], ['PROCESSING', 4_000]);
    assert.equal((await approve(deps, person('ada'), proposal)).status, 'WAITING');
    assert.equal((await readRefund(refund.id)).status, 'PROCESSING');
    assert.equal((await approve(deps, person('bob'), proposal)).status, 'EXECUTED');
    await policy(false);
    assert.equal((await readRefund(refund.id)).status, 'COMPLETED');
  });

  it('keeps the account of a payer until the payer is erased', async () => {
    const link = await bank.show();
    await deliver({ reference: link.reference, debtorName: 'Ada', debtorIban: PAYER });
    const { json: refund } = await createRefund(link.id, 'erased', 100);
    await sendRefunds();
    const endToEndId = refund.id.replaceAll('-', '');
    await deliver({ direction: 'DEBIT', endToEndId });
    const whose = ['--payment-request', link.id, '--merchant', bank.merchant.merchantId];
    await payreq('payer', 'erase', ...whose, '--yes');
    const [left] = await bank.service.database.sql(
      `SELECT creditor_encrypted IS NULL AND m.party_box IS NULL AS "isErased"
       FROM bank_refunds b JOIN bank_movements m USING (payment_request_id)
       WHERE b.refund_id = $1`,
      [refund.id],
    );
    assert.deepEqual(left, { isErased: true });
  });
});
