import { html } from 'ghtml';
import type { Settlement } from '#cases/model/case-kinds.ts';
import { allowsSettlement } from '#cases/model/case-kinds.ts';
import { amountText, day, inGroups, requestPath, shortId } from '#console/components/amount.ts';
import { statusBadge } from '#console/components/status-badge.ts';
import { type Column, rowHeader, table } from '#console/components/table.ts';
import { renderActs } from '#console/lists/acts.ts';
import { addressOf } from '#console/model/address.ts';
import type { Visit } from '#console/shell/visit.ts';
import { dateIn } from '#ledger/model/day.ts';
import {
  compareNames,
  compareReferences,
  differingPieces,
  type Likeness,
  nearestReference,
  placeOfDay,
} from '../model/compare-money.ts';
import { CASE_PAGE_TEXTS } from '../texts.ts';
import { shownKind } from './case-facts.ts';
import type { Candidate, CaseView } from './view-case.ts';

/** The sign says the same as the colour and the word beside it. */
const SIGNS: Readonly<Record<Likeness, string>> = { SAME: '✓', DIFFERENT: '≠', UNKNOWN: '?' };

interface Row {
  readonly title: string;
  /** HTML of the money's own value. */
  readonly money: string;
  readonly cell: (candidate: Candidate) => string;
}

/** The money beside each payment request that it may be for, a fact a row. */
export function candidateTable(visit: Visit, view: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const columns: Column<Row>[] = [
    rowHeader('', ({ title }) => html`${title}`),
    { title: text('theMoney'), cell: ({ money }) => money, className: 'own' },
    ...view.candidates.map((each) => ({
      title: each.paymentRequest.id,
      head: headOf(visit, each),
      cell: ({ cell }: Row) => cell(each),
    })),
  ];
  return table(text('compareCaption'), columns, rowsOf(visit, view), { className: 'candidates' });
}

function headOf(visit: Visit, { paymentRequest, origin }: Candidate): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { id, merchant } = paymentRequest;
  const why = { NAMED: text('fact.ours'), HINT: text('hint'), ASKED: text('asked') }[origin];
  return html`<a href="${requestPath(merchant.id, id)}">!${shortId(id)}</a>
<span class="why">${why}</span>`;
}

function rowsOf(visit: Visit, view: CaseView): Row[] {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { money } = view;
  const { cents, currency } = money;
  const mayDecide = visit.can('operator.cases.settle');
  const none = html`<span class="quiet">${text('unknown')}</span>`;
  const hidden = html`<span class="quiet">${text('hidden')}</span>`;
  const party = money.partyName === null ? none : html`${money.partyName}`;
  const partyAccount = money.partyAccount === null ? none : inGroups(money.partyAccount);
  return [
    {
      title: text('row.amount'),
      money: cents === null ? none : html`<strong>${amountText(visit, cents, currency)}</strong>`,
      cell: (candidate) => amountCell(visit, view, candidate),
    },
    {
      title: text('row.reference'),
      money: money.references.length > 0 ? money.references.map(inGroups).join('<br>') : none,
      cell: (candidate) => referenceCell(visit, view, candidate),
    },
    {
      title: text('row.payer'),
      money: mayDecide ? party : hidden,
      cell: ({ paymentRequest: { payer } }) =>
        mayDecide
          ? likeness(visit, compareNames(money.partyName, payer.name), html`${payer.name}`)
          : hidden,
    },
    ...(money.partyAccount === null || !mayDecide
      ? []
      : [{ title: text('row.payerAccount'), money: partyAccount, cell: () => '–' }]),
    {
      title: text('row.account'),
      money: money.account === null ? none : inGroups(money.account),
      cell: (candidate) => accountCell(visit, view, candidate),
    },
    {
      title: text('row.date'),
      money: money.bookingDate === null ? none : day(money.bookingDate),
      cell: (candidate) => dateCell(visit, view, candidate),
    },
    {
      title: text('row.details'),
      money: '–',
      cell: ({ paymentRequest: { invoiceNumber, merchantTransactionId, merchant } }) =>
        [merchant.name, invoiceNumber, merchantTransactionId]
          .filter((value) => value !== null)
          .map((value) => html`${value}`)
          .join('<br>'),
    },
    {
      title: text('row.status'),
      money: '–',
      cell: ({ paymentRequest }) => statusBadge(visit, `request.${paymentRequest.status}`),
    },
    ...(mayDecide && view.read.operatorCase.closedAt === null
      ? [
          {
            title: text('row.act'),
            money: '',
            cell: (each: Candidate) => actCell(visit, view, each),
          },
        ]
      : []),
  ];
}

