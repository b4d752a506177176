import { html } from 'ghtml';
import { badge, type Tone } from '#console/components/badge.ts';
import { choiceField } from '#console/components/choice-field.ts';
import { emptyState } from '#console/components/empty-state.ts';
import { type Fact, facts } from '#console/components/facts.ts';
import { instant } from '#console/components/instant.ts';
import { pager } from '#console/components/pager.ts';
import { type Column, table } from '#console/components/table.ts';
import type { ConsoleDeps } from '#console/console-deps.ts';
import type { ConsolePage, Visit } from '#console/shell/visit.ts';
import { Problem } from '#lib/problem.ts';
import {
  type BookEntry,
  type BookFileContents,
  type BookStatement,
  ENTRY_VERDICTS,
  type EntryVerdict,
} from '../bank-books.ts';
import { addressOf } from '../parts/address.ts';
import { amount, amountOrNone, amountText, day, inGroups, requestPath } from '../parts/amount.ts';
import { BANK_TEXTS } from '../texts/bank-texts.ts';
import { daysOf, fileBadge, sizeText } from './files-page.ts';

const ENTRIES_SHOWN = 100;

const TONES: Readonly<Record<EntryVerdict, Tone>> = {
  MATCHED: 'good',
  CASE: 'wait',
  OTHER: 'plain',
  ANNOUNCED: 'plain',
  WAITING: 'wait',
};

export function entryBadge({ language }: Visit, verdict: EntryVerdict): string {
  return badge(BANK_TEXTS[language].text(`match.${verdict}`), TONES[verdict]);
}

/** A file of the bank: its statements, the sums of its entries, and the entries. */
export async function showFile(
  { money: { books } }: Pick<ConsoleDeps, 'money'>,
  visit: Visit,
): Promise<ConsolePage> {
  const { text } = BANK_TEXTS[visit.language];
  const id = visit.params.id ?? '';
  const contents = (await books?.file(id)) ?? null;
  if (!books || !contents) throw new Problem('ROUTE_NOT_FOUND');
  const verdict = ENTRY_VERDICTS.find((each) => each === visit.query.get('match')) ?? null;
  const after = visit.query.get('cursor');
  const { data, next } = await books.entries({
    ...{ fileId: id, verdict, after, limit: ENTRIES_SHOWN },
  });
  const path = `/console/operator/bank-files/${id}`;
  const list =
    data.length > 0
      ? table(text('file.entries'), entryColumns(visit), data)
      : emptyState(text('file.noEntries'));
  const entries = html`!${matchForm(visit, path, verdict)}!${list}!${pager({
    firstHref: addressOf(path, { match: verdict }),
    nextCursor: next,
    isFirst: after === null,
    labels: { first: text('first'), next: text('next'), name: text('pages') },
  })}`;
  return {
    title: text('file.title'),
    section: 'operator.bank-files',
    body: html`<p><a href="/console/operator/bank-files">← ${text('file.back')}</a></p>
<h1>${text('file.title')} !${fileBadge(visit, contents.file.state)}</h1>
!${refusal(visit, contents)}<div class="card">!${facts(factsOf(visit, contents))}</div>
!${contents.statements.length > 0 ? statementTables(visit, contents) + entries : ''}
!${contents.file.kind === 'pain.002' ? html`<p>${text('file.noStatements')}</p>` : ''}`,
  };
}

function refusal({ language }: Visit, { file: { reason } }: BookFileContents): string {
  if (reason === null) return '';
  const { text } = BANK_TEXTS[language];
  return html`<div class="notice bad"><p><strong>${text('file.refused')}.</strong> ${reason}</p>
<p>${text('file.refusedNext')}</p></div>`;
}

function factsOf(visit: Visit, { file }: BookFileContents): (Fact | null)[] {
  const { text } = BANK_TEXTS[visit.language];
  return [
    [text('column.received'), instant(visit, file.receivedAt)],
    file.completedAt && [text('file.completed'), instant(visit, file.completedAt)],
    [text('column.kind'), html`${file.kind ?? '–'}`],
    [text('column.days'), daysOf(file)],
    [text('column.size'), sizeText(visit, file.sizeBytes)],
    [text('file.id'), html`<span class="mono">${file.id}</span>`],
  ];
}

