import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startPersonSession } from '../../support/approvals/person-session.ts';
import {
  type BankProduction,
  HARBOUR_IBAN,
  startBankProduction,
} from '../../support/bank/bank-production.ts';
import type { EntryOptions } from '../../support/bank/statement-options.ts';
import { STATEMENT_DAY, writeStatement } from '../../support/bank/write-statement.ts';
import { looksOf } from '../../support/browser/axe.ts';
import { browsableSettings } from '../../support/browser/browsable.ts';
import {
  openVisitor,
  startBrowser,
  type Visitor,
  WITHOUT_BROWSER,
} from '../../support/browser/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { parseCsv } from '../../support/payment-requests/parse-csv.ts';

const REPORT = `/console/operator/report?date=${STATEMENT_DAY}`;

describe('an operator closes the day', { skip: WITHOUT_BROWSER }, () => {
  let browser: Browser;
  let bank: BankProduction;
  let visitor: Visitor;
  let ours: readonly EntryOptions[];
  let others: readonly EntryOptions[];

  before(async () => {
    browser = await startBrowser();
    bank = await startBankProduction({ settings: await browsableSettings() });
    const paid = await bank.show();
    const parts = await bank.show();
    const debtor = { debtorName: 'LOVELACE ADA', debtorIban: 'AT611904300234573201' };
    ours = [
      { amountCents: 10_000, reference: paid.reference, bankReference: 'OURS-1', ...debtor },
      { amountCents: 4_000, reference: parts.reference, bankReference: 'OURS-2' },
      { amountCents: 6_000, reference: parts.reference, bankReference: 'OURS-3' },
      // The merchant gave it back at the bank: the ledger has it when a person accepts the case.
      {
        ...{ amountCents: 2_500, reference: paid.reference, bankReference: 'OURS-4' },
        direction: 'DEBIT',
      },
    ];
    others = [
      { amountCents: 120_000, text: 'rent of the shop', bankReference: 'OTHER-1' },
      { amountCents: 735, text: 'fees', bankReference: 'OTHER-2', direction: 'DEBIT' },
      { amountCents: 35_050, text: 'salary', bankReference: 'OTHER-3', direction: 'DEBIT' },
    ];
    const entries = [...ours, ...others];
    const file = writeStatement({ iban: HARBOUR_IBAN, entries, sequenceNumber: 61 });
    assert.equal((await bank.deliver(file)).state, 'COMPLETE');
    visitor = await openVisitor(browser, bank.service.url);
    await signIn(visitor.page);
  });

  after(async () => {
    await visitor?.close();
    await browser?.close();
    await bank?.stop();
  });

  async function signIn(page: Page): Promise<void> {
    const grants = [{ role: 'operator', merchantId: null }] as const;
    const person = { subject: 'ada', name: 'Ada', grants };
    const value = await startPersonSession(bank.service, person);
    await page.context().addCookies([{ name: 'console', value, url: bank.service.url }]);
  }

  const open = (path: string) => visitor.page.goto(bank.service.url + path);
  const verdict = () => visitor.page.locator('.verdict').getAttribute('data-verdict');
  const lines = () => rowsOf(visitor.page, 'Each payment of this service on this day');

  it('sees which money keeps the day open, and settles its case', async () => {
    const { page } = visitor;
    await open(REPORT);
    assert.equal(await verdict(), 'DIFFERS');
    const [first] = await lines();
    assert.deepEqual(first?.slice(0, 4), [
      'OURS-4',
      'Refunded by the bank',
      '−€25.00',
      'On the statement alone',
    ]);
    await page.getByRole('link', { name: 'Case', exact: true }).click();
    await page.getByRole('link', { name: 'Accept', exact: true }).click();
    await page.getByLabel('Note for the audit log').fill('the shop confirmed it');
    await page.getByRole('button', { name: 'Accept the money' }).click();
    await page.getByText('Settled: the refund is recorded.').waitFor();
    const [audited] = await bank.service.database.sql<{ actor: string; note: string }>(
      `SELECT actor, details ->> 'note' AS note FROM audit_log
       WHERE action = 'OPERATOR_CASE_SETTLED'`,
    );
    assert.deepEqual(audited, {
      actor: 'console (Ada, https://id.example ada)',
      note: 'the shop confirmed it',
    });
  });

  it('sees the entries of this service in the report, and all others as one line', async () => {
    await open(REPORT);
    assert.equal(await verdict(), 'CLOSES');
    const shown = await lines();
    const own = shown.slice(0, -1).map(([reference, , amount]) => [reference, amount]);
    assert.deepEqual(
      own.sort(),
      ours.map((entry) => [entry.bankReference, euros(signed(entry))]).sort(),
    );
    const named = shown.filter((row) => row.at(-1)?.startsWith('Ada Lovelace · INV-7'));
    assert.ok(named.length > 0, JSON.stringify(shown.map((row) => row.at(-1))));
    const last = shown.at(-1) ?? [];
    assert.deepEqual([last[0], last[2]], ['All other entries (3 payments)', euros(sum(others))]);
    const [statement] = await rowsOf(visitor.page, 'Statements of the day');
    assert.deepEqual(statement?.slice(1), [
      euros(100_000),
      `${euros(sum(ours))} 4 payments of this service`,
      euros(sum(others)),
      euros(100_000 + sum(ours) + sum(others)),
      'Adds up',
    ]);
    const [compared] = await rowsOf(visitor.page, 'Money of this service');
    assert.deepEqual(compared, [euros(sum(ours)), euros(sum(ours)), '€0.00']);
  });

  it('finds equal sums in the report that the merchant reads and downloads', async () => {
    const path = `/console/m/${bank.merchant.merchantId}/report`;
    const closing = await eventually(async () => {
      // The report waits for older transactions of the database server.
      await open(`${path}?date=${STATEMENT_DAY}`);
      const rows = await rowsOf(visitor.page, 'Sums of the day');
      const [, , amount] = rows.at(-1) ?? [];
      return amount === euros(sum(ours)) ? amount : undefined;
    }, 'the closing sum');
    assert.equal(closing, euros(sum(ours)));
    const file = await visitor.page.request.get(
      `${bank.service.url}${path}.csv?date=${STATEMENT_DAY}`,
    );
    const rows = parseCsv(await file.text());
    const totals = rows.filter(([section]) => section === 'totals');
    const cents = totals.reduce((all, row) => all + Math.round(Number(row[4]) * 100), 0);
    assert.equal(cents, sum(ours));
  });

  it('labels each balance of an account on a phone', async () => {
    await visitor.page.setViewportSize({ width: 390, height: 844 });
    await open(REPORT);
    const opening = `document.querySelector('td[data-label="Opening balance"]')`;
    const label = `getComputedStyle(${opening}, '::before').display`;
    assert.equal(await visitor.page.evaluate(label), 'block');
  });

  it('works for everybody, in every width and scheme', async () => {
    await open(REPORT);
    for await (const look of looksOf(visitor.page)) {
      assert.deepEqual(await look.violations(), [], look.name);
    }
    assert.deepEqual(visitor.faults, []);
  });
});

/** The texts of a table's cells, a row at a time; the caption begins with these words. */
async function rowsOf(page: Page, caption: string): Promise<string[][]> {
  const rows = page.locator(`table:has(caption:text("${caption}"))`).locator('tbody tr');
  const found: string[][] = [];
  for (const row of await rows.all()) {
    const cells = await row.locator('th, td').allInnerTexts();
    found.push(cells.map((cell) => cell.replace(/\s+/g, ' ').trim()));
  }
  return found;
}

const signed = ({ amountCents, direction = 'CREDIT' }: EntryOptions): number =>
  direction === 'CREDIT' ? amountCents : -amountCents;

const sum = (entries: readonly EntryOptions[]): number =>
  entries.reduce((cents, entry) => cents + signed(entry), 0);

const euros = (cents: number): string =>
  new Intl.NumberFormat('en-CA', { style: 'currency', currency: 'EUR' })
    .format(cents / 100)
    .replace('-', '−');
