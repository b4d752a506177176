import { html } from 'ghtml';
import { badge } from '#console/components/badge.ts';
import { type Column, column, moneyColumn, rowHeader, table } from '#console/components/table.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { ClosedDay, ClosedStatement, DayMoney } from '#e-transfer/network-books.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import { balanceBadge } from '../bank/file-page.ts';
import { amount, amountOrNone, inGroups, requestPath, shortId } from '../format/amount.ts';
import { BANK_TEXTS, CASE_TEXTS, MONEY_WORDS, REPORT_TEXTS } from '../texts.ts';

/** The sign says the same as the sentence beside it. */
const SIGNS = { CLOSES: '✓', DIFFERS: '≠', NO_STATEMENT: '?', NOTHING: '–' } as const;
const LOOKS = { CLOSES: '', DIFFERS: ' bad', NO_STATEMENT: ' wait', NOTHING: '' } as const;

/** The day's statements beside the ledger: whether they have the same money, and each line. */
export function dayCheck(visit: Visit, closed: ClosedDay | null): string {
  const { text } = REPORT_TEXTS[visit.language];
  const title = html`<h2 id="check">${text('check')}</h2>`;
  if (!closed) return html`!${title}<p class="quiet">${text('noBooks')}</p>`;
  const { verdict, statements, currencies, moneyCount } = closed;
  return html`!${title}<p class="notice verdict!${LOOKS[verdict]}" data-verdict="${verdict}"
><span class="sign" aria-hidden="true">${SIGNS[verdict]}</span>
<span>${text(`verdict.${verdict}`)}</span></p>
!${verdict === 'DIFFERS' ? reasons(visit, closed) : ''}
!${listOf(text('statementCaption'), statementColumns(visit), statements)}
<div class="split">!${listOf(text('comparison'), currencyColumns(visit), currencies)}</div>
!${moneyCount > 0 ? moneyTable(visit, closed) : ''}`;
}

function listOf<Row>(caption: string, columns: Column<Row>[], rows: readonly Row[]): string {
  return rows.length > 0 ? table(caption, columns, rows) : '';
}

function reasons(visit: Visit, { statements, money }: ClosedDay): string {
  const { text } = REPORT_TEXTS[visit.language];
  const isOff = statements.some(({ differenceCents }) => (differenceCents ?? 0) !== 0);
  const found = [
    ...(isOff ? [text('whyBalance')] : []),
    ...(money.some(isOnStatementAlone) ? [text('whyStatement')] : []),
    ...(money.some(({ isOnStatement }) => !isOnStatement) ? [text('whyLedger')] : []),
  ];
  return html`<ul>!${found.map((each) => html`<li>${each}</li>`).join('')}</ul>`;
}

const isOnStatementAlone = ({ isOnStatement, type }: DayMoney) => isOnStatement && type === null;

function statementColumns(visit: Visit): Column<ClosedStatement>[] {
  const { text } = REPORT_TEXTS[visit.language];
  const bank = BANK_TEXTS[visit.language];
  const currencyOf = ({ currency }: ClosedStatement) => currency ?? visit.currency;
  return [
    rowHeader(bank.text('column.account'), ({ account, sequenceNumber }) =>
      sequenceNumber === null
        ? inGroups(account)
        : html`!${inGroups(account)}
<span class="why">${bank.text('column.number')} ${sequenceNumber}</span>`,
    ),
    moneyColumn(text('line.opening'), (each) =>
      amountOrNone(visit, each.openingCents, currencyOf(each)),
    ),
    moneyColumn(
      text('line.statement'),
      (each) => html`!${amount(visit, each.oursCents, currencyOf(each))}
<span class="why">${text('line.ours', { count: each.oursCount })}</span>`,
    ),
    moneyColumn(text('line.others'), (each) => amount(visit, each.othersCents, currencyOf(each))),
    moneyColumn(text('line.closing'), (each) =>
      amountOrNone(visit, each.closingCents, currencyOf(each)),
    ),
    column(bank.text('column.check'), (each) => balanceBadge(visit, each)),
  ];
}

type ClosedCurrency = ClosedDay['currencies'][number];

function currencyColumns(visit: Visit): Column<ClosedCurrency>[] {
  const { text } = REPORT_TEXTS[visit.language];
  return [
    moneyColumn(text('line.statement'), (each) =>
      amount(visit, each.statementCents, each.currency),
    ),
    moneyColumn(text('line.ledger'), (each) => amount(visit, each.ledgerCents, each.currency)),
    moneyColumn(
      text('differenceOf'),
      (each) => html`<strong>!${amount(visit, each.differenceCents, each.currency)}</strong>`,
    ),
  ];
}

