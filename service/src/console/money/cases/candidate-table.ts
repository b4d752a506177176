import { html } from 'ghtml';
import { allowsSettlement, type Settlement } from '#cases/model/case-kinds.ts';
import { shownKind } from '#cases/model/operator-case.ts';
import { statusBadge } from '#console/components/badges.ts';
import { column, rowHeader, table } from '#console/components/table.ts';
import { amountText, day, inGroups, requestName, requestPath } from '#console/components/values.ts';
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
import type { Candidate, CaseView } from './view-case.ts';

/** The sign says the same as the colour and the word beside it. */
const SIGNS: Readonly<Record<Likeness, string>> = { SAME: '✓', DIFFERENT: '≠', UNKNOWN: '?' };

/** The money above each payment request that it may be for, with a column a fact. */
export function candidateTable(visit: Visit, view: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { cents, currency, references, account, bookingDate } = view.money;
  const none = html`<span class="quiet">${text('unknown')}</span>`;
  /** `null` is the money itself. */
  const both = (title: string, money: string, of: (each: Candidate) => string) =>
    column<Candidate | null>(title, (each) => (each === null ? money : of(each)));
  const columns = [
    rowHeader<Candidate | null>(text('row.who'), (each) =>
      each === null ? moneyName(visit, view) : candidateName(visit, view, each),
    ),
    both(
      text('row.amount'),
      cents === null ? none : html`<strong>${amountText(visit, cents, currency)}</strong>`,
      (each) => amountCell(visit, view, each),
    ),
    both(text('row.reference'), references.map(inGroups).join('<br>') || none, (each) =>
      referenceCell(visit, view, each),
    ),
    both(text('row.account'), account === null ? none : inGroups(account), (each) =>
      accountCell(visit, view, each),
    ),
    both(text('row.date'), bookingDate === null ? none : day(visit, bookingDate), (each) =>
      dateCell(visit, view, each),
    ),
    both(text('row.status'), '', ({ paymentRequest }) =>
      statusBadge(visit, `request.${paymentRequest.status}`),
    ),
    ...(visit.can('operator.cases.settle') && view.read.operatorCase.closedAt === null
      ? [both(text('row.act'), '', (each) => actCell(visit, view, each))]
      : []),
  ];
  const rows = [null, ...view.candidates];
  const look = { className: 'candidates', rowClass: (each: unknown) => (each ? '' : 'own') };
  return html`<div class="list-rows">!${table(text('compareCaption'), columns, rows, look)}</div>`;
}

/** Names and accounts of payers are shown to people who settle cases. */
function moneyName(visit: Visit, { money: { partyName, partyAccount } }: CaseView): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const whose = visit.can('operator.cases.settle')
    ? html`${partyName ?? text('nameUnknown')}<br>!${inGroups(partyAccount ?? '')}`
    : html`${text('hidden')}`;
  return html`<strong>${text('theMoney')}</strong><span class="why">!${whose}</span>`;
}

function candidateName(visit: Visit, { money }: CaseView, candidate: Candidate): string {
  const { text } = CASE_PAGE_TEXTS[visit.language];
  const { paymentRequest, origin } = candidate;
  const { id, merchant, payer, invoiceNumber, merchantTransactionId } = paymentRequest;
  const mayName = visit.can('operator.cases.settle');
  const name = mayName && payer.name ? payer.name : requestName(paymentRequest, false);
  const link = html`<a href="${requestPath(merchant.id, id)}">${name}</a>`;
  const known = [payer.name && invoiceNumber, merchantTransactionId, merchant.name]
    .filter(Boolean)
    .join(' · ');
  const why = { NAMED: text('fact.ours'), HINT: text('hint'), ASKED: text('asked') }[origin];
  const like = mayName ? compareNames(money.partyName, payer.name) : 'UNKNOWN';
  return html`!${like === 'UNKNOWN' ? link : likeness(visit, like, link)}
<span class="why">${known}</span><span class="why">${why}</span>`;
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
  const like = money.account === null ? 'UNKNOWN' : money.account === shown.account;
  const value = inGroups(shown.account);
  return likeness(visit, like === 'UNKNOWN' ? like : like ? 'SAME' : 'DIFFERENT', value);
}

function dateCell(visit: Visit, { money }: CaseView, { paymentRequest }: Candidate): string {
  const { text, rich } = CASE_PAGE_TEXTS[visit.language];
  const dayOf = (at: Date) => dateIn(at, visit.bookZone);
  const [from, to] = [dayOf(paymentRequest.createdAt), dayOf(paymentRequest.expiresAt)];
  const shown = (date: string) => ({ html: day(visit, date) });
  const value = rich('openFromTo', { from: shown(from), to: shown(to) });
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
