import { html } from 'ghtml';
import { shownKind } from '#cases/model/operator-case.ts';
import { correctedCents, type Earlier } from '#cases/read/earlier-bookings.ts';
import { statusBadge, statusWord } from '#console/components/badges.ts';
import type { Fact } from '#console/components/parts.ts';
import { amount, amountText, day, requestName, requestPath } from '#console/components/values.ts';
import type { Visit } from '#console/shell/visit.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import { isCounted } from '#payment-requests/model/money/waiting.ts';
import type { ActOfCase } from '../money-deps.ts';
import { CASE_TEXTS, SETTLE_TEXTS } from '../texts.ts';
import { type Candidate, chosenOf, isWholeSum, type SettlementView } from './view-case.ts';

interface Settling extends SettlementView {
  readonly act: ActOfCase;
  /** The earlier booking that a replacement takes out of the ledger. */
  readonly movement: string;
}

/** The money, and the payment request before and after the act. */
export function settlementFacts(visit: Visit, settling: Settling): Fact[] {
  const { text } = SETTLE_TEXTS[visit.language];
  const { act, view, target, earlier, movement } = settling;
  const old = act === 'replace' ? chosenOf(earlier, movement) : null;
  const named = CASE_TEXTS[visit.language].text(`name.${shownKind(view.read.operatorCase)}`);
  const { cents, currency } = view.money;
  const own: Fact = [
    text(act === 'replace' ? 'fact.corrected' : 'fact.money'),
    html`!${cents === null ? '' : amount(visit, cents, currency)}
<span class="quiet">(${named})</span>`,
  ];
  const earlierFact = old ? [earlierBooking(visit, old)] : [];
  if (target === null) {
    return [...earlierFact, own, [text('fact.status'), old && html`${text('waitsAgain')}`]];
  }
  const { paymentRequest } = target;
  const before = heldCents(paymentRequest);
  const after = cents === null ? null : afterOf(settling, old, before, cents);
  return [
    ...earlierFact,
    own,
    [
      text('fact.request'),
      html`<a href="${requestPath(paymentRequest.merchant.id, paymentRequest.id)}"
>${requestName(paymentRequest)}</a> <span class="quiet">${paymentRequest.merchant.name}</span>`,
    ],
    [text('fact.asked'), amount(visit, paymentRequest.amountCents)],
    [text('fact.before'), amount(visit, before)],
    [text('fact.after'), after === null ? null : amount(visit, after)],
    after === null
      ? [text('fact.status'), statusBadge(visit, `request.${paymentRequest.status}`)]
      : [text('fact.status'), html`${outcomeText(visit, target, act, { before, after })}`],
  ];
}

function earlierBooking(visit: Visit, { old, whole }: Earlier): Fact {
  const { text } = SETTLE_TEXTS[visit.language];
  const { amountCents, bookingDate } = old;
  const booked =
    bookingDate === null
      ? ''
      : html` <span class="quiet">${text('booked')} !${day(visit, bookingDate)}</span>`;
  return [
    text(whole ? 'fact.earlierPart' : 'fact.earlier'),
    html`!${amount(visit, amountCents)}!${booked}`,
  ];
}

/** The sum of the payment request with the money of the case; null: the act brings none. */
function afterOf(
  { act, view: { read } }: Settling,
  earlier: Earlier | null,
  before: number,
  cents: number,
): number | null {
  if (read.operatorCase.kind === 'REFUNDED_OUTSIDE') return null;
  switch (act) {
    case 'accept':
      return (isWholeSum(read) ? 0 : before) + cents;
    case 'assign':
      return before + cents;
    case 'replace':
      if (earlier === null) return null;
      return (
        before +
        correctedCents(earlier, cents) -
        (isCounted(earlier.old) ? earlier.old.amountCents : 0)
      );
    case 'refund':
    case 'split':
    case 'close':
      return null;
  }
}

/** The status of the payment request after the settlement. */
function outcomeText(
  visit: Visit,
  { paymentRequest }: Candidate,
  act: ActOfCase,
  { before, after }: { readonly before: number; readonly after: number },
): string {
  const { text } = SETTLE_TEXTS[visit.language];
  const from = statusWord(visit.language, `request.${paymentRequest.status}`);
  const wordsFor = (cents: number) => amountText(visit, Math.abs(cents));
  if (act === 'replace' && paymentRequest.payment !== null) {
    const change = after - before;
    return text(change < 0 ? 'staysLess' : 'newCase', { from, amount: wordsFor(change) });
  }
  const left = paymentRequest.amountCents - after;
  if (act === 'accept' || left === 0) {
    return text('becomesPaid', { from, to: statusWord(visit.language, 'request.PAID') });
  }
  return text(left > 0 ? 'staysOpen' : 'newCase', { from, amount: wordsFor(left) });
}
