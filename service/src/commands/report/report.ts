import { Option } from 'commander';
import { alignColumns } from '#commands/cli/align-columns.ts';
import { defineCommand } from '#commands/cli/define-command.ts';
import { type Input, option } from '#commands/cli/inputs.ts';
import type { Deployment } from '#commands/cli/with-deployment.ts';
import type { LedgerOwner } from '#ledger/entries/ledger-cursor.ts';
import { dateBefore, isDate } from '#ledger/model/day.ts';
import { makeReport, type Report } from '#ledger/report/make-report.ts';
import { reportCsv, reportMembers } from '#ledger/report/render-report.ts';
import { findOwner, listOwners } from '#ledger/report/report-store.ts';
import { formatAmount } from '#lib/money.ts';
import { countText } from '#lib/words/count-text.ts';
import { OperatorFault } from '#merchants/operator-fault.ts';

const csv: Input<boolean> = {
  declare: () => new Option('--csv', 'print CSV instead of text').conflicts('json'),
  absent: false,
};

/** `payreq report`: the reconciliation of a day (contract §11, Reconciliation report). */
export const reportCommand = defineCommand({
  summary: 'print the ledger’s sums of a day: of one merchant, or of all and of money without one',
  options: {
    date: option('<date>', 'the day, as in 2026-03-01 (default: yesterday in TIME_ZONE)'),
    merchant: option('<id>', 'one merchant, by its id (see: payreq merchant list)'),
    csv,
  },
  run: async (deployment, asked) => ({
    deployment,
    reports: await makeReports(deployment, asked),
  }),
  json: ({ reports, deployment }) => ({
    reports: reports.map((report) => ({
      merchantId: report.owner,
      ...reportMembers(report, deployment),
    })),
  }),
  csv: ({ reports, deployment }) => csvOf(reports, deployment),
  print: ({ reports }) => formatReports(reports),
});

async function makeReports(
  deployment: Deployment,
  asked: { readonly date: string | null; readonly merchant: string | null },
): Promise<Report[]> {
  const { db, clock, timeZone } = deployment;
  const date = asked.date ?? dateBefore(clock.now(), timeZone);
  if (!/^2\d{3}-\d{2}-\d{2}$/.test(date) || !isDate(date)) {
    throw new OperatorFault(`Give --date as in 2026-03-01, not "${date}".`);
  }
  const reports: Report[] = [];
  for (const owner of await ownersOf(deployment, asked.merchant)) {
    reports.push(await makeReport({ ...deployment, db }, owner, { date }));
  }
  return reports;
}

async function ownersOf({ db }: Deployment, merchantId: string | null): Promise<LedgerOwner[]> {
  if (merchantId === null) return listOwners(db);
  if (!(await findOwner(db, merchantId))) {
    throw new OperatorFault(`There is no merchant ${merchantId}.`);
  }
  return [merchantId];
}

/** The reports below each other; the first column names the merchant. */
function csvOf(reports: readonly Report[], deployment: Deployment): string {
  const texts = reports.map((report) => {
    const [header = '', ...lines] = reportCsv(report, deployment).trimEnd().split('\r\n');
    return { header, lines: lines.map((line) => `${report.owner ?? ''},${line}`) };
  });
  const [first] = texts;
  if (!first) return '';
  const lines = [`merchantId,${first.header}`, ...texts.flatMap((text) => text.lines)];
  return lines.map((line) => `${line}\r\n`).join('');
}

function formatReports(reports: readonly Report[]): string[] {
  if (reports.length === 0) return ['No money has moved yet.'];
  return reports.flatMap((report, at) => [...(at > 0 ? [''] : []), ...formatReport(report)]);
}

function formatReport(report: Report): string[] {
  const { owner, date, sums, totals, paidWithoutMoney, moneyWithoutPaymentRequest } = report;
  const amounts = [
    ...sums.map((sum) => ['opening sum', '', formatAmount(sum.openingCents), sum.currency]),
    ...totals.map((total) => [
      total.type,
      String(total.count),
      formatAmount(total.amountCents),
      total.currency,
    ]),
    ...sums.map((sum) => ['closing sum', '', formatAmount(sum.closingCents), sum.currency]),
  ];
  const widest = Math.max(...amounts.map(([, , amount = '']) => amount.length));
  return [
    `${date}  ${owner ?? 'money without a merchant'}`,
    ...alignColumns(
      amounts.map(([name = '', count = '', amount = '', currency = '']) => [
        `  ${name}`,
        count.padStart(6),
        amount.padStart(widest),
        currency,
      ]),
    ),
    ...openPoints(paidWithoutMoney.count, 'payment request', 'PAID without money'),
    ...openPoints(moneyWithoutPaymentRequest.count, 'entry', 'without a payment request'),
  ];
}

function openPoints(count: number, one: string, what: string): string[] {
  const many = one === 'entry' ? 'entries' : `${one}s`;
  return count === 0 ? [] : [`  ${countText(count, one, many)} ${what} (see --json)`];
}
