import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { creditorReferenceOf } from '#e-transfer/bank-transfer/references/creditor-reference.ts';
import { setAccount } from '#merchants/accounts/set-account.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../support/bank/bank-production.ts';
import type { EntryOptions } from '../support/bank/statement-options.ts';
import { writeStatement } from '../support/bank/write-statement.ts';
import { type ConsoleClient, signIn } from '../support/console/console-client.ts';
import { parseCsv } from '../support/payment-requests/parse-csv.ts';

const OTHER_IBAN = 'AT611904300234573201';
const PAYER_IBAN = 'FR1420041010050500013M02606';
const CASES = '/console/operator/cases';

describe('cases in the console', () => {
  let bank: BankProduction;
  let operator: ConsoleClient;
  let other: string;
  let numbers = 0;

  before(async () => {
    bank = await startBankProduction();
    const { service } = bank;
    other = (await service.createMerchant({ name: 'Other Shop' })).merchantId;
    const deps = { db: service.database.db, clock: service.clock, actor: 'test' };
    await setAccount(deps, other, { holder: 'Other Shop', iban: OTHER_IBAN, bic: null });
    operator = await signIn(service, { role: 'operator' });
  });
  after(() => bank.stop());

  const newReference = () => `CASE-${++numbers}`;

  async function book(iban: string, ...entries: EntryOptions[]): Promise<void> {
    const file = await bank.deliver(writeStatement({ iban, entries }));
    assert.equal(file.state, 'COMPLETE', String(file.reason));
  }

  async function caseUnder(networkReference: string): Promise<string> {
    const [row] = await bank.service.database.sql<{ id: string }>(
      `SELECT id::text FROM operator_cases WHERE details ->> 'networkReference' = $1`,
      [networkReference],
    );
    assert.ok(row, `a case of ${networkReference}`);
    return row.id;
  }

  /** Money whose payer has mistyped one digit of the reference. */
  async function mistype(amountCents: number) {
    const meant = await bank.show({ payer: { name: 'Zoë Lovelace', email: 'z@example.com' } });
    const digits = meant.reference.slice(4, 19);
    const wrong = `${digits.slice(0, 7)}${(Number(digits[7]) + 1) % 10}${digits.slice(8)}`;
    const bankReference = newReference();
    await book(HARBOUR_IBAN, {
      ...{ amountCents, bankReference, reference: creditorReferenceOf(wrong) },
      ...{ debtorName: 'LOVELACE ZOE', debtorIban: PAYER_IBAN },
    });
    return { meant, caseId: await caseUnder(bankReference), bankReference };
  }

  it('shows the money beside the payment request that it may be for', async () => {
    const { meant, caseId } = await mistype(9_999);
    const { html } = await operator.get(`${CASES}/${caseId}?beside=${meant.id}`);
    assert.match(html, /€0\.01 less than is open/);
    assert.match(html, /LOVELACE ZOE/);
    assert.match(html, /Zoë Lovelace<span class="likeness same">/);
    assert.match(html, /FR14 2004 1010 0505 0001 3M02 606/);
    assert.match(html, /<mark>\d<\/mark>/);
  });

  it('assigns the money by a form that says what it does', async () => {
    const { meant, caseId } = await mistype(10_000);
    const form = `${CASES}/${caseId}/assign`;
    const { html } = await operator.get(`${form}?paymentRequest=${meant.id}`);
    assert.match(html, /Created becomes Paid/);
    const answer = await operator.post(form, { paymentRequest: meant.id, note: 'they called' });
    assert.equal(answer.location, `${CASES}/${caseId}?done=PAID`);
    assert.equal(await bank.statusOf(meant.id), 'PAID');
    const again = await operator.post(form, { paymentRequest: meant.id });
    assert.equal(again.status, 422);
    assert.match(again.html, /it was settled before/);
  });

  it('asks for the way in which a case was settled before it closes', async () => {
    const { caseId } = await mistype(10_000);
    const refused = await operator.post(`${CASES}/${caseId}/close`, { note: ' ' });
    assert.equal(refused.status, 422);
    assert.match(refused.html, /Say how the matter was settled/);
    const closed = await operator.post(`${CASES}/${caseId}/close`, { note: 'given back' });
    assert.equal(closed.location, `${CASES}/${caseId}?done=CLOSED`);
  });

  it('hides names and account numbers of payers from people who settle no case', async () => {
    const { caseId, meant } = await mistype(9_998);
    const reader = await signIn(bank.service, { role: 'operator-readonly' });
    const finance = await signIn(bank.service, {
      role: 'finance',
      merchantId: bank.merchant.merchantId,
    });
    const own = `/console/m/${bank.merchant.merchantId}/cases/${caseId}`;
    const pages = [
      await reader.get(`${CASES}/${caseId}?beside=${meant.id}`),
      await finance.get(own),
    ];
    for (const { status, html } of pages) {
      assert.equal(status, 200);
      assert.doesNotMatch(html, /LOVELACE|Lovelace|3M02/);
      assert.doesNotMatch(html, new RegExp(`${caseId}/(accept|assign|close)`));
    }
  });

  it('tells a merchant nothing of another merchant whose payment request the money names', async () => {
    const named = await bank.show();
    const bankReference = newReference();
    await book(OTHER_IBAN, { amountCents: 10_000, reference: named.reference, bankReference });
    const caseId = await caseUnder(bankReference);
    const finance = await signIn(bank.service, { role: 'finance', merchantId: other });
    const list = `/console/m/${other}/cases`;
    for (const path of [list, `${list}/${caseId}`, `${list}.csv`]) {
      const { status, html } = await finance.get(path);
      assert.equal(status, 200, path);
      assert.ok(html.includes(caseId), path);
      assert.ok(!html.includes(named.id), path);
      assert.doesNotMatch(html, /Harbour/);
    }
    const filtered = await finance.get(`${list}?paymentRequest=${named.id}`);
    assert.ok(!filtered.html.includes(caseId));
    const shown = await operator.get(`${CASES}/${caseId}`);
    assert.ok(shown.html.includes(named.id));
    const foreign = await finance.get(`${list}/${(await mistype(10_000)).caseId}`);
    assert.equal(foreign.status, 404);
  });

  it('leads from money on a wrong account to the payment request that it names', async () => {
    const named = await bank.show();
    const bankReference = newReference();
    await book(OTHER_IBAN, { amountCents: 10_000, reference: named.reference, bankReference });
    await caseUnder(bankReference);
    const { html } = await operator.get(`${CASES}?kind=WRONG_ACCOUNT`);
    assert.ok(html.includes(`/console/search?found&#61;${named.id}`));
    const found = await operator.get(`/console/search?found=${named.id}`);
    assert.ok(found.html.includes(`/payment-requests/${named.id}`));
  });

  it('keeps the filters of the list in its address, also for the file', async () => {
    const { caseId, bankReference } = await mistype(9_997);
    const query = `state=open&kind=UNMATCHED_MONEY&merchant=${bank.merchant.merchantId}`;
    const { html } = await operator.get(`${CASES}?${query}`);
    assert.ok(html.includes(caseId));
    assert.match(html, /<option value="UNMATCHED_MONEY" selected>/);
    const none = await operator.get(`${CASES}?kind=REFUND_OVERDUE`);
    assert.match(none.html, /No case fits these filters/);
    const [header = [], ...rows] = parseCsv((await operator.get(`${CASES}.csv?${query}`)).html);
    const row = rows.find(([id]) => id === caseId) ?? [];
    const cell = (name: string) => row[header.indexOf(name)];
    assert.deepEqual(
      [cell('state'), cell('amount'), cell('currency'), cell('networkReference')],
      ['OPEN', '99.97', 'EUR', bankReference],
    );
    assert.equal((await operator.get(`${CASES}?from=2026-02-30`)).status, 422);
  });

  it('shows why a file was refused, and where its money went when it was accepted', async () => {
    assert.equal((await bank.deliver(Buffer.from('<nothing/>'))).state, 'REFUSED');
    const { caseId } = await mistype(9_996);
    const files = await operator.get('/console/operator/bank-files');
    assert.match(files.html, /Refused<\/span><span class="reason">[^<]+<\/span>/);
    const [, id] = /bank-files\/([0-9a-f-]{36})/.exec(files.html) ?? [];
    const file = await operator.get(`/console/operator/bank-files/${id}`);
    assert.ok(file.html.includes(`${CASES}/${caseId}`));
    assert.match(file.html, /Adds up/);
  });
});
