import { html } from 'ghtml';
import { shownKind } from '#cases/model/operator-case.ts';
import { amountText, instant } from '#console/components/values.ts';
import { centsOfCase, currencyOfCase } from '#console/money/cases/case-facts.ts';
import { CASE_TEXTS } from '#console/money/texts.ts';
import type { Visit } from '#console/shell/visit.ts';
import { heldCents } from '#payment-requests/model/money/sums.ts';
import { reasonOfStanding, STANDING_REASONS, type StandingReason } from './model/standing.ts';
import type { RequestDetails } from './read-details.ts';
import { REASON_TEXTS, REQUEST_TEXTS } from './texts.ts';
import { actWords, reasonWord } from './timeline-words.ts';

/** The line under the title: why the payment request stands as it does, or what it waits for. */
export function standingNotice(visit: Visit, shown: RequestDetails): string {
  const { paymentRequest: p, refunds, openRefund, openCase } = shown;
  const reason = reasonOfStanding({
    status: p.status,
    isPart: p.payment === null && heldCents(p) > 0,
    isTakenBack: p.sums.returnedCents > 0,
    isLate: p.paidLate,
    refund: refunds[0]?.status ?? null,
    isRefundProposed: openRefund !== null,
    hasOpenCase: openCase !== null,
  });
  if (reason === null) return '';
  const { text } = REQUEST_TEXTS[visit.language];
  const { cents, why = '', way } = wordsOf(visit, shown)[reason]();
  const sentence = text(`standing.${reason}`, { amount: amountText(visit, cents ?? 0), why });
  const link = way?.[1] ? html` <a href="${way[1]}">${text(`way.${way[0]}`)}</a>` : '';
  return html`<p class="notice ${STANDING_REASONS[reason].tone}">${sentence}!${link}</p>`;
}

/** The order of an operator to erase the payer, while it waits. */
export function erasureNotice(visit: Visit, { erasure }: RequestDetails): string {
  if (erasure === null) return '';
  const { text } = REQUEST_TEXTS[visit.language];
  const why = text(`erasure.${erasure.because}`);
  return html`<p class="notice warning">${text('erasureWaits')} ${why}
!${instant(visit, erasure.askedAt)}</p>`;
}

interface Words {
  readonly cents?: number | undefined;
  readonly why?: string | undefined;
  /** The place of the thing that the sentence is about; null: the person may not read it. */
  readonly way?: readonly [word: 'money' | 'case' | 'proposal', href: string | null];
}

const MONEY: Words = { way: ['money', '?show=money#timeline'] };

function wordsOf(
  visit: Visit,
  shown: RequestDetails,
): Readonly<Record<StandingReason, () => Words>> {
  const { paymentRequest: p, refunds, openRefund, openCase } = shown;
  const { text } = REASON_TEXTS[visit.language];
  const [refund] = refunds;
  const cause = refund?.statusReasonCode;
  const ended = () => ({ why: p.statusReason ? text(`payment.${p.statusReason.code}`) : '' });
  const cases = visit.can('operator.cases.read') ? '/operator' : `/m/${visit.merchantId}`;
  return {
    REFUND_FAILED: () => ({
      ...MONEY,
      cents: refund?.amountCents,
      why: cause ? text(`refund.${cause}`) : '',
    }),
    REFUND_PROPOSED: () => ({
      cents: openRefund?.amountCents ?? 0,
      way: [
        'proposal',
        visit.can('approvals.read') ? `/console/approvals/${openRefund?.id}` : null,
      ],
    }),
    TAKEN_BACK: () => ({ ...MONEY, cents: p.sums.returnedCents }),
    CASE_OPEN: () => ({
      why: openCase ? caseWords(visit, openCase) : '',
      way: ['case', visit.can('cases.read') ? `/console${cases}/cases/${openCase?.id}` : null],
    }),
    REFUND_OPEN: () => ({ ...MONEY, cents: p.sums.refundingCents }),
    PART_MISSING: () => ({
      ...MONEY,
      cents: p.amountCents - heldCents(p),
      why: amountText(visit, p.amountCents),
    }),
    FAILED: ended,
    EXPIRED: ended,
    CANCELLED: () => ({ why: cancelledBy(visit, shown, ended().why) }),
    PAID_LATE: () => ({}),
  };
}

function caseWords(visit: Visit, found: NonNullable<RequestDetails['openCase']>): string {
  const cents = centsOfCase(found);
  const kind = CASE_TEXTS[visit.language].text(`name.${shownKind(found)}`);
  const currency = currencyOfCase(found, visit.currency);
  return cents === null ? kind : `${kind}, ${amountText(visit, cents, currency)}`;
}

/** The person of the console, or else the merchant's own program; then the reason. */
function cancelledBy(visit: Visit, { entries }: RequestDetails, program: string): string {
  const told = { by: program, reason: '' };
  for (const each of entries) {
    if (each.kind === 'ACT' && each.act.action === 'PAYMENT_REQUEST_CANCELLED') {
      told.by = `${actWords(visit, each.act).title}.`;
    }
    const asked = each.kind === 'HISTORY' && each.entry.type === 'CANCELLATION_REQUESTED';
    const reason = asked && each.entry.details.reason;
    if (reason) told.reason = ` ${reasonWord(visit.language, reason)}.`;
  }
  return told.by + told.reason;
}