/** A value with a sign, a word and a colour for its likeness to the money's. */
function likeness(visit: Visit, like: Likeness, value: string, said?: string): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const words = { SAME: text('same'), DIFFERENT: text('different'), UNKNOWN: text('unknown') };
  return html`!${value}<span class="likeness ${like.toLowerCase()}"><span aria-hidden="true"
>${SIGNS[like]}</span> ${said ?? words[like]}</span>`;
}

function amountCell(visit: Visit, { money }: CaseView, candidate: Candidate): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { openCents, paymentRequest } = candidate;
  const { currency } = visit;
  const open = amountText(visit, openCents, currency);
  const asked = amountText(visit, paymentRequest.amountCents, currency);
  const value = html`<strong>${open}</strong>!${
    open === asked ? '' : html`<br><span class="small">${text('ofAmount', { open, asked })}</span>`
  }`;
  if (money.cents === null || money.currency !== currency) return likeness(visit, 'UNKNOWN', value);
  const difference = money.cents - openCents;
  if (difference === 0) return likeness(visit, 'SAME', value, text('amountSame'));
  const amount = amountText(visit, Math.abs(difference), currency);
  const said = text(difference > 0 ? 'amountMore' : 'amountLess', { amount });
  return likeness(visit, 'DIFFERENT', value, said);
}

/** Beyond this share of different characters the payer has not mistyped this reference. */
const MOST_MISTYPED = 0.4;

/** The characters that the payer's reference has otherwise are marked. */
function referenceCell(visit: Visit, { money }: CaseView, { shown }: Candidate): string {
  if (shown === null) return likeness(visit, 'UNKNOWN', '');
  const like = compareReferences(money.references, shown.reference);
  const nearest = nearestReference(money.references, shown.reference);
  const { reference } = shown;
  const pieces = nearest === null ? [] : differingPieces(reference, nearest);
  const differing = pieces.reduce((sum, each) => sum + (each.differs ? each.text.length : 0), 0);
  if (like !== 'DIFFERENT' || differing > reference.length * MOST_MISTYPED) {
    return likeness(visit, like, inGroups(reference));
  }
  const marked = pieces.map(({ text, differs }) =>
    differs ? html`<mark>${text}</mark>` : html`${text}`,
  );
  return likeness(visit, like, html`<span class="mono">!${marked.join('')}</span>`);
}

function accountCell(visit: Visit, { money }: CaseView, { shown }: Candidate): string {
  if (shown === null) return likeness(visit, 'UNKNOWN', '');
  const like = money.account === null ? 'UNKNOWN' : money.account === shown.iban;
  const value = inGroups(shown.iban);
  return likeness(visit, like === 'UNKNOWN' ? like : like ? 'SAME' : 'DIFFERENT', value);
}

function dateCell(visit: Visit, { money }: CaseView, { paymentRequest }: Candidate): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const dayOf = (at: Date) => dateIn(at, visit.bookZone);
  const [from, to] = [dayOf(paymentRequest.createdAt), dayOf(paymentRequest.expiresAt)];
  const value = html`${text('openFromTo', { from, to })}`;
  const place = placeOfDay(money.bookingDate, from, to);
  if (place === 'UNKNOWN') return likeness(visit, 'UNKNOWN', value);
  const said = { WITHIN: 'dateWithin', BEFORE: 'dateBefore', AFTER: 'dateAfter' } as const;
  return likeness(visit, place === 'WITHIN' ? 'SAME' : 'DIFFERENT', value, text(said[place]));
}

/** The act that gives the money to this payment request, or why there is none. */
function actCell(visit: Visit, { read }: CaseView, { paymentRequest }: Candidate): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { operatorCase } = read;
  const { id, kind, merchantId, paymentRequestId } = operatorCase;
  const link = (act: 'accept' | 'assign', settlement: Settlement) => {
    if (!allowsSettlement(kind, settlement)) return '';
    const query = { paymentRequest: act === 'assign' ? paymentRequest.id : null };
    const path = addressOf(`/operator/cases/${id}/${act}`, query);
    // Both bookings of corrected money would count after an assignment.
    const isCorrected = shownKind(operatorCase) === 'CORRECTED_BOOKING';
    const isMain = act === 'accept' || (paymentRequestId === null && !isCorrected);
    const look = isMain ? 'main' : 'quiet';
    return renderActs(visit, text, [{ word: `act.${act}`, look, path: () => path }], undefined);
  };
  if (paymentRequest.id === paymentRequestId) return link('accept', 'ACCEPTED');
  if (merchantId !== null && merchantId !== paymentRequest.merchant.id) {
    return html`<span class="quiet">${text('otherMerchant')}</span>`;
  }
  if (paymentRequest.payment !== null && kind !== 'REFUNDED_OUTSIDE') {
    return html`<span class="quiet">${text('alreadyPaid')}</span>`;
  }
  return link('assign', 'ASSIGNED');
}
