import { html } from 'ghtml';
import { badge } from '#console/components/badges.ts';
import { type Column, NONE, table } from '#console/components/table.ts';
import {
  amount,
  inGroups,
  mayNamePayer,
  requestName,
  requestPath,
  shortId,
} from '#console/components/values.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { type OfRequest, rowsOfRequests } from '#console/lists/rows-of-requests.ts';
import { BANK_TEXTS, CASE_TEXTS, MONEY_WORDS, ownAmount } from '#console/money/texts.ts';
import type { Visit } from '#console/shell/visit.ts';
import type { Executor } from '#database/database.ts';
import type { ClosedDay, ClosedStatement, DayMoney } from '#e-transfer/network-books.ts';
import { pageTexts } from '#http/pages/texts.ts';
import { ENTRY_TYPES, type EntryType } from '#ledger/model/entry.ts';
import type { OperatorCaseKind } from '#telemetry/metrics/network-metrics.ts';
import { balanceBadge } from '../bank/file-page.ts';

const TEXTS = pageTexts('console.money.report', 'console.money.bank');

/** The sign says the same as the sentence beside it. */
const SIGNS = { CLOSES: '✓', DIFFERS: '≠', NO_STATEMENT: '?', NOTHING: '–' } as const;
const LOOKS = {
  CLOSES: '',
  DIFFERS: ' bad',
  NO_STATEMENT: ' warning',
  NOTHING: ' neutral',
} as const;

/** The day's statements beside the ledger: whether they have the same money, and each line. */
export async function dayCheck(
  db: Executor,
  visit: Visit,
  closed: ClosedDay | null,
): Promise<string> {
  const { text } = TEXTS[visit.language];
  const title = html`<h2 id="check">${text('check')}</h2>`;
  if (!closed) return html`!${title}<p class="quiet">${text('noBooks')}</p>`;
  const { verdict, statements, moneyCount } = closed;
  const currencies = titled(visit, text, CURRENCIES, -1);
  return html`!${title}<p class="notice verdict!${LOOKS[verdict]}" data-verdict="${verdict}"
><span class="sign" aria-hidden="true">${SIGNS[verdict]}</span>
<span>${text(`verdict.${verdict}`)}</span></p>
!${verdict === 'DIFFERS' ? reasons(visit, closed) : ''}
!${listOf(text('statementCaption'), titled(visit, text, STATEMENTS), statements)}
<div class="split">!${listOf(text('comparison'), currencies, closed.currencies)}</div>
!${moneyCount > 0 ? await moneyTable(db, visit, closed) : ''}`;
}

function listOf<Row>(caption: string, columns: Column<Row>[], rows: readonly Row[]): string {
  return rows.length > 0 ? table(caption, columns, rows) : '';
}

function reasons(visit: Visit, { statements, money }: ClosedDay): string {
  const { text } = TEXTS[visit.language];
  const isOff = statements.some(({ differenceCents }) => (differenceCents ?? 0) !== 0);
  const found = [
    ...(isOff ? [text('whyBalance')] : []),
    ...(money.some(isOnStatementAlone) ? [text('whyStatement')] : []),
    ...(money.some(({ isOnStatement }) => !isOnStatement) ? [text('whyLedger')] : []),
  ];
  return html`<ul>!${found.map((each) => html`<li>${each}</li>`).join('')}</ul>`;
}

const isOnStatementAlone = ({ isOnStatement, type }: DayMoney) => isOnStatement && type === null;

const ofStatement = (of: (each: ClosedStatement) => number | null) =>
  show.money(of, ({ currency }, visit) => currency ?? visit.currency);

const STATEMENTS: ListColumns<ClosedStatement> = {
  'column.account': show.cell(({ account, sequenceNumber: number }, { language }) =>
    number === null
      ? inGroups(account)
      : html`!${inGroups(account)}
<span class="why">${BANK_TEXTS[language].text('column.number')} ${number}</span>`,
  ),
  'line.opening': ofStatement((each) => each.openingCents),
  'line.statement': {
    isNumber: true,
    cell: ({ oursCents, oursCount: count, currency }, visit) =>
      html`!${amount(visit, oursCents, currency ?? visit.currency)}
<span class="why">${TEXTS[visit.language].text('line.ours', { count })}</span>`,
  },
  'line.others': ofStatement((each) => each.othersCents),
  'line.closing': ofStatement((each) => each.closingCents),
  'column.check': show.cell((each, visit) => balanceBadge(visit, each)),
};

