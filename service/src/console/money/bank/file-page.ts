import { html } from 'ghtml';
import { badge, toneOf } from '#console/components/badges.ts';
import { tiles } from '#console/components/parts.ts';
import { table } from '#console/components/table.ts';
import {
  amount,
  amountText,
  day,
  inGroups,
  instant,
  numberFormat,
} from '#console/components/values.ts';
import { type ListColumns, show, titled } from '#console/lists/columns.ts';
import { pageHead } from '#console/shell/page-head.ts';
import type { Visit } from '#console/shell/visit.ts';
import type {
  BookFile,
  BookFileContents,
  BookStatement,
  EntryVerdict,
} from '#e-transfer/network-books.ts';
import { BANK_TEXTS } from '../texts.ts';

export function fileBadge({ language }: Visit, { state, reason }: BookFile): string {
  const shown = reason !== null && state !== 'REFUSED' ? 'PART' : state;
  return badge(BANK_TEXTS[language].text(`state.${shown}`), toneOf(shown));
}

/** The account of a file’s statements, with the number of others. */
export function accountOf({ account, accounts }: BookFile): string | null {
  return account && `${inGroups(account)}${accounts > 1 ? ` + ${accounts - 1}` : ''}`;
}

/** The days of a file's statements. */
export function daysOf({ firstDay, lastDay }: BookFile, visit: Visit): string {
  const [first, last] = [day(visit, firstDay), day(visit, lastDay)];
  return first === last ? first : `${first} – ${last}`;
}

export function entryBadge({ language }: Visit, verdict: EntryVerdict): string {
  return badge(BANK_TEXTS[language].text(`match.${verdict}`), toneOf(verdict));
}

/** A file of the bank, its statements, and the sums of its entries, as HTML. */
export function aboutFile(visit: Visit, contents: BookFileContents): string {
  const { text } = BANK_TEXTS[visit.language];
  const { file, statements, sums } = contents;
  const head = pageHead({
    title: text('file.title'),
    badge: fileBadge(visit, file),
    under: [
      file.firstDay && daysOf(file, visit),
      file.kind && html`${file.kind}`,
      sizeText(visit, file.sizeBytes),
      html`${text('column.received')} !${instant(visit, file.receivedAt)}`,
    ]
      .filter(Boolean)
      .join(' · '),
    back: { href: '/console/operator/bank-files', name: text('file.back') },
  });
  const sumTiles = sums.map(({ verdict, count, amountCents, currency }) => ({
    label: text(`match.${verdict}`),
    value: amount(visit, amountCents, currency),
    note: text('file.payments', { count }),
    href: `?match=${verdict}`,
    tone: toneOf(verdict),
  }));
  return html`!${head}!${refusal(visit, contents)}!${
    sums.length > 1 ? html`<h2>${text('file.sums')}</h2>` + tiles(sumTiles) : ''
  }
!${
    statements.length > 0
      ? html`<h2>${text('file.statements')}</h2>` +
        table(text('file.statements'), titled(visit, text, STATEMENTS), statements)
      : ''
  }
!${file.kind === 'pain.002' ? html`<p>${text('file.noStatements')}</p>` : ''}`;
}

function refusal({ language }: Visit, { file: { state, reason } }: BookFileContents): string {
  if (reason === null) return '';
  const { text } = BANK_TEXTS[language];
  if (state !== 'REFUSED')
    return html`<p class="notice warning"><strong>${text('file.inPart')}.</strong> ${reason}</p>`;
  return html`<div class="notice bad"><p><strong>${text('file.refused')}.</strong> ${reason}</p>
<p>${text('file.refusedNext')}</p></div>`;
}

const ofStatement = (of: (each: BookStatement) => number | null) =>
  show.money(of, ({ currency }, visit) => currency ?? visit.currency);

const STATEMENTS: ListColumns<BookStatement> = {
  'column.account': show.cell(({ account }) => inGroups(account)),
  'column.day': show.date((each) => each.day),
  'column.number': show.text(({ sequenceNumber: number }) => number && `${number}`),
  'column.opening': ofStatement((each) => each.openingCents),
  'column.sum': ofStatement((each) => each.entriesCents),
  'column.closing': ofStatement((each) => each.closingCents),
  'column.check': show.cell((each, visit) => statementCheck(visit, each)),
};

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
  if (differenceCents === null) return badge(text('check.none'), 'neutral');
  if (differenceCents === 0) return badge(text('check.fits'), 'good');
  const off = amountText(visit, differenceCents, currency ?? visit.currency);
  return badge(text('check.differs', { amount: off }), 'bad');
}

const SIZES = [
  ['megabyte', 1_000_000],
  ['kilobyte', 1_000],
] as const;

/** A size as people compare it: 15 bytes, 7 kB, 1.2 MB. */
export function sizeText({ language }: Visit, bytes: number): string {
  const [unit, size] = SIZES.find(([, least]) => bytes >= least) ?? ['byte', 1];
  const unitDisplay = size === 1 ? 'long' : 'short';
  const options = { style: 'unit', unit, maximumFractionDigits: 1, unitDisplay } as const;
  return html`${numberFormat(language, unit, options).format(bytes / size)}`;
}
