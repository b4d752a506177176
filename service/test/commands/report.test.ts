import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { entryOf, writeEntries } from '../support/ledger/ledger-entries.ts';
import { parseCsv } from '../support/payment-requests/parse-csv.ts';
import {
  startTestService,
  type TestMerchant,
  type TestService,
} from '../support/service/service.ts';
import { runCli } from './run-cli.ts';

const DAY = ['--date', '2026-03-01'];

describe('payreq report', () => {
  let service: TestService;
  let merchant: TestMerchant;
  let other: TestMerchant;
  before(async () => {
    service = await startTestService({ roles: ['api'] });
    merchant = await service.createMerchant();
    other = await service.createMerchant();
  });
  after(() => service?.stop());
  const report = (...args: string[]) => runCli(['report', ...args], service.env);

  it('says that no money has moved', async () => {
    assert.equal((await report()).stdout, 'No money has moved yet.\n');
  });

  it('prints sums and open points of each merchant, and of money without one', async () => {
    const day = { createdAt: new Date('2026-03-01T12:00:00Z') };
    await writeEntries(service, [
      entryOf(merchant, { amountCents: 500, bookingDate: '2026-02-28' }),
      entryOf(merchant, { amountCents: 123_456, ...day }),
      entryOf(merchant, { amountCents: -50, type: 'RETURN', ...day }),
      entryOf(other, { amountCents: 700, ...day }),
      entryOf(merchant, { merchantId: null, type: 'UNMATCHED', amountCents: 999, ...day }),
    ]);
    await eventually(async () => {
      const { reports } = (await report(...DAY, '--json')).json();
      return reports.length === 3 && reports[2].closingSum === 9.99;
    }, 'the entries in the report');
    const { reports } = (await report(...DAY, '--json')).json();
    const found = Object.fromEntries(
      reports.map((each: { merchantId: string; openingSum: number; closingSum: number }) => [
        each.merchantId,
        [each.openingSum, each.closingSum],
      ]),
    );
    assert.deepEqual(found, {
      [merchant.merchantId]: [5, 1239.06],
      [other.merchantId]: [0, 7],
      null: [0, 9.99],
    });
    const { stdout } = await report(...DAY, '--merchant', merchant.merchantId);
    assert.equal(
      stdout,
      [
        `2026-03-01  ${merchant.merchantId}`,
        '  opening sum             5.00  CAD',
        '  PAYMENT           1  1234.56  CAD',
        '  RETURN            1    -0.50  CAD',
        '  closing sum          1239.06  CAD',
        '  2 entries without a payment request (see --json)',
        '',
      ].join('\n'),
    );
  });

  it('prints CSV with the merchant in the first column', async () => {
    const [header, ...rows] = parseCsv((await report(...DAY, '--csv')).stdout);
    assert.deepEqual(header?.slice(0, 2), ['merchantId', 'section']);
    const closing = rows.filter(([, section]) => section === 'closingSum');
    assert.deepEqual(
      closing.map(([merchantId, , , , , amount]) => [merchantId, amount]).sort(),
      [
        ['', '9.99'],
        [merchant.merchantId, '1239.06'],
        [other.merchantId, '7.00'],
      ].sort(),
    );
  });

  it('is of yesterday without a date, and refuses a false date and an unknown merchant', async () => {
    assert.match((await report('--merchant', other.merchantId)).stdout, /^\d{4}-\d\d-\d\d {2}mer_/);
    assert.equal((await report('--date', '2026-02-30')).exitCode, 1);
    assert.match((await report('--merchant', 'mer_x')).stderr, /There is no merchant mer_x/);
  });
});
