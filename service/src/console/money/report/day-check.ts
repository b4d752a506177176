import { html } from 'ghtml';
import { badge } from '#console/components/badge.ts';
import {
  type Column,
  column,
  moneyColumn,
  NONE,
  rowHeader,
  table,
} from '#console/components/table.ts';
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

/** A line of the statements and the ledger; all other entries of the statements are one. */
interface Line {
  readonly reference: string;
  readonly type: string;
  readonly cents: number;
  readonly currency: string;
  readonly where: string;
  readonly leads: string;
  readonly isOfOthers?: true;
}

/** Each payment of this service, and behind them the other entries of the statements. */
function moneyTable(visit: Visit, closed: ClosedDay): string {
  const { text } = REPORT_TEXTS[visit.language];
  const columns: Column<Line>[] = [
    rowHeader(text('column.bankReference'), ({ reference, isOfOthers }) =>
      isOfOthers ? html`${reference}` : html`<span class="mono">${reference}</span>`,
    ),
    column(text('column.type'), ({ type }) => html`${type}`),
    moneyColumn(text('column.amount'), ({ cents, currency }) => amount(visit, cents, currency)),
    column(text('column.where'), ({ where }) => where),
    column(text('column.leads'), ({ leads }) => leads),
  ];
  const rows = [...closed.money.map((each) => lineOf(visit, each)), ...othersOf(visit, closed)];
  const { length: shown } = closed.money;
  const most = html`<p>${text('most', { shown, count: closed.moneyCount })}</p>`;
  const rowClass = ({ isOfOthers }: Line) => (isOfOthers ? 'others' : '');
  const lines = table(text('lines'), columns, rows, { rowClass });
  return lines + (closed.moneyCount > shown ? most : '');
}

function lineOf(visit: Visit, money: DayMoney): Line {
  const { text } = REPORT_TEXTS[visit.language];
  const words = MONEY_WORDS[visit.language];
  const { type, isOnStatement, bankReference, amountCents: cents, currency } = money;
  const where = !isOnStatement ? 'only.ledger' : type === null ? 'only.statement' : 'both';
  return {
    reference: bankReference ?? NONE,
    type: isEntryType(type) ? words.text(`type.${type}`) : caseName(visit, money.outcome),
    cents,
    currency,
    where: badge(text(where), where === 'both' ? 'good' : 'bad'),
    leads: leadsTo(visit, money),
  };
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

function othersOf(visit: Visit, { statements }: ClosedDay): Line[] {
  const { text } = REPORT_TEXTS[visit.language];
  const currencies = [...new Set(statements.map((each) => each.currency ?? visit.currency))];
  return currencies.map((currency) => {
    const own = statements.filter((each) => (each.currency ?? visit.currency) === currency);
    const cents = own.reduce((sum, each) => sum + each.othersCents, 0);
    const count = own.reduce((sum, each) => sum + each.otherCount, 0);
    // Other entries are kept for 30 days: later their sum alone is known.
    const reference = count > 0 ? text('line.othersCount', { count }) : text('line.others');
    return { reference, type: '', cents, currency, where: '', leads: '', isOfOthers: true };
  });
}