function statementTables(visit: Visit, { statements, sums }: BookFileContents): string {
  const { text } = BANK_TEXTS[visit.language];
  type Sum = (typeof sums)[number];
  const sumColumns: Column<Sum>[] = [
    {
      title: text('column.match'),
      isRowHeader: true,
      cell: ({ verdict }) => entryBadge(visit, verdict),
    },
    { title: text('column.count'), isMoney: true, cell: ({ count }) => html`${count}` },
    {
      title: text('column.amount'),
      isMoney: true,
      cell: ({ amountCents, currency }) => amount(visit, amountCents, currency),
    },
  ];
  return html`!${table(text('file.statements'), statementColumns(visit), statements)}
!${sums.length > 0 ? table(text('file.sums'), sumColumns, sums) : ''}`;
}

function statementColumns(visit: Visit): Column<BookStatement>[] {
  const { text } = BANK_TEXTS[visit.language];
  const currencyOf = ({ currency }: BookStatement) => currency ?? visit.currency;
  return [
    {
      title: text('column.account'),
      isRowHeader: true,
      cell: ({ account }) => inGroups(account),
    },
    { title: text('column.day'), cell: (each) => day(each.day) },
    {
      title: text('column.number'),
      cell: ({ sequenceNumber }) => html`${sequenceNumber ?? '–'}`,
    },
    {
      title: text('column.opening'),
      isMoney: true,
      cell: (each) => amountOrNone(visit, each.openingCents, currencyOf(each)),
    },
    {
      title: text('column.sum'),
      isMoney: true,
      cell: (each) => amount(visit, each.entriesCents, currencyOf(each)),
    },
    {
      title: text('column.closing'),
      isMoney: true,
      cell: (each) => amountOrNone(visit, each.closingCents, currencyOf(each)),
    },
    { title: text('column.check'), cell: (each) => statementCheck(visit, each) },
  ];
}

function statementCheck(visit: Visit, statement: BookStatement): string {
  const { text } = BANK_TEXTS[visit.language];
  const { hasGap, missing } = statement;
  const faults = [
    ...(hasGap ? [badge(text('check.gap'), 'bad')] : []),
    ...(missing > 0 ? [badge(text('check.missing', { count: missing }), 'bad')] : []),
  ];
  return [balanceBadge(visit, statement), ...faults].join(' ');
}

/** Whether opening balance and entries are the closing balance. */
export function balanceBadge(
  visit: Visit,
  { differenceCents, currency }: Pick<BookStatement, 'differenceCents' | 'currency'>,
): string {
  const { text } = BANK_TEXTS[visit.language];
  if (differenceCents === null) return badge(text('check.none'), 'plain');
  if (differenceCents === 0) return badge(text('check.fits'), 'good');
  const off = amountText(visit, differenceCents, currency ?? visit.currency);
  return badge(text('check.differs', { amount: off }), 'bad');
}

function matchForm({ language }: Visit, path: string, verdict: EntryVerdict | null): string {
  const { text } = BANK_TEXTS[language];
  const choices = ENTRY_VERDICTS.map((each): [string, string] => [each, text(`match.${each}`)]);
  return html`<form class="filters" method="get" action="${path}">!${choiceField({
    name: 'match',
    label: text('filter.match'),
    value: verdict ?? '',
    choices: [['', text('filter.anyMatch')], ...choices],
  })}<button class="button">${text('filter.apply')}</button></form>`;
}

function entryColumns(visit: Visit): Column<BookEntry>[] {
  const { text } = BANK_TEXTS[visit.language];
  return [
    {
      title: text('column.reference'),
      isRowHeader: true,
      cell: ({ bankReference }) => html`<span class="mono">${bankReference ?? '–'}</span>`,
    },
    { title: text('column.booked'), cell: ({ bookingDate }) => day(bookingDate) },
    {
      title: text('column.amount'),
      isMoney: true,
      cell: ({ amountCents, currency }) => amount(visit, amountCents, currency),
    },
    { title: text('column.match'), cell: ({ verdict }) => entryBadge(visit, verdict) },
    { title: text('column.leads'), cell: (entry) => leadsTo(visit, entry) },
    { title: text('column.account'), cell: ({ account }) => inGroups(account) },
  ];
}

function leadsTo({ language }: Visit, entry: BookEntry): string {
  const { text } = BANK_TEXTS[language];
  const { caseId, merchantId, paymentRequestId } = entry;
  const links = [
    caseId === null
      ? null
      : html`<a href="/console/operator/cases/${caseId}">${text('leads.case')}</a>`,
    merchantId === null || paymentRequestId === null
      ? null
      : html`<a href="${requestPath(merchantId, paymentRequestId)}">${text('leads.request')}</a>`,
  ].filter((link) => link !== null);
  return links.length > 0 ? links.join(', ') : '–';
}