/** Each payment of this service; all other entries of the statements are the last line. */
function moneyTable(visit: Visit, closed: ClosedDay): string {
  const { text } = REPORT_TEXTS[visit.language];
  const titles = [
    [text('column.bankReference'), ''],
    [text('column.type'), ''],
    [text('column.amount'), ' class="money"'],
    [text('column.where'), ''],
    [text('column.leads'), ''],
  ] as const;
  const head = titles.map(([title, kind]) => html`<th scope="col"!${kind}>${title}</th>`);
  const rows = closed.money.map((each) => moneyRow(visit, each));
  const most = html`<p>${text('most', { shown: rows.length, count: closed.moneyCount })}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${text('lines')}"><table>
<caption>${text('lines')}</caption><thead><tr>!${head.join('')}</tr></thead>
<tbody>!${rows.join('\n')}</tbody><tfoot>!${othersRow(visit, closed)}</tfoot></table></div>
!${closed.moneyCount > rows.length ? most : ''}`;
}

function moneyRow(visit: Visit, money: DayMoney): string {
  const { text } = REPORT_TEXTS[visit.language];
  const words = MONEY_WORDS[visit.language];
  const { type, isOnStatement, bankReference, amountCents, currency } = money;
  const where = !isOnStatement ? 'only.ledger' : type === null ? 'only.statement' : 'both';
  const word = isEntryType(type) ? words.text(`type.${type}`) : caseName(visit, money.outcome);
  return html`<tr><th scope="row" class="mono">${bankReference ?? '–'}</th><td>${word}</td>
<td class="money">!${amount(visit, amountCents, currency)}</td>
<td>!${badge(text(where), where === 'both' ? 'good' : 'bad')}</td>
<td>!${leadsTo(visit, money)}</td></tr>`;
}

function isEntryType(type: string | null): type is EntryType {
  return type !== null && type in ENTRY_TYPES;
}

/** The kind of case that the network's word for a match opens. */
const KIND_OF: Readonly<Record<string, OperatorCaseKind>> = {
  EXCESS: 'AMOUNT_MISMATCH',
  SECOND: 'SECOND_PAYMENT',
  OTHER_CURRENCY: 'CURRENCY_MISMATCH',
  UNMATCHED_MONEY: 'UNMATCHED_MONEY',
  WRONG_ACCOUNT: 'WRONG_ACCOUNT',
  AMBIGUOUS_REFERENCE: 'AMBIGUOUS_REFERENCE',
  AMOUNT_ABOVE_LIMIT: 'AMOUNT_ABOVE_LIMIT',
  REFUNDED_OUTSIDE: 'REFUNDED_OUTSIDE',
  WAITING: 'NOT_ON_STATEMENT',
};

function caseName({ language }: Visit, outcome: string | null): string {
  const kind = KIND_OF[outcome ?? ''];
  return kind ? CASE_TEXTS[language].text(`name.${kind}`) : '–';
}

/** A merchant's page leads to the merchant's own case. */
function leadsTo(visit: Visit, { merchantId, paymentRequestId, caseId }: DayMoney): string {
  const { text } = BANK_TEXTS[visit.language];
  const cases = visit.merchant
    ? `/console/m/${visit.merchant.id}/cases`
    : '/console/operator/cases';
  const links = [
    merchantId === null || paymentRequestId === null
      ? null
      : html`<a href="${requestPath(merchantId, paymentRequestId)}"
>!${shortId(paymentRequestId)}</a>`,
    caseId === null ? null : html`<a href="${cases}/${caseId}">${text('leads.case')}</a>`,
  ].filter((link) => link !== null);
  return links.length > 0 ? links.join(', ') : '–';
}

function othersRow(visit: Visit, { statements }: ClosedDay): string {
  const { text } = REPORT_TEXTS[visit.language];
  const currencies = [...new Set(statements.map((each) => each.currency ?? visit.currency))];
  const rows = currencies.map((currency) => {
    const own = statements.filter((each) => (each.currency ?? visit.currency) === currency);
    const cents = own.reduce((sum, each) => sum + each.othersCents, 0);
    const count = own.reduce((sum, each) => sum + each.otherCount, 0);
    // Other entries are kept for 30 days: later their sum alone is known.
    const title = count > 0 ? text('line.othersCount', { count }) : text('line.others');
    return html`<tr class="others"><th scope="row" colspan="2">${title}</th>
<td class="money">!${amount(visit, cents, currency)}</td><td></td><td></td></tr>`;
  });
  return rows.join('');
}