type ClosedCurrency = ClosedDay['currencies'][number];
const ofCurrency = (of: (each: ClosedCurrency) => number) =>
  show.money(of, (each) => each.currency);

const CURRENCIES: ListColumns<ClosedCurrency> = {
  'line.statement': ofCurrency((each) => each.statementCents),
  'line.ledger': ofCurrency((each) => each.ledgerCents),
  differenceOf: {
    isNumber: true,
    cell: ({ differenceCents, currency }, visit) =>
      html`<strong>!${amount(visit, differenceCents, currency)}</strong>`,
  },
};

/** A line of the statements and the ledger; all other entries of the statements are one. */
interface Line {
  readonly reference: string;
  readonly type: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly where: string;
  readonly leads: string;
  readonly isOfOthers?: true;
}

const LINES: ListColumns<Line> = {
  'column.bankReference': show.cell(({ reference, isOfOthers }) =>
    isOfOthers ? html`${reference}` : html`<span class="mono">${reference}</span>`,
  ),
  'column.type': show.text(({ type }) => type),
  'column.amount': ownAmount,
  'column.where': show.cell(({ where }) => where),
  'column.leads': show.cell(({ leads }) => leads),
};

/** Each payment of this service, and behind them the other entries of the statements. */
async function moneyTable(db: Executor, visit: Visit, closed: ClosedDay): Promise<string> {
  const { text } = TEXTS[visit.language];
  const owner = visit.merchant?.id ?? null;
  const money = await rowsOfRequests(db, owner, closed.money, (each) => each.paymentRequestId);
  const rows = [...money.map((each) => lineOf(visit, each)), ...othersOf(visit, closed)];
  const { length: shown } = closed.money;
  const most = html`<p>${text('most', { shown, count: closed.moneyCount })}</p>`;
  const rowClass = ({ isOfOthers }: Line) => (isOfOthers ? 'others' : '');
  const lines = table(text('lines'), titled(visit, text, LINES), rows, { rowClass });
  return lines + (closed.moneyCount > shown ? most : '');
}

function lineOf(visit: Visit, money: OfRequest<DayMoney>): Line {
  const words = MONEY_WORDS[visit.language];
  const { type, isOnStatement, bankReference, amountCents, currency } = money;
  const where = !isOnStatement ? 'only.ledger' : type === null ? 'only.statement' : 'both';
  return {
    reference: bankReference ?? NONE,
    type: isEntryType(type) ? words.text(`type.${type}`) : caseName(visit, money.outcome),
    amountCents,
    currency,
    where: badge(TEXTS[visit.language].text(where), where === 'both' ? 'good' : 'bad'),
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
function leadsTo(
  visit: Visit,
  { merchantId, paymentRequestId, caseId, request }: OfRequest<DayMoney>,
): string {
  const { text } = BANK_TEXTS[visit.language];
  const cases = visit.merchant
    ? `/console/m/${visit.merchant.id}/cases`
    : '/console/operator/cases';
  const links = [
    merchantId === null || paymentRequestId === null
      ? null
      : html`<a href="${requestPath(merchantId, paymentRequestId)}"
>!${request ? html`${requestName(request, mayNamePayer(visit))}` : shortId(paymentRequestId)}</a>`,
    caseId === null ? null : html`<a href="${cases}/${caseId}">${text('leads.case')}</a>`,
  ].filter((link) => link !== null);
  return links.length > 0 ? links.join(', ') : '–';
}

function othersOf(visit: Visit, { statements }: ClosedDay): Line[] {
  const { text } = TEXTS[visit.language];
  const currencies = [...new Set(statements.map((each) => each.currency ?? visit.currency))];
  return currencies.map((currency) => {
    const own = statements.filter((each) => (each.currency ?? visit.currency) === currency);
    const amountCents = own.reduce((sum, each) => sum + each.othersCents, 0);
    const count = own.reduce((sum, each) => sum + each.otherCount, 0);
    // Other entries are kept for 30 days: later their sum alone is known.
    const reference = count > 0 ? text('line.othersCount', { count }) : text('line.others');
    return { reference, type: '', amountCents, currency, where: '', leads: '', isOfOthers: true };
  });
}
