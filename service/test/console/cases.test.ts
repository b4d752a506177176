import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { whole } from '#console/components/values.ts';
import { sizeText } from '#console/money/bank/file-page.ts';
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
import { untilOlderTransactionsEnd } from '../support/until-older-transactions-end.ts';

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

  it('need a bank account, which the checklist of a merchant asks for', async () => {
    const checklistOf = async (id: string) =>
      (await operator.get(`/console/operator/merchants/${id}`)).html;
    assert.match(await checklistOf(other), /Done<\/span> <span>Bank account/);
    const { merchantId } = await bank.service.createMerchant({ name: 'New Shop' });
    const path = `/console/operator/merchants/${merchantId}/account`;
    assert.match(
      await checklistOf(merchantId),
      new RegExp(`To do</span> <span><a href="${path}">Bank account`),
    );
  });

  it('shows the money beside the payment request that it may be for', async () => {
    const { meant, caseId } = await mistype(9_999);
    const { html } = await operator.get(`${CASES}/${caseId}?beside=${meant.id}`);
    assert.match(html, /€0\.01 less than is open/);
    assert.match(html, /LOVELACE ZOE/);
    assert.match(html, /Zoë Lovelace<\/a><span class="likeness same">/);
    assert.match(html, /FR14 2004 1010 0505 0001 3M02 606/);
    assert.match(html, /<mark>\d<\/mark>/);
    // The money has no status and no act: its cards show no label for them.
    const ends = /<td data-label="Status" data-empty><\/td><td data-label="Decide" data-empty>/;
    assert.match(html, ends);
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

  /** A transfer of 200.00 that names two payment requests, which ask for 120.00 and 80.00. */
  async function both(earlier: readonly number[] = []) {
    const [one, two] = [await bank.show({ amount: 120 }), await bank.show({ amount: 80 })];
    const bankReference = newReference();
    const text = `${one.reference} ${two.reference}`;
    for (const amountCents of [...earlier, 20_000]) {
      await book(HARBOUR_IBAN, { amountCents, text, bankReference });
    }
    return { one, two, bankReference, path: `${CASES}/${await caseUnder(bankReference)}` };
  }

  const partsOf = (...parts: readonly TypedPart[]) =>
    Object.fromEntries(
      parts.flatMap(([id, amount], index) => [
        [`part-${index + 1}-id`, id],
        [`part-${index + 1}-amount`, amount],
      ]),
    );

  it('splits the money by a form that suggests what the payment requests still ask for', async () => {
    const { one, two, path } = await both();
    const page = (await operator.get(path)).html;
    assert.match(page, /These 2 together are exactly €200\.00\./);
    assert.match(page, /The money<\/strong><span class="why">Payer’s name not known/);
    assert.doesNotMatch(page, /<\/a><span class="likeness unknown">/);
    assert.match(page, />Split among several</);
    const more = await operator.get(`${path}/assign?paymentRequest=${one.id}`);
    assert.match(more.html, /Created stays, and €80\.00 too much opens a new case/);
    assert.ok(page.includes(`<a class="button" href="${path}/split">Split it so</a>`));
    const { html } = await operator.get(`${path}/split`);
    const formId = /name="formId" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const suggested = valuesOf(html);
    assert.deepEqual(suggested, partsOf([one.id, '120.00'], [two.id, '80.00']));
    assert.match(html, /Harbour Books[^<]*, Created: €120\.00 open/);
    assert.match(html, /Sum of the parts: €200\.00 of €200\.00<\/strong> <[^>]+>✓ Adds up</);
    const answer = await operator.post(`${path}/split`, { ...suggested, formId });
    assert.equal(answer.location, `${path}?done=SPLIT`);
    assert.deepEqual([await bank.statusOf(one.id), await bank.statusOf(two.id)], ['PAID', 'PAID']);
    const again = await operator.post(`${path}/split`, { ...suggested, formId });
    assert.equal(again.status, 422);
    assert.match(again.html, /it was settled before \(SPLIT\)/);
    assert.doesNotMatch((await operator.get(path)).html, new RegExp(`${path}/(split|close)`));
  });

  it('names the payment requests of a case, and each of them names the case', async () => {
    const { one, two, path } = await both();
    const { merchantId } = bank.merchant;
    const finance = await signIn(bank.service, { role: 'finance', merchantId });
    const own = path.replace('/operator', `/m/${merchantId}`);
    for (const list of [CASES, `/console/m/${merchantId}/cases`]) {
      const { html } = await operator.get(`${list}?paymentRequest=${two.id}`);
      for (const [{ id }, amount] of [[one, '€120.00'] as const, [two, '€80.00'] as const]) {
        assert.match(html, new RegExp(`/payment-requests/${id}">[^<]+</a> ${amount}`));
      }
    }
    assert.ok((await finance.get(own)).html.includes(`/payment-requests/${one.id}"`));
    const notice = /<p class="notice warning">([^<]*)<a href="([^"]*)">Open the case/;
    const page = `/console/m/${merchantId}/payment-requests/${one.id}`;
    const [, told = '', theirs] = notice.exec((await finance.get(page)).html) ?? [];
    assert.match(told, /A case about it waits for a decision: Unclear references, €200\.00\./);
    assert.equal(theirs, own);
    assert.equal(notice.exec((await operator.get(page)).html)?.[2], path);
  });

  it('names the field of each fault of a split, and keeps what was typed', async () => {
    const { one, two, path } = await both();
    const table: readonly [readonly TypedPart[], string, RegExp][] = [
      [
        [
          [one.id, '120'],
          [two.id, '79.99'],
        ],
        '',
        /The parts are €0\.01 less than the money/,
      ],
      [
        [
          [one.id, '120'],
          [two.id, '80.01'],
        ],
        '',
        /The parts are €0\.01 more than the money/,
      ],
      [[[one.id, '200']], '', /Give at least two parts/],
      [
        [
          ['', '120'],
          [two.id, '80'],
        ],
        'part-1-id',
        /Give the id of a payment request/,
      ],
      [
        [
          ['x', '120'],
          [two.id, '80'],
        ],
        'part-1-id',
        /Give the id of a payment request/,
      ],
      [
        [
          [one.id, '120'],
          [one.id, '80'],
        ],
        'part-2-id',
        /Part 1 names this payment request/,
      ],
      [
        [
          [one.id, '120'],
          [one.id.replace(/^./, 'f'), '80'],
        ],
        'part-2-id',
        /No payment request has/,
      ],
      [
        [
          [one.id, ''],
          [two.id, '80'],
        ],
        'part-1-amount',
        /Give an amount of at least 0\.01/,
      ],
      [
        [
          [one.id, '119.995'],
          [two.id, '80'],
        ],
        'part-1-amount',
        /Give an amount of at least 0\.01/,
      ],
      [
        [
          [one.id, '1,000'],
          [two.id, '0'],
        ],
        'part-2-amount',
        /Give an amount of at least 0\.01/,
      ],
    ];
    for (const [parts, field, sentence] of table) {
      const fields = partsOf(...parts);
      const { status, html } = await operator.post(`${path}/split`, { ...fields, note: 'asked' });
      assert.equal(status, 422);
      assert.match(html, sentence);
      const invalid = [...html.matchAll(/<input id="(part-[^"]+)"[^>]*aria-invalid/g)];
      if (field)
        assert.ok(
          invalid.some(([, name]) => name === field),
          field,
        );
      assert.deepEqual({ ...valuesOf(html), ...fields }, valuesOf(html), 'what was typed');
      assert.match(html, />asked<\/textarea>/);
    }
    assert.equal(await bank.statusOf(one.id), 'CREATED');
  });

  it('adds rows without a script, up to 20, and settles nothing by it', async () => {
    const { one, two, path } = await both();
    let fields: Record<string, string> = partsOf([one.id, '120,00'], [two.id, '80']);
    for (let rows = 3; rows <= 20; rows += 1) {
      const { status, html } = await operator.post(`${path}/split`, { ...fields, more: '1' });
      assert.equal(status, 200);
      fields = valuesOf(html);
      assert.equal(Object.keys(fields).length, 2 * rows);
      assert.equal(html.includes('name="more"'), rows < 20);
      assert.match(html, /Sum of the parts: €200\.00 of €200\.00/);
    }
    assert.equal(await bank.statusOf(one.id), 'CREATED');
    assert.equal((await operator.post(`${path}/split`, fields)).location, `${path}?done=SPLIT`);
  });

  it('refuses parts of another merchant, and of a page that shows another account', async () => {
    const { one, path } = await both();
    const unopened = await bank.createLink({ amount: 80 });
    const parts = partsOf([one.id, '120'], [unopened.id, '80']);
    const { status, html } = await operator.post(`${path}/split`, parts);
    assert.equal(status, 422);
    assert.match(html, /The page of this payment request shows another account/);
    const bankReference = newReference();
    await book(OTHER_IBAN, { amountCents: 20_000, reference: one.reference, bankReference });
    const foreign = `${CASES}/${await caseUnder(bankReference)}/split`;
    const refused = await operator.post(foreign, parts);
    assert.match(refused.html, /belongs to another merchant than the money/);
  });

  it('offers no split of a corrected booking before it has replaced the earlier one', async () => {
    const { bankReference } = await both([19_000]);
    const [corrected] = await bank.service.database.sql<{ id: string }>(
      `SELECT id::text FROM operator_cases WHERE details -> 'correctedReferences' ? $1`,
      [bankReference],
    );
    const { html } = await operator.get(`${CASES}/${corrected?.id}`);
    assert.match(html, /Replace the earlier booking first\./);
    assert.doesNotMatch(html, />Split among several</);
  });

  it('offers a replacement only where money corrects an earlier booking', async () => {
    const { path } = await both();
    assert.doesNotMatch((await operator.get(path)).html, new RegExp(`${path}/replace`));
    const plain = await operator.get(`${path}/replace`);
    assert.match(plain.html, /This money corrects no earlier booking/);
    const other = await operator.get(`${CASES}/${(await mistype(9_995)).caseId}/replace`);
    assert.match(other.html, /This case cannot be settled in this way/);
  });

  it('replaces an earlier booking by a form, and asks which when several came before', async () => {
    const link = await bank.show();
    const bankReference = newReference();
    const money = { reference: link.reference, bankReference };
    for (const amountCents of [9_000, 9_500, 10_000]) {
      await book(HARBOUR_IBAN, { ...money, amountCents });
    }
    const [first, second] = await bank.service.database.sql<{ id: string }>(
      `SELECT id::text FROM operator_cases WHERE details -> 'correctedReferences' ? $1 ORDER BY id`,
      [bankReference],
    );
    const path = `${CASES}/${second?.id}`;
    const page = await operator.get(path);
    assert.ok(page.html.includes(`href="${path}/replace"`));
    const asked = await operator.post(`${path}/replace`, { note: 'the bank called' });
    assert.equal(asked.status, 422);
    assert.match(asked.html, /Choose the booking that the bank has corrected/);
    assert.match(asked.html, />the bank called<\/textarea>/);
    const one = await operator.get(`${CASES}/${first?.id}/replace`);
    assert.match(one.html, /Earlier booking<\/dt><dd><span class="amount">€90\.00/);
    assert.match(one.html, /Created stays, and €5\.00 is still missing/);
    const done = await operator.post(`${path}/replace`, { movement: bankReference });
    assert.equal(done.location, `${path}?done=PAID`);
    assert.match((await operator.get(`${path}?done=PAID`)).html, /the payment request is paid/);
    assert.equal(await bank.statusOf(link.id), 'PAID');
    const again = await operator.post(`${path}/replace`, { movement: bankReference });
    assert.equal(again.status, 422);
  });

  it('names a corrected booking in one way to operators and to its merchant', async () => {
    const link = await bank.show();
    const bankReference = newReference();
    for (const amountCents of [9_100, 9_200]) {
      await book(HARBOUR_IBAN, { reference: link.reference, bankReference, amountCents });
    }
    const { merchantId } = bank.merchant;
    const finance = await signIn(bank.service, { role: 'finance', merchantId });
    for (const [person, cases] of [
      [finance, `/console/m/${merchantId}/cases`],
      [operator, CASES],
    ] as const) {
      const { html } = await person.get(cases);
      const [, count] = /Corrected booking<\/a><\/h3><p class="number">(\d+)</.exec(html) ?? [];
      const list = (await person.get(`${cases}?kind=CORRECTED_BOOKING`)).html;
      assert.equal(list.match(/<a class="row"[^>]*>Corrected booking/g)?.length, Number(count));
      const others = (await person.get(`${cases}?kind=AMBIGUOUS_REFERENCE`)).html;
      assert.doesNotMatch(others, /<a class="row"[^>]*>Corrected booking/);
      const [, page = ''] = /<a class="row" href="([^"]+)"/.exec(list) ?? [];
      assert.match((await person.get(page)).html, /<h1>Corrected booking/);
      const isTold = /the merchant need do nothing/.test((await person.get(page)).html);
      assert.equal(isTold, person === finance);
    }
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

  it('adds up the oldest 5,000 open cases of more, and says so', async () => {
    const { sql } = bank.service.database;
    const page = async () => (await operator.get(CASES)).html;
    assert.match(await page(), /<h2>\d+ open cases<\/h2>/);
    await sql(`INSERT INTO operator_cases (id, kind, details, opened_at)
      SELECT gen_random_uuid(), 'MONEY_RETURNED', jsonb_build_object('networkReference', 'B-' || n),
        now() FROM generate_series(1, 5000) n`);
    assert.match(await page(), /<h2>The 5,000 oldest open cases<\/h2>/);
    await sql(`DELETE FROM operator_cases WHERE details ->> 'networkReference' LIKE 'B-%'`);
  });

  it('shows why a file was refused, and where its money went when it was accepted', async () => {
    assert.equal((await bank.deliver(Buffer.from('<nothing/>'))).state, 'REFUSED');
    const { caseId } = await mistype(9_996);
    const files = await operator.get('/console/operator/bank-files');
    assert.match(files.html, /Refused<\/span><span class="reason">[^<]+<\/span>/);
    assert.match(files.html, /data-label="Account"><span class="mono">DE\d\d /);
    assert.match(files.html, /data-label="Sum"><span class="amount">€99\.96</);
    const ids = [...files.html.matchAll(/class="row" href="([^"]+bank-files\/[0-9a-f-]{36})"/g)];
    const [file, refused] = await Promise.all(
      ids.slice(0, 2).map(([, to = '']) => operator.get(to)),
    );
    assert.ok(file?.html.includes(`${CASES}/${caseId}`));
    assert.match(file?.html ?? '', /Adds up/);
    // Nothing of a refused file counts: the page leads on to the next one.
    assert.match(refused?.html ?? '', /Upload a bank file<\/a>/);
    assert.doesNotMatch(refused?.html ?? '', /class="list-form"/);
    assert.doesNotMatch(refused?.html ?? '', /class="mono" title="[0-9a-f-]{36}"/, 'no short id');
    const sizes = [15, 7_240, 1_230_000].map((bytes) =>
      sizeText({ language: 'en' } as never, bytes),
    );
    assert.deepEqual(sizes, ['15 bytes', '7.2 kB', '1.2 MB']);
  });

  it('names the payments of files and reports as people know them', async () => {
    const payer = { name: 'Nora Named', email: 'n@example.com' };
    const { id, reference } = await bank.show({ payer, invoiceNumber: 'INV-NORA' });
    await book(HARBOUR_IBAN, { amountCents: 10_000, reference });
    const files = (await operator.get('/console/operator/bank-files')).html;
    const [, newest = ''] = /class="row" href="([^"]+)"/.exec(files) ?? [];
    const named = new RegExp(`/payment-requests/${id}"\\s*>Nora Named · INV-NORA</a>`);
    assert.match((await operator.get(newest)).html, named);
    const day = `report?date=${bank.service.clock.now().toISOString().slice(0, 10)}`;
    assert.match((await operator.get(`/console/operator/${day}`)).html, named);
    assert.equal(whole('INV-NORA'), '<span class="whole">INV-NORA</span>');
  });

  it('leads from the money of no payment request to its case, by a name', async () => {
    const { caseId } = await mistype(1_234);
    await untilOlderTransactionsEnd(bank.service.database);
    const own = `/console/m/${bank.merchant.merchantId}`;
    const date = bank.service.clock.now().toISOString().slice(0, 10);
    const { html } = await operator.get(`${own}/report?date=${date}`);
    assert.ok(html.includes(`<a href="${own}/cases/${caseId}">Unmatched money</a>`), html);
    assert.doesNotMatch(html, />[0-9a-f]{8}-[0-9a-f-]{27}</, 'no whole id');
    assert.match(html, /data-label="Count" data-empty></);
  });

  it('says in one place how a bank is connected, while none is', async () => {
    const { html } = await operator.get('/console/operator/bank-connection');
    assert.equal(html.match(/class="empty"/g)?.length, 1);
    assert.match(html, /<p>No bank is connected yet<\/p><ul class="ways">(<li>[\s\S]*?<\/li>){3}/);
    assert.match(html, /<div class="actions"><a class="button" href="[^"]+\/upload">Upload/);
  });
});

type TypedPart = readonly [id: string, amount: string];

/** The values of the parts of a form, as a browser would send them. */
function valuesOf(html: string): Record<string, string> {
  const inputs = html.matchAll(
    /<input (?:id="[^"]+" |type="hidden" )name="(part-[^"]+)"(?: type="text")? value="([^"]*)"/g,
  );
  return Object.fromEntries([...inputs].map(([, name = '', value = '']) => [name, value]));
}
